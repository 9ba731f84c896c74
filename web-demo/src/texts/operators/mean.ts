// What is told about Mean.
import type { OperatorWords } from './operator-text.js';

export const mean: OperatorWords = {
  group: 'arithmetic',
  aliases: ['average', 'tf.reduce_mean', 'mean of several'],
  en: {
    summary: 'Gives the mean of several tensors, element by element.',
    details: [
      'The sum of all inputs at a place is divided by their number. This is no mean along an axis of one tensor. Only floating-point types are taken.',
      'There may be any number of inputs, at least one. Their shapes broadcast as in NumPy, all together. A single input comes out as it is.',
    ],
    inputs: { data_0: 'The tensors, any number of them, of one type.' },
    outputs: { mean: 'A tensor of the same type, of the broadcast shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
    versions: { 8: 'The inputs broadcast to each other; before, they all had to have one shape.' },
  },
  zh: {
    summary: '若干张量逐个元素求平均值。',
    details: [
      '把每个位置上所有输入之和除以输入的个数，并不是沿一个张量的轴求平均。只接受浮点类型。',
      '输入数量不限，至少一个。所有形状一起按 NumPy 的规则广播。只有一个输入时原样输出。',
    ],
    inputs: { data_0: '各个张量，数量不限，元素类型相同。' },
    outputs: { mean: '元素类型相同、形状为广播结果的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
    versions: { 8: '各输入互相广播；此前形状必须全部相同。' },
  },
};
