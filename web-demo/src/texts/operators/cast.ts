// What is told about Cast.
import type { OperatorWords } from './operator-text.js';

export const cast: OperatorWords = {
  group: 'convert',
  aliases: ['np.ndarray.astype', 'torch.Tensor.to', 'tf.cast', 'astype', 'convert type', 'dtype', 'float()', 'int()'],
  en: {
    summary: 'Converts each element to another element type.',
    details: [
      'Floating-point to integer drops the fraction: -1.7 becomes -1. Integer to integer keeps the low bits: 300 as uint8 is 44. To bool, everything but 0 is true, NaN included. To floating-point types, values are rounded to the nearest, ties to even.',
      'ONNX leaves open what NaN and values out of range become as integers. Here they are as x86 processors have them.',
      'Strings are read as numbers: "1.5", "1e3", "NaN", "-INF", with spaces around them. Errors: a string that is no number of the wanted type; complex types.',
    ],
    inputs: { input: 'The tensor to convert.' },
    outputs: { output: 'A tensor of the same shape, of the type that to names.' },
    attributes: {
      to: 'The wanted element type: a number of TensorProto.DataType, such as 1 for float32 and 7 for int64.',
      saturate:
        'For float8 types: 1 makes what is too large the largest value; 0 makes it infinity or, where there is none, NaN.',
      round_mode: 'For float8e8m0: up, down, or to the nearest power of two.',
    },
    versions: { 1: 'The attribute to is a text, such as FLOAT or INT32.' },
  },
  zh: {
    summary: '把每个元素转换为另一种元素类型。',
    details: [
      '浮点转整数时舍去小数部分：-1.7 变成 -1。整数转整数时保留低位：300 转 uint8 得到 44。转 bool 时，除 0 以外都为真，包括 NaN。转浮点类型时舍入到最近的值，正好居中时取偶数。',
      'NaN 和超出范围的值转成整数会怎样，ONNX 没有规定；这里与 x86 处理器的结果一致。',
      '字符串按数字读取，例如 "1.5"、"1e3"、"NaN"、"-INF"，前后可以有空格。以下情况会报错：字符串不是目标类型的数；复数类型。',
    ],
    inputs: { input: '要转换的张量。' },
    outputs: { output: '形状相同的张量，元素类型由 to 指定。' },
    attributes: {
      to: '目标元素类型：TensorProto.DataType 中的编号，例如 1 表示 float32，7 表示 int64。',
      saturate: '用于 float8 类型：1 表示超出范围的值变为最大值；0 表示变为无穷大，没有无穷大的类型则变为 NaN。',
      round_mode: '用于 float8e8m0：舍入到较大（up）、较小（down）或最近（nearest）的 2 的幂。',
    },
    versions: { 1: '属性 to 是文本，例如 FLOAT 或 INT32。' },
  },
};
