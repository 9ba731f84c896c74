// What is told about NonZero.
import type { OperatorWords } from './operator-text.js';

export const nonZero: OperatorWords = {
  group: 'order',
  aliases: ['np.nonzero', 'np.argwhere', 'torch.nonzero', 'tf.where', 'find', 'where true'],
  en: {
    summary: 'Gives the places of all elements that are not zero.',
    details: [
      'The result has a row for each axis and a column for each element that was found: [number of axes, n]. That is np.nonzero; torch.nonzero and np.argwhere give the transpose.',
      'Places come in row-major order. NaN is not zero, -0 is; of strings, all but the empty one are found. A scalar gives [0, 1] or [0, 0].',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'An int64 tensor of shape [number of axes, n].' },
    attributes: {},
  },
  zh: {
    summary: '给出所有非零元素的位置。',
    details: [
      '结果每个轴占一行，每个找到的元素占一列：[轴数, n]。这与 np.nonzero 相同；torch.nonzero 和 np.argwhere 给出的是它的转置。',
      '位置按行优先顺序排列。NaN 不算零，-0 算零；字符串除空串外都算非零。标量得到 [0, 1] 或 [0, 0]。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: 'int64 张量，形状为 [轴数, n]。' },
    attributes: {},
  },
};
