// What is told about GreaterOrEqual.
import type { OperatorWords } from './operator-text.js';

export const greaterOrEqual: OperatorWords = {
  group: 'logic',
  aliases: ['np.greater_equal', 'torch.ge', 'tf.greater_equal', '>=', 'at least'],
  en: {
    summary: 'Says, element by element, whether the first tensor is greater than or equal to the second.',
    details: [
      'A comparison with NaN is false. 0 and -0 are equal.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Errors: sizes that differ where neither is 1; inputs of two types (use Cast first).',
    ],
    inputs: { A: 'The first operand.', B: 'The second operand; it has the type of A.' },
    outputs: { C: 'A bool tensor of the broadcast shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素判断第一个张量是否大于或等于第二个。',
    details: [
      '与 NaN 的比较总是假。0 与 -0 相等。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '以下情况会报错：两个大小不同且都不是 1；两个输入的元素类型不同（请先用 Cast）。',
    ],
    inputs: { A: '第一个操作数。', B: '第二个操作数，元素类型与 A 相同。' },
    outputs: { C: '形状为广播结果的 bool 张量。' },
    attributes: {},
  },
};
