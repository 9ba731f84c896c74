// What is told about Tile.
import type { OperatorWords } from './operator-text.js';

export const tile: OperatorWords = {
  group: 'move',
  aliases: ['np.tile', 'torch.tile', 'torch.Tensor.repeat', 'tf.tile', 'repeat', 'replicate'],
  en: {
    summary: 'Repeats a tensor as a whole along each of its axes.',
    details: [
      '[1, 2] with repeats [3] becomes 1, 2, 1, 2, 1, 2. Elements in turn, as np.repeat has them, come from Unsqueeze, Expand and Reshape. 0 repetitions give an empty tensor.',
      'Errors: repeats that does not have a number for each axis (NumPy and PyTorch add axes); a negative number.',
    ],
    inputs: {
      input: 'A tensor of any shape.',
      repeats: 'How often each axis is repeated: an int64 tensor with a number for each.',
      tiles: 'How often the axis is repeated, in version 1: one number of the type of input.',
      axis: 'The axis that is repeated, in version 1: one number of the type of input.',
    },
    outputs: { output: 'A tensor of the same type; each size is multiplied.' },
    attributes: {},
    versions: { 6: 'All axes are repeated at once, by a list of numbers.' },
  },
  zh: {
    summary: '沿每个轴把整个张量重复若干次。',
    details: [
      '[1, 2] 与 repeats 为 [3] 得到 1、2、1、2、1、2。要像 np.repeat 那样逐个元素重复，请用 Unsqueeze、Expand 和 Reshape。重复 0 次得到空张量。',
      '以下情况会报错：repeats 的个数与轴数不同（NumPy 和 PyTorch 会补上轴）；次数为负数。',
    ],
    inputs: {
      input: '任意形状的张量。',
      repeats: '每个轴重复几次：int64 张量，每个轴一个数。',
      tiles: '版本 1 中该轴重复的次数：一个数，类型与 input 相同。',
      axis: '版本 1 中要重复的轴：一个数，类型与 input 相同。',
    },
    outputs: { output: '元素类型相同的张量，各轴大小乘以重复次数。' },
    attributes: {},
    versions: { 6: '用一个列表同时重复所有轴。' },
  },
};
