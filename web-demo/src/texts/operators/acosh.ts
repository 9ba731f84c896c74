// What is told about Acosh.
import type { OperatorWords } from './operator-text.js';

export const acosh: OperatorWords = {
  group: 'math',
  aliases: ['np.arccosh', 'torch.acosh', 'tf.acosh', 'arccosh', 'inverse hyperbolic cosine'],
  en: {
    summary: 'Gives the inverse hyperbolic cosine of each element.',
    details: [
      'The result is the number that is not negative and has the element as its Cosh: 1 gives 0, infinity gives infinity. An element below 1 gives NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求反双曲余弦。',
    details: [
      '结果是双曲余弦等于该元素的非负数：1 得到 0，无穷大得到无穷大。小于 1 的元素得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
