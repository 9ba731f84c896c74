// What is told about LeakyRelu.
import type { OperatorWords } from './operator-text.js';

export const leakyRelu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.LeakyReLU', 'torch.nn.functional.leaky_relu', 'tf.nn.leaky_relu', 'leaky rectifier'],
  en: {
    summary: 'Multiplies negative elements by a small factor, and leaves all others.',
    details: [
      'With alpha 0.01, -2 gives -0.02 and 3 gives 3. Unlike Relu, it has a slope on both sides of 0. PRelu has a slope of its own for each channel. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      alpha: 'What negative elements are multiplied by.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
  },
  zh: {
    summary: '把负的元素乘以一个小系数，其余不变。',
    details: [
      'alpha 为 0.01 时，-2 得到 -0.02，3 得到 3。与 Relu 不同，它在 0 的两侧都有斜率。要让每个通道有自己的斜率，请用 PRelu。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { alpha: '负的元素所乘的系数。', consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
