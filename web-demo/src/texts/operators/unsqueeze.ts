// What is told about Unsqueeze.
import type { OperatorWords } from './operator-text.js';

export const unsqueeze: OperatorWords = {
  group: 'shape',
  aliases: ['np.expand_dims', 'np.newaxis', 'torch.unsqueeze', 'tf.expand_dims', 'add axis', 'x[None]'],
  en: {
    summary: 'Inserts axes of size 1.',
    details: [
      'The axes are places in the result, not in the input: [3, 4] with axes [0, 3] becomes [1, 3, 4, 1]. Their order does not matter.',
      'Errors: a place beyond the axes of the result; one that is named twice.',
    ],
    inputs: {
      data: 'A tensor of any shape.',
      axes: 'Where the new axes stand in the result, as int64; negative ones count from its end.',
    },
    outputs: { expanded: 'The same elements with more axes; they share memory.' },
    attributes: { axes: 'Where the new axes stand in the result.' },
    versions: { 13: 'axes is an input, so it may be computed.' },
  },
  zh: {
    summary: '插入大小为 1 的轴。',
    details: [
      '轴指的是结果中的位置，而不是输入中的：[3, 4] 与 axes 为 [0, 3] 得到 [1, 3, 4, 1]。顺序无关紧要。',
      '以下情况会报错：位置超出结果的轴数；同一个位置写了两次。',
    ],
    inputs: { data: '任意形状的张量。', axes: '新轴在结果中的位置，int64；负数从结果的末尾数起。' },
    outputs: { expanded: '元素相同、轴变多的张量；与输入共用内存。' },
    attributes: { axes: '新轴在结果中的位置。' },
    versions: { 13: 'axes 改为输入，可以由计算得到。' },
  },
};
