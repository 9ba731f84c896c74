// What is told about Add.
import type { OperatorWords } from './operator-text.js';

export const add: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.add', 'torch.add', 'tf.add', '+', 'plus', 'sum of two'],
  en: {
    summary: 'Adds two tensors, element by element.',
    details: [
      'The results of integers wrap around, as they do in NumPy.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Errors: sizes that differ where neither is 1; inputs of two types (use Cast first).',
    ],
    inputs: { A: 'The first operand.', B: 'The second operand; it has the type of A.' },
    outputs: { C: 'A tensor of the same type, of the broadcast shape.' },
    attributes: {
      axis: 'The axis of A at which B begins, if broadcast is 1; without it, the last axes of both meet.',
      broadcast: '1 lets B be stretched to the shape of A; with 0, both must have one shape.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
    versions: {
      7: 'Both inputs broadcast to each other, as in NumPy. Before, B alone could be stretched, and only if broadcast was 1.',
    },
  },
  zh: {
    summary: '两个张量逐个元素相加。',
    details: [
      '整数结果溢出时回绕，与 NumPy 相同。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '以下情况会报错：两个大小不同且都不是 1；两个输入的元素类型不同（请先用 Cast）。',
    ],
    inputs: { A: '第一个操作数。', B: '第二个操作数，元素类型与 A 相同。' },
    outputs: { C: '元素类型相同、形状为广播结果的张量。' },
    attributes: {
      axis: 'broadcast 为 1 时，B 从 A 的哪个轴开始对齐；省略时两者的最后一个轴对齐。',
      broadcast: '为 1 时 B 可以扩展到 A 的形状；为 0 时两者形状必须相同。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
    versions: { 7: '两个输入互相广播，与 NumPy 相同。此前只有 B 可以扩展，而且要求 broadcast 为 1。' },
  },
};
