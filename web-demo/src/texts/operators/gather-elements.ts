// What is told about GatherElements.
import type { OperatorWords } from './operator-text.js';

export const gatherElements: OperatorWords = {
  group: 'move',
  aliases: ['np.take_along_axis', 'torch.gather', 'tf.gather batch_dims', 'take_along_axis'],
  en: {
    summary: 'Takes one element for each index, at the same place but along one axis.',
    details: [
      'On axis 1, output[i][j] = data[i][indices[i][j]]. The output has the shape of indices. This is torch.gather; slices are taken by Gather.',
      'indices has as many axes as data, and on the other axes it may not be longer.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: {
      data: 'The tensor to read from.',
      indices: 'Indices along the axis, as int64 or int32, with as many axes as data.',
    },
    outputs: { output: 'A tensor of the type of data, of the shape of indices.' },
    attributes: { axis: 'The axis that the indices count along; negative ones count from the end.' },
  },
  zh: {
    summary: '为每个索引取一个元素：位置不变，只在一个轴上改用该索引。',
    details: [
      '轴为 1 时，output[i][j] = data[i][indices[i][j]]。输出的形状与 indices 相同。这相当于 torch.gather；要取切片，请用 Gather。',
      'indices 的轴数与 data 相同，在其余轴上不能比 data 长。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: { data: '从中读取的张量。', indices: '沿该轴的索引，int64 或 int32，轴数与 data 相同。' },
    outputs: { output: '元素类型与 data 相同、形状与 indices 相同的张量。' },
    attributes: { axis: '索引沿哪个轴计数；负数从末尾数起。' },
  },
};
