// What is told about Flatten.
import type { OperatorWords } from './operator-text.js';

export const flatten: OperatorWords = {
  group: 'shape',
  aliases: ['np.reshape', 'np.ravel', 'torch.flatten', 'tf.keras.layers.Flatten', 'matrix', 'ravel'],
  en: {
    summary: 'Makes a matrix of a tensor: the axes before axis become the rows, the others the columns.',
    details: [
      '[2, 3, 4] with axis 1 becomes [2, 12], with axis 0 [1, 24], with axis 3 [24, 1]. The result always has two axes, also for a scalar: [1, 1]. For a single axis, use Reshape with [-1].',
      'No element moves: the result shares the memory of the input where its layout allows it.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type with two axes.' },
    attributes: {
      axis: 'The first axis that becomes columns, 0 to the number of axes. Negative ones count from the end.',
    },
  },
  zh: {
    summary: '把张量变成矩阵：axis 之前的轴合成行，其余的轴合成列。',
    details: [
      '[2, 3, 4] 在 axis 为 1 时变成 [2, 12]，为 0 时变成 [1, 24]，为 3 时变成 [24, 1]。结果总是两个轴，标量也得到 [1, 1]。只要一个轴时，请用 Reshape 和 [-1]。',
      '元素不移动：布局允许时，结果与输入共用内存。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型相同、有两个轴的张量。' },
    attributes: { axis: '从哪个轴起归入列，取值 0 到轴数。负数从末尾数起。' },
  },
};
