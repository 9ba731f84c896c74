// What is told about Trilu.
import type { OperatorWords } from './operator-text.js';

export const trilu: OperatorWords = {
  group: 'move',
  aliases: ['np.triu', 'np.tril', 'torch.triu', 'torch.tril', 'tf.linalg.band_part', 'triangle', 'causal mask'],
  en: {
    summary: 'Keeps the upper or the lower triangle of each matrix, and makes the rest zero.',
    details: [
      'The last two axes are matrices; those before them count matrices. The diagonal is part of the triangle; k moves it up, or down if it is negative.',
      'Errors: fewer than two axes.',
    ],
    inputs: {
      input: 'Matrices, with two axes or more.',
      k: 'Which diagonal is the border: one int64 number; 0 without it.',
    },
    outputs: { output: 'A tensor of the type and shape of input.' },
    attributes: { upper: '1 keeps the upper triangle, 0 the lower one.' },
  },
  zh: {
    summary: '保留每个矩阵的上三角或下三角，其余置零。',
    details: [
      '最后两个轴是矩阵，前面的轴表示有多少个矩阵。三角形包含对角线；k 把它上移，为负时下移。',
      '少于两个轴会报错。',
    ],
    inputs: { input: '矩阵，至少两个轴。', k: '以哪条对角线为界：一个 int64 数；省略时为 0。' },
    outputs: { output: '元素类型和形状与 input 相同的张量。' },
    attributes: { upper: '1 保留上三角，0 保留下三角。' },
  },
};
