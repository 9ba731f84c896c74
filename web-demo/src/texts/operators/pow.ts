// What is told about Pow.
import type { OperatorWords } from './operator-text.js';

export const pow: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.power', 'torch.pow', 'tf.pow', '**', 'x^y', 'power', 'square', 'cube'],
  en: {
    summary: 'Raises each element of the first tensor to the power that the second one says.',
    details: [
      'The result has the type of the base. Integers wrap around. To a negative integer power, only 1 and -1 give something other than 0. If the exponent is a floating-point number, the power of an integer drops its fraction: 2 to the power of 0.5 gives 1.',
      'Floating-point numbers follow C: anything to the power of 0 is 1, NaN included; so is 1 to any power. A finite negative base gives NaN unless the exponent is an integer.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Errors: sizes that differ where neither is 1; a base of 8- or 16-bit or unsigned integers; before version 12, integers, and inputs of two types (use Cast first).',
    ],
    inputs: { X: 'The base.', Y: 'The exponent. From version 12 on, it may have another type than X.' },
    outputs: { Z: 'A tensor of the type of X, of the broadcast shape.' },
    attributes: {
      axis: 'The axis of X at which Y begins, if broadcast is 1; without it, the last axes of both meet.',
      broadcast: '1 lets Y be stretched to the shape of X; with 0, both must have one shape.',
    },
    versions: {
      7: 'Both inputs broadcast to each other, as in NumPy. Before, Y alone could be stretched, and only if broadcast was 1.',
    },
  },
  zh: {
    summary: '逐个元素求幂：以第一个张量为底数，第二个张量为指数。',
    details: [
      '结果的类型与底数相同。整数溢出时回绕。整数的负整数次幂，除底数为 1 和 -1 外都得到 0。指数为浮点数时，整数的幂舍去小数部分：2 的 0.5 次幂得到 1。',
      '浮点数遵循 C 的规则：任何数的 0 次幂都是 1，包括 NaN；1 的任何次幂也是 1。底数为有限的负数且指数不是整数时得到 NaN。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '以下情况会报错：两个大小不同且都不是 1；底数为 8 位、16 位或无符号整数；版本 12 之前使用整数，或两个输入的元素类型不同（请先用 Cast）。',
    ],
    inputs: { X: '底数。', Y: '指数。从版本 12 起，元素类型可以与 X 不同。' },
    outputs: { Z: '元素类型与 X 相同、形状为广播结果的张量。' },
    attributes: {
      axis: 'broadcast 为 1 时，Y 从 X 的哪个轴开始对齐；省略时两者的最后一个轴对齐。',
      broadcast: '为 1 时 Y 可以扩展到 X 的形状；为 0 时两者形状必须相同。',
    },
    versions: { 7: '两个输入互相广播，与 NumPy 相同。此前只有 Y 可以扩展，而且要求 broadcast 为 1。' },
  },
};
