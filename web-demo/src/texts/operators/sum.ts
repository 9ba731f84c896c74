// What is told about Sum.
import type { OperatorWords } from './operator-text.js';

export const sum: OperatorWords = {
  group: 'arithmetic',
  aliases: ['tf.add_n', 'add several', 'total'],
  en: {
    summary: 'Adds several tensors, element by element.',
    details: [
      'The elements of different tensors are added, in the order of the inputs. To add up the elements of one tensor, use ReduceSum. Only floating-point types are taken.',
      'There may be any number of inputs, at least one. Their shapes broadcast as in NumPy, all together. A single input comes out as it is.',
    ],
    inputs: { data_0: 'The tensors, any number of them, of one type.' },
    outputs: { sum: 'A tensor of the same type, of the broadcast shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
    versions: { 8: 'The inputs broadcast to each other; before, they all had to have one shape.' },
  },
  zh: {
    summary: '若干张量逐个元素相加。',
    details: [
      '相加的是不同张量的元素，按输入的顺序进行。要对一个张量的元素求和，请用 ReduceSum。只接受浮点类型。',
      '输入数量不限，至少一个。所有形状一起按 NumPy 的规则广播。只有一个输入时原样输出。',
    ],
    inputs: { data_0: '各个张量，数量不限，元素类型相同。' },
    outputs: { sum: '元素类型相同、形状为广播结果的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
    versions: { 8: '各输入互相广播；此前形状必须全部相同。' },
  },
};
