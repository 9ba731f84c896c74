// What is told about EyeLike.
import type { OperatorWords } from './operator-text.js';

export const eyeLike: OperatorWords = {
  group: 'make',
  aliases: ['np.eye', 'torch.eye', 'tf.eye', 'identity matrix', 'diagonal', 'diag'],
  en: {
    summary: 'Makes a matrix of zeros with ones on a diagonal, as large as its input.',
    details: [
      'k moves the diagonal: 1 is the one above the main diagonal, -1 the one below. A diagonal outside of the matrix leaves zeros alone.',
      'Errors: an input without exactly two axes. Its elements are never read.',
    ],
    inputs: { input: 'A tensor with two axes, for its shape and type.' },
    outputs: { output: 'A matrix of the same shape, of the type that dtype names, or of that of the input.' },
    attributes: {
      dtype: 'The element type of the output: a number of TensorProto.DataType. Without it, that of the input.',
      k: 'Which diagonal: 0 the main one, positive ones above it, negative ones below.',
    },
  },
  zh: {
    summary: '生成与输入一样大的矩阵：一条对角线为 1，其余为 0。',
    details: [
      'k 用来移动对角线：1 是主对角线上方的一条，-1 是下方的一条。对角线落在矩阵之外时，结果全为 0。',
      '输入不是恰好两个轴会报错。输入的元素从不读取。',
    ],
    inputs: { input: '两个轴的张量，只用它的形状和元素类型。' },
    outputs: { output: '形状相同的矩阵，元素类型由 dtype 指定，省略时与输入相同。' },
    attributes: {
      dtype: '输出的元素类型：TensorProto.DataType 中的编号。省略时与输入相同。',
      k: '哪条对角线：0 为主对角线，正数在其上方，负数在其下方。',
    },
  },
};
