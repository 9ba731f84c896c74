// What is told about IsNaN.
import type { OperatorWords } from './operator-text.js';

export const isNan: OperatorWords = {
  group: 'logic',
  aliases: ['np.isnan', 'torch.isnan', 'tf.math.is_nan', 'not a number'],
  en: {
    summary: 'Says of each element whether it is NaN: the result of what has none, such as 0 / 0.',
    details: [
      'Infinities are no NaN. Equal cannot answer this, because NaN is equal to nothing, itself included. Where then puts another number in its place.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A bool tensor of the same shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素判断是否为 NaN，即 0 / 0 之类没有结果的运算的结果。',
    details: [
      '无穷大不是 NaN。不能用 Equal 判断，因为 NaN 与任何值都不相等，包括它自己。之后可以用 Where 把它换成别的数。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '形状相同的 bool 张量。' },
    attributes: {},
  },
};
