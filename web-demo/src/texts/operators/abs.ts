// What is told about Abs.
import type { OperatorWords } from './operator-text.js';

export const abs: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.abs', 'np.absolute', 'torch.abs', 'tf.abs', 'fabs', 'magnitude'],
  en: {
    summary: 'Gives the absolute value of each element.',
    details: [
      'The least value of a signed integer type has no positive counterpart and stays what it is: -128 as int8 gives -128. Unsigned integers stay as they are. NaN stays NaN, and -0 becomes 0.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素取绝对值。',
    details: [
      '有符号整数的最小值没有对应的正数，因此保持不变：int8 的 -128 仍得到 -128。无符号整数不变。NaN 仍是 NaN，-0 变成 0。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
