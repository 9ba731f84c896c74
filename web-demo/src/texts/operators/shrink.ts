// What is told about Shrink.
import type { OperatorWords } from './operator-text.js';

export const shrink: OperatorWords = {
  group: 'activation',
  aliases: [
    'torch.nn.Hardshrink',
    'torch.nn.Softshrink',
    'torch.nn.functional.softshrink',
    'soft threshold',
    'hard threshold',
  ],
  en: {
    summary: 'Replaces elements near 0 by 0, and moves all others towards it.',
    details: [
      'Above lambd, x gives x - bias; below -lambd, it gives x + bias; all others, and NaN, give 0. With bias 0 this is the hard shrink of other libraries, with bias equal to lambd the soft one.',
      'Integers are compared and moved as real numbers; then their fraction is dropped.',
      'Errors: bool and bfloat16.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: { bias: 'How far elements are moved towards 0.', lambd: 'How far from 0 elements have to be to stay.' },
  },
  zh: {
    summary: '把接近 0 的元素换成 0，其余向 0 移动。',
    details: [
      'x 大于 lambd 时得到 x - bias，小于 -lambd 时得到 x + bias，其余以及 NaN 得到 0。bias 为 0 就是其他库的 hard shrink，bias 等于 lambd 就是 soft shrink。',
      '整数按实数比较和移动，然后舍去小数部分。',
      'bool 和 bfloat16 会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { bias: '元素向 0 移动的距离。', lambd: '元素离 0 多远才会保留。' },
  },
};
