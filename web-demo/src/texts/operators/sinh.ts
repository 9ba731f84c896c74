// What is told about Sinh.
import type { OperatorWords } from './operator-text.js';

export const sinh: OperatorWords = {
  group: 'math',
  aliases: ['np.sinh', 'torch.sinh', 'tf.sinh', 'hyperbolic sine'],
  en: {
    summary: 'Gives the hyperbolic sine of each element.',
    details: [
      'It is half of exp(x) - exp(-x): 0 gives 0, and the result has the sign of x. What is too large for the type becomes infinite: in float32 that begins near 89.4. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求双曲正弦。',
    details: [
      '公式为 1/2 · (exp(x) - exp(-x))：0 得到 0，结果的符号与 x 相同。超出类型范围的结果变为无穷大；float32 约从 89.4 开始。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
