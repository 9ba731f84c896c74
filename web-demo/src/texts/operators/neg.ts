// What is told about Neg.
import type { OperatorWords } from './operator-text.js';

export const neg: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.negative', 'torch.neg', 'tf.negative', 'minus', 'negate'],
  en: {
    summary: 'Gives each element with the other sign.',
    details: [
      'The least value of a signed integer type stays what it is: -128 as int8 gives -128. 0 becomes -0 in floating-point types; the sign of a NaN does not matter.',
      'Errors: an unsigned integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素取相反数。',
    details: [
      '有符号整数的最小值保持不变：int8 的 -128 仍得到 -128。浮点类型的 0 变成 -0；NaN 的符号没有意义。',
      '无符号整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
