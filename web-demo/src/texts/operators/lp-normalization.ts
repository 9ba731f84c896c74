// What is told about LpNormalization.
import type { OperatorWords } from './operator-text.js';

export const lpNormalization: OperatorWords = {
  group: 'normalise',
  aliases: [
    'torch.nn.functional.normalize',
    'tf.math.l2_normalize',
    'sklearn.preprocessing.normalize',
    'unit vector',
    'l2 normalize',
  ],
  en: {
    summary: 'Divides the elements along an axis by their norm, so that their vectors have length 1.',
    details: [
      'With p 2, the norm is the square root of the sum of squares: [3, 4] gives [0.6, 0.8]. With p 1, it is the sum of absolute values. Vectors of nothing but 0 stay so. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an axis that the input does not have; a p other than 1 and 2; an integer type.',
    ],
    inputs: { input: 'A tensor with one axis or more.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {
      axis: 'The axis that vectors lie along; negative ones count from the end.',
      p: 'Which norm: 1 or 2.',
    },
  },
  zh: {
    summary: '沿一个轴把元素除以它们的范数，使向量的长度为 1。',
    details: [
      'p 为 2 时，范数是平方和的平方根：[3, 4] 得到 [0.6, 0.8]。p 为 1 时，范数是绝对值之和。全为 0 的向量保持不变。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：输入没有这个轴；p 不是 1 或 2；整数类型。',
    ],
    inputs: { input: '至少有一个轴的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { axis: '向量沿哪个轴；负数从末尾数起。', p: '哪种范数：1 或 2。' },
  },
};
