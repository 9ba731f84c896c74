// What is told about Asinh.
import type { OperatorWords } from './operator-text.js';

export const asinh: OperatorWords = {
  group: 'math',
  aliases: ['np.arcsinh', 'torch.asinh', 'tf.asinh', 'arcsinh', 'inverse hyperbolic sine'],
  en: {
    summary: 'Gives the inverse hyperbolic sine of each element.',
    details: [
      'The result is the number that has the element as its Sinh. It has the sign of the element: 0 gives 0, infinities stay what they are. Far from 0 it grows as a logarithm does. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求反双曲正弦。',
    details: [
      '结果是双曲正弦等于该元素的数，符号与元素相同：0 得到 0，无穷大保持不变。离 0 越远，它就越像对数那样增长。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
