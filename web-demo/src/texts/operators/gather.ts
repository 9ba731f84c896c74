// What is told about Gather.
import type { OperatorWords } from './operator-text.js';

export const gather: OperatorWords = {
  group: 'move',
  aliases: [
    'np.take',
    'torch.index_select',
    'torch.embedding',
    'tf.gather',
    'take',
    'index',
    'lookup',
    'embedding',
    'x[i]',
  ],
  en: {
    summary: 'Takes the slices along an axis that a tensor of indices names.',
    details: [
      'The indices take the place of the axis: data [5, 3] and indices [2, 4] on axis 0 give [2, 4, 3]. A scalar index drops the axis. An index may occur any number of times.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: {
      data: 'The tensor to read from.',
      indices: 'Indices of slices along the axis, of any shape, as int64 or int32.',
    },
    outputs: { output: 'A tensor of the type of data: its shape with that of indices in the place of the axis.' },
    attributes: { axis: 'The axis to take from; negative ones count from the end.' },
  },
  zh: {
    summary: '按索引张量，沿一个轴取出切片。',
    details: [
      '索引的形状代替该轴：data 为 [5, 3]、indices 为 [2, 4]、轴为 0 时得到 [2, 4, 3]。索引是标量时去掉该轴。同一个索引可以出现任意多次。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: { data: '从中读取的张量。', indices: '沿该轴的切片索引，形状不限，int64 或 int32。' },
    outputs: { output: '元素类型与 data 相同的张量：形状是把 data 的该轴换成 indices 的形状。' },
    attributes: { axis: '沿哪个轴选取；负数从末尾数起。' },
  },
};
