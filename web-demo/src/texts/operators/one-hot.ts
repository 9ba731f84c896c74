// What is told about OneHot.
import type { OperatorWords } from './operator-text.js';

export const oneHot: OperatorWords = {
  group: 'make',
  aliases: ['torch.nn.functional.one_hot', 'tf.one_hot', 'np.eye(n)[i]', 'one_hot', 'to_categorical', 'encode'],
  en: {
    summary: 'Makes a row for each index that has one value at the index and another one everywhere else.',
    details: [
      'indices of shape [2] with depth 3 give [2, 3]. values holds two elements: that of all other places, then that of the index.',
      'Negative indices count from the end. An index out of range is no error: its row has the first value everywhere. Fractions are dropped.',
      'Errors: a negative depth, or more than one; values that are not two.',
    ],
    inputs: {
      indices: 'Indices of any shape, of any type of numbers.',
      depth: 'The length of a row: one number.',
      values: 'Two elements: off, then on.',
    },
    outputs: { output: 'A tensor of the type of values: the shape of indices with an axis of size depth.' },
    attributes: { axis: 'Where the new axis stands in the output; -1 is the last.' },
  },
  zh: {
    summary: '为每个索引生成一行：索引处为一个值，其余各处为另一个值。',
    details: [
      'indices 的形状为 [2]、depth 为 3 时得到 [2, 3]。values 有两个元素：先是其他位置的值，再是索引处的值。',
      '负的索引从末尾数起。索引超出范围不报错，整行都是第一个值。小数部分会被舍去。',
      '以下情况会报错：depth 为负数，或不止一个数；values 不是两个元素。',
    ],
    inputs: {
      indices: '索引，形状不限，任意数值类型。',
      depth: '一行的长度：一个数。',
      values: '两个元素：先是其他位置的值，后是索引处的值。',
    },
    outputs: { output: '元素类型与 values 相同的张量：在 indices 的形状中加入一个大小为 depth 的轴。' },
    attributes: { axis: '新轴在输出中的位置；-1 表示最后。' },
  },
};
