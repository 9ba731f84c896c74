// What is told about GatherND.
import type { OperatorWords } from './operator-text.js';

export const gatherNd: OperatorWords = {
  group: 'move',
  aliases: ['tf.gather_nd', 'torch index tuple', 'x[i, j]', 'advanced indexing', 'coordinates'],
  en: {
    summary: 'Takes elements or slices that tuples of indices name.',
    details: [
      'The last axis of indices holds tuples. A tuple of as many indices as data has axes names an element; a shorter one a slice: data [2, 3, 4] and indices [5, 2] give [5, 4].',
      'With batch_dims, the first axes of both are the same, and each batch takes from its own part.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: { data: 'The tensor to read from.', indices: 'Tuples of indices along the last axis, as int64.' },
    outputs: {
      output: 'A tensor of the type of data: the shape of indices without its last axis, then that of a slice.',
    },
    attributes: { batch_dims: 'How many of the first axes are common to both.' },
  },
  zh: {
    summary: '按索引元组取出元素或切片。',
    details: [
      'indices 的最后一个轴是元组。元组长度等于 data 的轴数时指一个元素，更短时指一个切片：data 为 [2, 3, 4]、indices 为 [5, 2] 时得到 [5, 4]。',
      '给出 batch_dims 时，两者开头的若干个轴相同，每一批只从自己的部分选取。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: { data: '从中读取的张量。', indices: '最后一个轴上是索引元组，int64。' },
    outputs: { output: '元素类型与 data 相同的张量：形状是 indices 去掉最后一个轴，再接上切片的形状。' },
    attributes: { batch_dims: '开头有多少个轴为两者共有。' },
  },
};
