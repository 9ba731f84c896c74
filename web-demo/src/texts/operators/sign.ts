// What is told about Sign.
import type { OperatorWords } from './operator-text.js';

export const sign: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.sign', 'torch.sign', 'tf.sign', 'signum'],
  en: {
    summary: 'Gives the sign of each element: 1, 0 or -1.',
    details: [
      'Both 0 and -0 give 0. NaN stays NaN. Unsigned integers give 0 or 1.',
      'Errors: bool, and other types that are no numbers.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求符号：1、0 或 -1。',
    details: ['0 和 -0 都得到 0。NaN 仍是 NaN。无符号整数得到 0 或 1。', 'bool 等不是数的类型会报错。'],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
