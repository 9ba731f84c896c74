// What is told about LogSoftmax.
import type { OperatorWords } from './operator-text.js';

export const logSoftmax: OperatorWords = {
  group: 'activation',
  aliases: [
    'torch.log_softmax',
    'torch.nn.LogSoftmax',
    'tf.nn.log_softmax',
    'scipy.special.log_softmax',
    'log probabilities',
  ],
  en: {
    summary: 'Gives the logarithm of Softmax: log probabilities for each row.',
    details: [
      'Each element gives x less the logarithm of the sum of exp(x) along the row: [1, 2, 3] gives about [-2.408, -1.408, -0.408]. It keeps its precision where the Log of Softmax would be -inf.',
      'The greatest element is subtracted first, so that nothing overflows. A row of nothing but -inf, or one with infinity or NaN, gives NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an axis that the input does not have; a scalar; an integer type.',
    ],
    inputs: { input: 'A tensor with one axis or more.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {
      axis: 'The axis that rows lie along; negative ones count from the end. Before version 13, the first axis of a row.',
    },
    versions: { 13: 'A row is what lies along axis. Before, all elements from axis on to the last axis were one row.' },
  },
  zh: {
    summary: '求 Softmax 的对数：每一行的对数概率。',
    details: [
      '每个元素得到 x 减去一行的 log(sum(exp(x)))：[1, 2, 3] 得到约 [-2.408, -1.408, -0.408]。在 Softmax 再求 Log 会得到 -inf 的地方，它仍保持精度。',
      '先减去最大的元素，避免溢出。一行全是 -inf，或含有正无穷大或 NaN 时，得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：输入没有这个轴；标量；整数类型。',
    ],
    inputs: { input: '至少有一个轴的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { axis: '行沿哪个轴；负数从末尾数起。版本 13 之前是一行的第一个轴。' },
    versions: { 13: '一行是沿 axis 这一个轴的元素。此前从 axis 到最后一个轴的所有元素合成一行。' },
  },
};
