// What is told about Hardmax.
import type { OperatorWords } from './operator-text.js';

export const hardmax: OperatorWords = {
  group: 'activation',
  aliases: ['one-hot argmax', 'tfa.seq2seq.hardmax', 'winner takes all'],
  en: {
    summary: 'Replaces the greatest element of each row by 1, and all others by 0.',
    details: [
      'If several are the greatest, the first one gives 1: [3, 1, 3] gives [1, 0, 0]. NaN counts as greater than everything. For the index of the greatest, use ArgMax.',
      'Errors: an axis that the input does not have; a scalar; an integer type.',
    ],
    inputs: { input: 'A tensor with one axis or more.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {
      axis: 'The axis that rows lie along; negative ones count from the end. Before version 13, the first axis of a row.',
    },
    versions: { 13: 'A row is what lies along axis. Before, all elements from axis on to the last axis were one row.' },
  },
  zh: {
    summary: '把每一行中最大的元素换成 1，其余换成 0。',
    details: [
      '有多个最大值时，第一个得到 1：[3, 1, 3] 得到 [1, 0, 0]。NaN 视为大于一切。需要最大值的索引时，请用 ArgMax。',
      '以下情况会报错：输入没有这个轴；标量；整数类型。',
    ],
    inputs: { input: '至少有一个轴的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { axis: '行沿哪个轴；负数从末尾数起。版本 13 之前是一行的第一个轴。' },
    versions: { 13: '一行是沿 axis 这一个轴的元素。此前从 axis 到最后一个轴的所有元素合成一行。' },
  },
};
