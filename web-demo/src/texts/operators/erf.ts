// What is told about Erf.
import type { OperatorWords } from './operator-text.js';

export const erf: OperatorWords = {
  group: 'math',
  aliases: ['scipy.special.erf', 'torch.erf', 'tf.math.erf', 'error function'],
  en: {
    summary: 'Gives the error function of each element: an S-shaped curve from -1 to 1.',
    details: [
      'It is the integral of 2 / sqrt(π) · exp(-t²) from 0 to the element: 0 gives 0, infinity gives 1, -inf gives -1. The share of a normal distribution below x is (1 + erf(x / sqrt(2))) / 2, as in Gelu.',
      'Version 9 takes integers, too, and drops the fractions of their results: elements above 5 give 1, those below -5 give -1, all others 0. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: from version 13 on, an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求误差函数：一条从 -1 到 1 的 S 形曲线。',
    details: [
      '被积函数为 2 / sqrt(π) · exp(-t²)，积分从 0 到该元素：0 得到 0，无穷大得到 1，-inf 得到 -1。正态分布中小于 x 的部分为 1/2 · (1 + erf(x / sqrt(2)))，Gelu 就用到它。',
      '版本 9 也接受整数，并舍去结果的小数部分：大于 5 的元素得到 1，小于 -5 的得到 -1，其余得到 0。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '从版本 13 起，整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
