// What is told about Compress.
import type { OperatorWords } from './operator-text.js';

export const compress: OperatorWords = {
  group: 'move',
  aliases: ['np.compress', 'torch.masked_select', 'tf.boolean_mask', 'boolean mask', 'filter'],
  en: {
    summary: 'Keeps the slices along an axis for which a list says true.',
    details: [
      'Without axis, the input is flattened first, and single elements are kept.',
      'The condition may be shorter than the axis; what it does not reach is dropped.',
      'Errors: a true beyond the end of the axis; a condition without exactly one axis.',
    ],
    inputs: { input: 'The tensor to take from.', condition: 'Which slices stay: a bool tensor with one axis.' },
    outputs: { output: 'The kept slices; with one axis if axis was not given.' },
    attributes: {
      axis: 'The axis along which slices are kept; negative ones count from the end. Without it, the input is flattened.',
    },
  },
  zh: {
    summary: '沿一个轴保留列表中标为真的切片。',
    details: [
      '不给 axis 时，先把输入展平，再保留单个元素。',
      '条件可以比轴短，没有覆盖到的部分会被去掉。',
      '以下情况会报错：轴的末尾之后还有真值；条件不是恰好一个轴。',
    ],
    inputs: { input: '从中选取的张量。', condition: '保留哪些切片：只有一个轴的 bool 张量。' },
    outputs: { output: '保留下来的切片；没有给 axis 时只有一个轴。' },
    attributes: { axis: '沿哪个轴选取；负数从末尾数起。省略时先展平输入。' },
  },
};
