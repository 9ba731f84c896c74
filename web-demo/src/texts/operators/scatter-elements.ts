// What is told about ScatterElements.
import type { OperatorWords } from './operator-text.js';

export const scatterElements: OperatorWords = {
  group: 'move',
  aliases: [
    'torch.scatter',
    'torch.scatter_reduce',
    'torch.scatter_add',
    'np.put_along_axis',
    'tf.tensor_scatter_nd_update',
    'put',
  ],
  en: {
    summary: 'Writes one element for each index into a copy of a tensor, along one axis.',
    details: [
      'On axis 1, output[i][indices[i][j]] = updates[i][j]; all other elements are those of data. With a reduction, the update is combined with what is there.',
      'If indices repeat, updates are applied in order: without a reduction the last one stays, which ONNX leaves open.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: {
      data: 'The tensor to begin with; it stays unchanged.',
      indices: 'Indices along the axis, as int64 or int32, with as many axes as data.',
      updates: 'The new elements, of the type of data and the shape of indices.',
    },
    outputs: { output: 'A tensor of the type and shape of data.' },
    attributes: {
      axis: 'The axis that the indices count along; negative ones count from the end.',
      reduction: 'What becomes of the old element: none replaces it, add, mul, max and min combine it with the update.',
    },
  },
  zh: {
    summary: '沿一个轴，按每个索引把一个元素写入张量的副本。',
    details: [
      '轴为 1 时，output[i][indices[i][j]] = updates[i][j]，其余元素与 data 相同。给出归约方式时，更新值与已有的值合并。',
      '索引重复时，按顺序应用更新：没有归约时保留最后一个（ONNX 对此没有规定）。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: {
      data: '作为起点的张量；它本身不变。',
      indices: '沿该轴的索引，int64 或 int32，轴数与 data 相同。',
      updates: '新的元素，类型与 data 相同，形状与 indices 相同。',
    },
    outputs: { output: '元素类型和形状与 data 相同的张量。' },
    attributes: {
      axis: '索引沿哪个轴计数；负数从末尾数起。',
      reduction: '如何处理原来的元素：none 表示替换，add、mul、max、min 表示与更新值合并。',
    },
  },
};
