// What is told about Reshape.
import type { OperatorWords } from './operator-text.js';

export const reshape: OperatorWords = {
  group: 'shape',
  aliases: ['np.reshape', 'torch.reshape', 'torch.Tensor.view', 'tf.reshape', 'view', 'ravel', 'resize'],
  en: {
    summary: 'Gives the same elements, in the same order, another shape.',
    details: [
      'One size may be -1: it is what the others leave. A 0 takes the size of the input on the same axis, unless allowzero is 1. [2, 3, 4] with [0, -1] becomes [2, 12].',
      'No element moves: the result shares the memory of the input where its layout allows it. To exchange axes, use Transpose.',
      'Errors: a shape with another number of elements; -1 twice; a 0 for an axis that the input does not have; with allowzero, 0 and -1 together.',
    ],
    inputs: { data: 'A tensor of any shape.', shape: 'The wanted shape: an int64 tensor with one axis.' },
    outputs: { reshaped: 'The same elements in the wanted shape.' },
    attributes: {
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
      shape: 'The wanted shape, in version 1.',
      allowzero: '1: a 0 in the shape is a size of 0; 0: it takes the size of the input.',
    },
    versions: { 5: 'The shape is an input, so it may be computed.' },
  },
  zh: {
    summary: '元素及其顺序不变，换一个形状。',
    details: [
      '可以有一个大小为 -1：由其余大小推出。0 表示沿用输入同一个轴的大小，除非 allowzero 为 1。[2, 3, 4] 与 [0, -1] 得到 [2, 12]。',
      '元素不移动：布局允许时，结果与输入共用内存。要交换轴，请用 Transpose。',
      '以下情况会报错：元素个数不一致；出现两个 -1；0 所在的轴输入中不存在；allowzero 时同时有 0 和 -1。',
    ],
    inputs: { data: '任意形状的张量。', shape: '目标形状：只有一个轴的 int64 张量。' },
    outputs: { reshaped: '元素相同、形状为目标形状的张量。' },
    attributes: {
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
      shape: '版本 1 中的目标形状。',
      allowzero: '1：形状中的 0 就是大小 0；0：沿用输入的大小。',
    },
    versions: { 5: '形状改为输入，可以由计算得到。' },
  },
};
