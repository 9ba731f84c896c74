// What is told about Det.
import type { OperatorWords } from './operator-text.js';

export const det: OperatorWords = {
  group: 'product',
  aliases: ['np.linalg.det', 'torch.linalg.det', 'tf.linalg.det', 'determinant'],
  en: {
    summary: 'Gives the determinant of each square matrix.',
    details: [
      'The last two axes are the matrices: [5, 3, 3] gives [5], and a single matrix gives a scalar. [[1, 2], [3, 4]] gives -2. It is 0 where a matrix has no inverse, up to rounding; without rows, it is 1.',
      'All types are computed in float64 and rounded once.',
      'Errors: fewer than two axes; matrices that are not square; an integer type.',
    ],
    inputs: { X: 'Square matrices: shape [..., M, M].' },
    outputs: { Y: 'A tensor of the same type, without the last two axes.' },
    attributes: {},
  },
  zh: {
    summary: '求每个方阵的行列式。',
    details: [
      '最后两个轴是矩阵：[5, 3, 3] 得到 [5]，单个矩阵得到标量。[[1, 2], [3, 4]] 得到 -2。不可逆的矩阵得到 0，但可能有舍入误差；没有行时为 1。',
      '所有类型都用 float64 计算，最后舍入一次。',
      '以下情况会报错：少于两个轴；矩阵不是方阵；整数类型。',
    ],
    inputs: { X: '方阵：形状 [..., M, M]。' },
    outputs: { Y: '元素类型相同的张量，去掉最后两个轴。' },
    attributes: {},
  },
};
