// What is told about Gemm.
import type { OperatorWords } from './operator-text.js';

export const gemm: OperatorWords = {
  group: 'product',
  aliases: [
    'torch.nn.Linear',
    'torch.addmm',
    'tf.keras.layers.Dense',
    'scipy.linalg.blas.sgemm',
    'fully connected',
    'dense layer',
    'linear layer',
  ],
  en: {
    summary: 'Multiplies two matrices and adds a third tensor: a layer of a network in one step.',
    details: [
      'The result is alpha · A · B + beta · C. With transA or transB, the matrix is transposed first: with transB 1, [2, 3] and [4, 3] give [2, 4], as in torch.nn.Linear.',
      'C broadcasts to the shape of the result: [4] is added to each row, [2, 1] to each column. For more than two axes, use MatMul and Add.',
      'Integers wrap around; if alpha or beta is no integer, they are scaled in float64, and fractions are dropped. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an A or B that is no matrix, or sizes that do not fit; a C that does not broadcast to the result; inputs of two types (use Cast first); integers of 8 or 16 bits; before version 9, any integer type.',
    ],
    inputs: {
      A: 'The matrix on the left: [M, K], or [K, M] with transA.',
      B: 'The matrix on the right: [K, N], or [N, K] with transB.',
      C: 'What is added. From version 11 on, it may be left out.',
    },
    outputs: { Y: 'A matrix [M, N] of the same type.' },
    attributes: {
      alpha: 'What the product is multiplied by.',
      beta: 'What C is multiplied by.',
      broadcast: '1 lets C be stretched to the shape of the result; with 0, it must have that shape.',
      transA: '1 transposes A first.',
      transB: '1 transposes B first.',
    },
    versions: { 7: 'C broadcasts to the result, as in NumPy. Before, it did so only if broadcast was 1.' },
  },
  zh: {
    summary: '两个矩阵相乘，再加上第三个张量：一步完成网络的一层。',
    details: [
      '结果为 alpha · A · B + beta · C。设 transA 或 transB 时先转置该矩阵：transB 为 1 时，[2, 3] 和 [4, 3] 得到 [2, 4]，与 torch.nn.Linear 相同。',
      'C 广播到结果的形状：[4] 加到每一行，[2, 1] 加到每一列。多于两个轴时，请用 MatMul 和 Add。',
      '整数溢出时回绕；alpha 或 beta 不是整数时，用 float64 缩放，并舍去小数部分。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：A 或 B 不是矩阵，或者大小不符；C 无法广播到结果的形状；输入的元素类型不同（请先用 Cast）；8 位或 16 位整数；版本 9 之前的任何整数类型。',
    ],
    inputs: {
      A: '左边的矩阵：[M, K]，设 transA 时为 [K, M]。',
      B: '右边的矩阵：[K, N]，设 transB 时为 [N, K]。',
      C: '要加上的张量。从版本 11 起可以省略。',
    },
    outputs: { Y: '元素类型相同的矩阵 [M, N]。' },
    attributes: {
      alpha: '乘积所乘的系数。',
      beta: 'C 所乘的系数。',
      broadcast: '为 1 时 C 可以扩展到结果的形状；为 0 时形状必须相同。',
      transA: '为 1 时先转置 A。',
      transB: '为 1 时先转置 B。',
    },
    versions: { 7: 'C 按 NumPy 的规则广播到结果。此前要求 broadcast 为 1。' },
  },
};
