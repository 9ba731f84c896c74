// What is told about ScatterND.
import type { OperatorWords } from './operator-text.js';

export const scatterNd: OperatorWords = {
  group: 'move',
  aliases: ['tf.tensor_scatter_nd_update', 'tf.scatter_nd', 'torch.index_put', 'x[i, j] = y', 'np.add.at'],
  en: {
    summary: 'Writes elements or slices into a copy of a tensor, where tuples of indices point.',
    details: [
      'The last axis of indices holds tuples. One that is shorter than the number of axes names a slice, and the update is a slice, too: data [4, 5], indices [2, 1] and updates [2, 5] write two rows.',
      'If indices repeat, updates are applied in order: without a reduction the last one stays, which ONNX leaves open.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: {
      data: 'The tensor to begin with; it stays unchanged.',
      indices: 'Tuples of indices along the last axis, as int64.',
      updates: 'The new elements or slices: the shape of indices without its last axis, then that of a slice.',
    },
    outputs: { output: 'A tensor of the type and shape of data.' },
    attributes: {
      reduction: 'What becomes of the old element: none replaces it, add, mul, max and min combine it with the update.',
    },
  },
  zh: {
    summary: '按索引元组，把元素或切片写入张量的副本。',
    details: [
      'indices 的最后一个轴是元组。元组短于轴数时指一个切片，更新值也是切片：data 为 [4, 5]、indices 为 [2, 1]、updates 为 [2, 5] 时写入两行。',
      '索引重复时，按顺序应用更新：没有归约时保留最后一个（ONNX 对此没有规定）。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: {
      data: '作为起点的张量；它本身不变。',
      indices: '最后一个轴上是索引元组，int64。',
      updates: '新的元素或切片：形状是 indices 去掉最后一个轴，再接上切片的形状。',
    },
    outputs: { output: '元素类型和形状与 data 相同的张量。' },
    attributes: { reduction: '如何处理原来的元素：none 表示替换，add、mul、max、min 表示与更新值合并。' },
  },
};
