// What is told about MatMul.
import type { OperatorWords } from './operator-text.js';

export const matMul: OperatorWords = {
  group: 'product',
  aliases: [
    'np.matmul',
    'np.dot',
    'torch.matmul',
    'torch.bmm',
    'tf.matmul',
    '@',
    'matrix product',
    'dot product',
    'batch matmul',
  ],
  en: {
    summary: 'Multiplies two matrices, or stacks of matrices.',
    details: [
      'The last two axes are the matrices: [2, 3] by [3, 4] gives [2, 4]. Each result is the sum of products of a row of A and a column of B. All axes before broadcast as in NumPy: [5, 1, 2, 3] by [4, 3, 6] gives [5, 4, 2, 6].',
      'A tensor with one axis is a row if it is A, a column if it is B, and that axis is not in the result: two vectors give a scalar, their dot product.',
      'Integers wrap around. float16 and bfloat16 are accumulated in float32 and rounded once.',
      'Errors: rows of A and columns of B of different lengths; a scalar; inputs of two types (use Cast first); integers of 8 or 16 bits; before version 9, any integer type.',
    ],
    inputs: { A: 'The matrices on the left.', B: 'The matrices on the right; it has the type of A.' },
    outputs: { Y: 'The products: a tensor of the same type.' },
    attributes: {},
  },
  zh: {
    summary: '两个矩阵相乘，也可以是成批的矩阵。',
    details: [
      '最后两个轴是矩阵：[2, 3] 乘 [3, 4] 得到 [2, 4]。每个结果是 A 的一行与 B 的一列的乘积之和。前面的轴按 NumPy 的规则广播：[5, 1, 2, 3] 乘 [4, 3, 6] 得到 [5, 4, 2, 6]。',
      '只有一个轴的张量作为 A 时是一行，作为 B 时是一列，这个轴不出现在结果中：两个向量得到标量，即它们的点积。',
      '整数溢出时回绕。float16 和 bfloat16 用 float32 累积，最后舍入一次。',
      '以下情况会报错：A 的行与 B 的列长度不同；标量；两个输入的元素类型不同（请先用 Cast）；8 位或 16 位整数；版本 9 之前的任何整数类型。',
    ],
    inputs: { A: '左边的矩阵。', B: '右边的矩阵，元素类型与 A 相同。' },
    outputs: { Y: '乘积：元素类型相同的张量。' },
    attributes: {},
  },
};
