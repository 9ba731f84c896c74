// What is told about ReverseSequence.
import type { OperatorWords } from './operator-text.js';

export const reverseSequence: OperatorWords = {
  group: 'move',
  aliases: ['np.flip', 'torch.flip', 'tf.reverse_sequence', 'reverse', 'flip'],
  en: {
    summary: 'Reverses the beginning of each sequence of a batch.',
    details: [
      'sequence_lens says for each sequence how many elements are reversed; those behind stay. A length of 0 or 1 changes nothing.',
      'Errors: fewer than two axes; batch_axis and time_axis that are not 0 and 1 or 1 and 0; a length that is negative or longer than the time axis.',
    ],
    inputs: {
      input: 'A batch of sequences, with two axes or more.',
      sequence_lens: 'How many elements of each sequence are reversed, as int64.',
    },
    outputs: { Y: 'A tensor of the type and shape of input.' },
    attributes: {
      batch_axis: 'The axis that counts sequences: 0 or 1.',
      time_axis: 'The axis along which they run: 1 or 0.',
    },
  },
  zh: {
    summary: '把一批序列中每个序列的开头部分倒过来。',
    details: [
      'sequence_lens 给出每个序列要倒转多少个元素，其后的不变。长度为 0 或 1 时不变。',
      '以下情况会报错：少于两个轴；batch_axis 和 time_axis 不是 0 和 1 或 1 和 0；长度为负数或超过时间轴。',
    ],
    inputs: { input: '一批序列，至少两个轴。', sequence_lens: '每个序列要倒转的元素个数，int64。' },
    outputs: { Y: '元素类型和形状与 input 相同的张量。' },
    attributes: { batch_axis: '按序列计数的轴：0 或 1。', time_axis: '序列延伸的轴：1 或 0。' },
  },
};
