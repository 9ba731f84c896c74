// What is told about Min.
import type { OperatorWords } from './operator-text.js';

export const min: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.minimum', 'torch.minimum', 'tf.minimum', 'smallest', 'elementwise min'],
  en: {
    summary: 'Gives the least of several tensors, element by element.',
    details: [
      'If one of the elements is NaN, the result is NaN. -0 counts as less than 0. To look along an axis of one tensor, use ReduceMin.',
      'There may be any number of inputs, at least one. Their shapes broadcast as in NumPy, all together. A single input comes out as it is.',
    ],
    inputs: { data_0: 'The tensors, any number of them, of one type.' },
    outputs: { min: 'A tensor of the same type, of the broadcast shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
    versions: { 8: 'The inputs broadcast to each other; before, they all had to have one shape.' },
  },
  zh: {
    summary: '在若干张量中逐个元素取最小值。',
    details: [
      '只要有一个元素是 NaN，结果就是 NaN。-0 视为小于 0。要沿一个张量的轴求值，请用 ReduceMin。',
      '输入数量不限，至少一个。所有形状一起按 NumPy 的规则广播。只有一个输入时原样输出。',
    ],
    inputs: { data_0: '各个张量，数量不限，元素类型相同。' },
    outputs: { min: '元素类型相同、形状为广播结果的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
    versions: { 8: '各输入互相广播；此前形状必须全部相同。' },
  },
};
