// What is told about ArgMin.
import type { OperatorWords } from './operator-text.js';

export const argMin: OperatorWords = {
  group: 'order',
  aliases: ['np.argmin', 'torch.argmin', 'tf.argmin', 'index of min', 'nearest'],
  en: {
    summary: 'Gives the index of the least element along an axis.',
    details: [
      'If several are the least, the first one counts, or the last one if select_last_index is 1. NaN counts as the least of all. The element itself is what ReduceMin gives.',
      'The axis stays with size 1, unless keepdims is 0. NumPy and PyTorch drop it unless told otherwise, and search the flattened tensor if no axis is given.',
      'Errors: an axis that the input does not have, or one of size 0; a scalar, which has no axis.',
    ],
    inputs: { data: 'The tensor to search.' },
    outputs: { reduced: 'Indices along the axis, as int64; the axis has size 1, or is left out.' },
    attributes: {
      axis: 'The axis to search along; negative ones count from the end.',
      keepdims: '1 keeps the axis with size 1, 0 drops it.',
      select_last_index: 'Which of several that are the least counts: 0 the first, 1 the last.',
    },
  },
  zh: {
    summary: '沿一个轴给出最小元素的索引。',
    details: [
      '有多个最小元素时取第一个；select_last_index 为 1 时取最后一个。NaN 视为最小。需要元素本身时，请用 ReduceMin。',
      '该轴保留为大小 1，除非 keepdims 为 0。NumPy 和 PyTorch 默认会去掉它，并且在不给轴时查找展平后的张量。',
      '以下情况会报错：输入没有这个轴，或者它的大小为 0；标量，因为它没有轴。',
    ],
    inputs: { data: '要查找的张量。' },
    outputs: { reduced: '沿该轴的索引，int64；该轴大小为 1，或者已去掉。' },
    attributes: {
      axis: '沿哪个轴查找；负数从末尾数起。',
      keepdims: '1 表示保留该轴，大小为 1；0 表示去掉。',
      select_last_index: '有多个最小元素时取哪一个：0 取第一个，1 取最后一个。',
    },
  },
};
