// What is told about Not.
import type { OperatorWords } from './operator-text.js';

export const not: OperatorWords = {
  group: 'logic',
  aliases: ['np.logical_not', 'torch.logical_not', 'tf.logical_not', '~', '!', 'invert'],
  en: {
    summary: 'Turns true into false and false into true, element by element.',
    details: ['Only bool tensors are taken. For other types, compare with 0 by Equal.'],
    inputs: { X: 'A bool tensor of any shape.' },
    outputs: { Y: 'A bool tensor of the same shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素取反：真变为假，假变为真。',
    details: ['只接受 bool 张量。其他类型请用 Equal 与 0 比较。'],
    inputs: { X: '任意形状的 bool 张量。' },
    outputs: { Y: '形状相同的 bool 张量。' },
    attributes: {},
  },
};
