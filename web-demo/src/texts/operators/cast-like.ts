// What is told about CastLike.
import type { OperatorWords } from './operator-text.js';

export const castLike: OperatorWords = {
  group: 'convert',
  aliases: ['torch.Tensor.type_as', 'type_as', 'astype', 'same type'],
  en: {
    summary: 'Converts each element to the element type of another tensor.',
    details: [
      'Floating-point to integer drops the fraction: -1.7 becomes -1. Integer to integer keeps the low bits: 300 as uint8 is 44. To bool, everything but 0 is true, NaN included. To floating-point types, values are rounded to the nearest, ties to even.',
      'ONNX leaves open what NaN and values out of range become as integers. Here they are as x86 processors have them.',
      'Strings are read as numbers: "1.5", "1e3", "NaN", "-INF", with spaces around them. Errors: a string that is no number of the wanted type; complex types.',
    ],
    inputs: {
      input: 'The tensor to convert.',
      target_type: 'A tensor that has the wanted type; its shape and elements do not matter.',
    },
    outputs: { output: 'A tensor of the shape of input, of the type of target_type.' },
    attributes: {
      saturate:
        'For float8 types: 1 makes what is too large the largest value; 0 makes it infinity or, where there is none, NaN.',
      round_mode: 'For float8e8m0: up, down, or to the nearest power of two.',
    },
  },
  zh: {
    summary: '把每个元素转换为另一个张量的元素类型。',
    details: [
      '浮点转整数时舍去小数部分：-1.7 变成 -1。整数转整数时保留低位：300 转 uint8 得到 44。转 bool 时，除 0 以外都为真，包括 NaN。转浮点类型时舍入到最近的值，正好居中时取偶数。',
      'NaN 和超出范围的值转成整数会怎样，ONNX 没有规定；这里与 x86 处理器的结果一致。',
      '字符串按数字读取，例如 "1.5"、"1e3"、"NaN"、"-INF"，前后可以有空格。以下情况会报错：字符串不是目标类型的数；复数类型。',
    ],
    inputs: { input: '要转换的张量。', target_type: '具有目标类型的张量；它的形状和元素不起作用。' },
    outputs: { output: '形状与 input 相同、元素类型与 target_type 相同的张量。' },
    attributes: {
      saturate: '用于 float8 类型：1 表示超出范围的值变为最大值；0 表示变为无穷大，没有无穷大的类型则变为 NaN。',
      round_mode: '用于 float8e8m0：舍入到较大（up）、较小（down）或最近（nearest）的 2 的幂。',
    },
  },
};
