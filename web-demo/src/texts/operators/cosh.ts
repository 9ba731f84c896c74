// What is told about Cosh.
import type { OperatorWords } from './operator-text.js';

export const cosh: OperatorWords = {
  group: 'math',
  aliases: ['np.cosh', 'torch.cosh', 'tf.cosh', 'hyperbolic cosine'],
  en: {
    summary: 'Gives the hyperbolic cosine of each element.',
    details: [
      'It is the mean of exp(x) and exp(-x): 0 gives 1, and x gives the same as -x. What is too large for the type becomes infinity: in float32 that begins near 89.4. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求双曲余弦。',
    details: [
      '公式为 1/2 · (exp(x) + exp(-x))：0 得到 1，x 与 -x 的结果相同。超出类型范围的结果变为无穷大；float32 约从 89.4 开始。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
