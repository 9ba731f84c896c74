// What is told about Softmax.
import type { OperatorWords } from './operator-text.js';

export const softmax: OperatorWords = {
  group: 'activation',
  aliases: [
    'torch.softmax',
    'torch.nn.Softmax',
    'tf.nn.softmax',
    'scipy.special.softmax',
    'probabilities',
    'normalized exponential',
  ],
  en: {
    summary: 'Turns each row of numbers into probabilities: positive, with the sum 1.',
    details: [
      'Each element gives exp(x), divided by the sum of these along the row: [1, 2, 3] gives about [0.09, 0.245, 0.665].',
      'The greatest element is subtracted first, so that nothing overflows; the result is the same. -inf gives 0, as masks use it. A row of nothing but -inf, or one with infinity or NaN, gives NaN. float16 and bfloat16 are computed in float32 and rounded once.',
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
    summary: '把每一行数变成概率：都为正，和为 1。',
    details: [
      '每个元素得到 exp(x)，再除以一行中它们的和：[1, 2, 3] 得到约 [0.09, 0.245, 0.665]。',
      '先减去最大的元素，避免溢出，结果不变。-inf 得到 0，掩码常利用这一点。一行全是 -inf，或含有正无穷大或 NaN 时，得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：输入没有这个轴；标量；整数类型。',
    ],
    inputs: { input: '至少有一个轴的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { axis: '行沿哪个轴；负数从末尾数起。版本 13 之前是一行的第一个轴。' },
    versions: { 13: '一行是沿 axis 这一个轴的元素。此前从 axis 到最后一个轴的所有元素合成一行。' },
  },
};
