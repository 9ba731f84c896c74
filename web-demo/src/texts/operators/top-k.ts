// What is told about TopK.
import type { OperatorWords } from './operator-text.js';

export const topK: OperatorWords = {
  group: 'order',
  aliases: [
    'torch.topk',
    'np.argsort',
    'np.partition',
    'np.sort',
    'tf.math.top_k',
    'sort',
    'argsort',
    'best',
    'k largest',
  ],
  en: {
    summary: 'Gives the k greatest or least elements along an axis, and where they are.',
    details: [
      'Results are sorted, the best first; of equal elements, the one with the lower index comes first. ONNX allows any order if sorted is 0; here it is the same.',
      'NaN counts as greater than infinity. With k equal to the size of the axis, this sorts.',
      'Errors: a k that is negative or larger than the axis; a scalar, which has no axis.',
    ],
    inputs: { X: 'The tensor to search.', K: 'How many elements are wanted: one int64 number.' },
    outputs: { Values: 'The elements; the axis has size k.', Indices: 'Their indices along the axis, as int64.' },
    attributes: {
      axis: 'The axis to search along; negative ones count from the end.',
      k: 'How many elements are wanted, in version 1.',
      largest: '1 gives the greatest elements, 0 the least.',
      sorted: '1 asks for sorted results; they are sorted with 0 as well.',
    },
    versions: { 10: 'k is an input, so it may be computed.' },
  },
  zh: {
    summary: '沿一个轴给出最大或最小的 k 个元素，以及它们的位置。',
    details: [
      '结果已排序，最优的在前；元素相等时，索引小的在前。sorted 为 0 时 ONNX 允许任意顺序，这里结果相同。',
      'NaN 视为大于无穷大。k 等于该轴的大小时，就是排序。',
      '以下情况会报错：k 为负数或大于该轴的大小；标量，因为它没有轴。',
    ],
    inputs: { X: '要查找的张量。', K: '要多少个元素：一个 int64 数。' },
    outputs: { Values: '找到的元素；该轴的大小为 k。', Indices: '它们沿该轴的索引，int64。' },
    attributes: {
      axis: '沿哪个轴查找；负数从末尾数起。',
      k: '版本 1 中要多少个元素。',
      largest: '1 表示取最大的元素，0 表示取最小的。',
      sorted: '1 表示要求结果有序；为 0 时结果同样有序。',
    },
    versions: { 10: 'k 改为输入，可以由计算得到。' },
  },
};
