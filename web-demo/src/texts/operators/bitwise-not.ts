// What is told about BitwiseNot.
import type { OperatorWords } from './operator-text.js';

export const bitwiseNot: OperatorWords = {
  group: 'bits',
  aliases: [
    'np.bitwise_not',
    'np.invert',
    'torch.bitwise_not',
    'tf.bitwise.invert',
    '~',
    'complement',
    'flip all bits',
  ],
  en: {
    summary: 'Flips all bits of each integer.',
    details: [
      'A signed integer x gives -x - 1: 5 gives -6. An unsigned one gives its distance to the greatest value: 5 as uint8 gives 250.',
      'Errors: types that are no integers. For bool, use Not.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素对整数按位取反。',
    details: [
      '有符号整数 x 得到 -x - 1：5 得到 -6。无符号整数得到最大值与它的差：uint8 的 5 得到 250。',
      '不是整数的类型会报错。bool 请用 Not。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
