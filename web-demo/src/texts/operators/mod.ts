// What is told about Mod.
import type { OperatorWords } from './operator-text.js';

export const mod: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.mod', 'np.fmod', 'torch.remainder', 'torch.fmod', 'tf.math.mod', '%', 'modulo', 'remainder'],
  en: {
    summary: 'Gives what is left of a division, element by element.',
    details: [
      'Without fmod, the result has the sign of the divisor, as % in Python: -5 and 3 give 1. With fmod = 1 it has the sign of the dividend, as % in C: -5 and 3 give -2.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Floating-point types need fmod = 1; without it, they are an error. The rest of an integer by 0, which ONNX leaves open, is 0.',
      'Errors: sizes that differ where neither is 1; inputs of two types (use Cast first).',
    ],
    inputs: { A: 'The dividend.', B: 'The divisor; it has the type of A.' },
    outputs: { C: 'A tensor of the same type, of the broadcast shape.' },
    attributes: {
      fmod: '1: the sign of the dividend, as in C, and the only way for floating-point types; 0: that of the divisor, as in Python.',
    },
  },
  zh: {
    summary: '逐个元素求除法的余数。',
    details: [
      '不给 fmod 时，结果的符号与除数相同，同 Python 的 %：-5 和 3 得到 1。fmod = 1 时符号与被除数相同，同 C 的 %：-5 和 3 得到 -2。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '浮点类型必须设 fmod = 1，否则报错。整数对 0 取余在 ONNX 中没有规定，这里得到 0。',
      '以下情况会报错：两个大小不同且都不是 1；两个输入的元素类型不同（请先用 Cast）。',
    ],
    inputs: { A: '被除数。', B: '除数，元素类型与 A 相同。' },
    outputs: { C: '元素类型相同、形状为广播结果的张量。' },
    attributes: { fmod: '1：符号与被除数相同，同 C 语言，浮点类型只能用它；0：符号与除数相同，同 Python。' },
  },
};
