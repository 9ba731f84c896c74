// What is told about Unique.
import type { OperatorWords } from './operator-text.js';

export const unique: OperatorWords = {
  group: 'order',
  aliases: ['np.unique', 'torch.unique', 'tf.unique', 'distinct', 'deduplicate', 'value_counts', 'set'],
  en: {
    summary: 'Gives each element, or each slice along an axis, once.',
    details: [
      'The other outputs say where each one stands first, which of them each element of the input is, and how often each occurs. Without axis, the input is flattened.',
      'Results are in ascending order, or with sorted = 0 in the order of their first occurrence. All NaNs count as one, and 0 and -0 are equal.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: {
      Y: 'The different elements or slices.',
      indices: 'Where each stands first in the input, as int64.',
      inverse_indices: 'For each element or slice of the input, which one of Y it is, as int64.',
      counts: 'How often each occurs, as int64.',
    },
    attributes: {
      axis: 'The axis whose slices are compared; negative ones count from the end. Without it, single elements are.',
      sorted: '1: ascending; 0: in the order of the first occurrence.',
    },
  },
  zh: {
    summary: '每个元素或沿一个轴的每个切片只保留一次。',
    details: [
      '其余输出给出每一个首次出现的位置、输入的每个元素是其中的第几个，以及各出现多少次。不给 axis 时，先展平输入。',
      '结果按升序排列；sorted = 0 时按首次出现的顺序。所有 NaN 视为同一个，0 与 -0 相等。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: {
      Y: '互不相同的元素或切片。',
      indices: '每一个在输入中首次出现的位置，int64。',
      inverse_indices: '输入的每个元素或切片是 Y 中的第几个，int64。',
      counts: '各出现多少次，int64。',
    },
    attributes: {
      axis: '沿哪个轴比较切片；负数从末尾数起。省略时比较单个元素。',
      sorted: '1：升序；0：按首次出现的顺序。',
    },
  },
};
