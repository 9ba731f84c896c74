// What is told about Size.
import type { OperatorWords } from './operator-text.js';

export const size: OperatorWords = {
  group: 'shape',
  aliases: ['np.size', 'torch.numel', 'tf.size', 'numel', 'number of elements', 'len'],
  en: {
    summary: 'Gives the number of elements of a tensor.',
    details: [
      'It is the product of all sizes: 6 for [2, 3], 1 for a scalar, 0 if a size is 0. The elements themselves are never read.',
      'For the sizes one by one, use Shape.',
    ],
    inputs: { data: 'A tensor of any shape.' },
    outputs: { size: 'An int64 scalar.' },
    attributes: {},
  },
  zh: {
    summary: '给出张量的元素个数。',
    details: [
      '即所有大小的乘积：[2, 3] 为 6，标量为 1，只要有一个大小为 0 就是 0。从不读取元素。',
      '要逐个得到各轴的大小，请用 Shape。',
    ],
    inputs: { data: '任意形状的张量。' },
    outputs: { size: 'int64 标量。' },
    attributes: {},
  },
};
