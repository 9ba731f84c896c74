// What is told about Atanh.
import type { OperatorWords } from './operator-text.js';

export const atanh: OperatorWords = {
  group: 'math',
  aliases: ['np.arctanh', 'torch.atanh', 'tf.atanh', 'arctanh', 'inverse hyperbolic tangent'],
  en: {
    summary: 'Gives the inverse hyperbolic tangent of each element.',
    details: [
      'The result is the number that has the element as its Tanh: 0 gives 0, 1 gives infinity, -1 gives -inf. An element below -1 or above 1 gives NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求反双曲正切。',
    details: [
      '结果是双曲正切等于该元素的数：0 得到 0，1 得到无穷大，-1 得到 -inf。小于 -1 或大于 1 的元素得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
