// What is told about Transpose.
import type { OperatorWords } from './operator-text.js';

export const transpose: OperatorWords = {
  group: 'shape',
  aliases: [
    'np.transpose',
    'torch.permute',
    'torch.transpose',
    'tf.transpose',
    'permute',
    'swapaxes',
    'moveaxis',
    'NHWC to NCHW',
    '.T',
  ],
  en: {
    summary: 'Puts the axes in another order.',
    details: [
      'perm says for each axis of the result which axis of the input it is: an image [H, W, C] with perm [2, 0, 1] becomes [C, H, W]. Without perm, the order is reversed.',
      'The result shares the memory of the input until somebody asks for its elements.',
      'Errors: a perm that does not name each axis once, or has negative numbers.',
    ],
    inputs: { data: 'A tensor of any shape.' },
    outputs: { transposed: 'The same elements with the axes in the new order.' },
    attributes: { perm: 'The axes of the input in their new order; reversed without it.' },
  },
  zh: {
    summary: '改变轴的顺序。',
    details: [
      'perm 依次指出结果的每个轴是输入的哪个轴：图像 [H, W, C] 与 perm 为 [2, 0, 1] 得到 [C, H, W]。不给 perm 时，顺序反过来。',
      '在有人读取元素之前，结果与输入共用内存。',
      'perm 没有把每个轴恰好写一次，或者含有负数，都会报错。',
    ],
    inputs: { data: '任意形状的张量。' },
    outputs: { transposed: '元素相同、轴按新顺序排列的张量。' },
    attributes: { perm: '输入的轴按新顺序排列；省略时反过来。' },
  },
};
