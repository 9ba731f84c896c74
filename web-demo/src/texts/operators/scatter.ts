// What is told about Scatter.
import type { OperatorWords } from './operator-text.js';

export const scatter: OperatorWords = {
  group: 'move',
  aliases: ['torch.scatter', 'np.put_along_axis', 'deprecated'],
  en: {
    summary: 'The old name of ScatterElements: writes one element for each index into a copy of a tensor.',
    details: [
      'On axis 1, output[i][indices[i][j]] = updates[i][j]; all other elements are those of data. Since opset 11 it is deprecated: use ScatterElements.',
      'If indices repeat, updates are applied in order: without a reduction the last one stays, which ONNX leaves open.',
      'Negative indices count from the end. Errors: an index out of bounds; the message names it and its place.',
    ],
    inputs: {
      data: 'The tensor to begin with; it stays unchanged.',
      indices: 'Indices along the axis, as int64 or int32, with as many axes as data.',
      updates: 'The new elements, of the type of data and the shape of indices.',
    },
    outputs: { output: 'A tensor of the type and shape of data.' },
    attributes: { axis: 'The axis that the indices count along; negative ones count from the end.' },
    versions: { 11: 'ONNX calls it deprecated; Broadloom runs it all the same.' },
  },
  zh: {
    summary: 'ScatterElements 的旧名称：按每个索引把一个元素写入张量的副本。',
    details: [
      '轴为 1 时，output[i][indices[i][j]] = updates[i][j]，其余元素与 data 相同。自 opset 11 起已弃用，请用 ScatterElements。',
      '索引重复时，按顺序应用更新：没有归约时保留最后一个（ONNX 对此没有规定）。',
      '负的索引从末尾数起。索引越界会报错，错误信息会指出该索引和它的位置。',
    ],
    inputs: {
      data: '作为起点的张量；它本身不变。',
      indices: '沿该轴的索引，int64 或 int32，轴数与 data 相同。',
      updates: '新的元素，类型与 data 相同，形状与 indices 相同。',
    },
    outputs: { output: '元素类型和形状与 data 相同的张量。' },
    attributes: { axis: '索引沿哪个轴计数；负数从末尾数起。' },
    versions: { 11: 'ONNX 将它标为弃用；Broadloom 仍可运行。' },
  },
};
