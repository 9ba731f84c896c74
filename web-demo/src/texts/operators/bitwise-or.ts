// What is told about BitwiseOr.
import type { OperatorWords } from './operator-text.js';

export const bitwiseOr: OperatorWords = {
  group: 'bits',
  aliases: ['np.bitwise_or', 'torch.bitwise_or', 'tf.bitwise.bitwise_or', '|', 'set bits'],
  en: {
    summary: 'Keeps the bits that are 1 in either of two integers, element by element.',
    details: [
      '12 and 10 are 1100 and 1010 in binary; they give 1110, which is 14. With a mask, this sets chosen bits.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Errors: sizes that differ where neither is 1; inputs of two types (use Cast first); types that are no integers. For bool, use Or.',
    ],
    inputs: { A: 'The first operand.', B: 'The second operand; it has the type of A.' },
    outputs: { C: 'A tensor of the same type, of the broadcast shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素对整数按位或：保留任一为 1 的位。',
    details: [
      '12 和 10 的二进制为 1100 和 1010，得到 1110，即 14。与掩码一起使用时，可以把某些位设为 1。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '以下情况会报错：两个大小不同且都不是 1；两个输入的元素类型不同（请先用 Cast）；不是整数的类型。bool 请用 Or。',
    ],
    inputs: { A: '第一个操作数。', B: '第二个操作数，元素类型与 A 相同。' },
    outputs: { C: '元素类型相同、形状为广播结果的张量。' },
    attributes: {},
  },
};
