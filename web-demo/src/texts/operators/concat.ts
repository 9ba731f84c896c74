// What is told about Concat.
import type { OperatorWords } from './operator-text.js';

export const concat: OperatorWords = {
  group: 'move',
  aliases: ['np.concatenate', 'torch.cat', 'tf.concat', 'concatenate', 'cat', 'hstack', 'vstack', 'join', 'append'],
  en: {
    summary: 'Joins several tensors, one behind the other, along an axis that they have.',
    details: [
      'All other sizes must be equal: [2, 3] and [4, 3] on axis 0 give [6, 3]. There is no broadcasting. For a new axis (np.stack), use Unsqueeze on each first.',
      'Errors: inputs of different types or numbers of axes; scalars, which have no axis.',
    ],
    inputs: { inputs: 'The tensors to join, any number of them, in this order.' },
    outputs: { concat_result: 'A tensor of the same type; its size on the axis is the sum of all.' },
    attributes: { axis: 'The axis to join on. Negative ones count from the end.' },
    versions: { 1: 'axis may be left out and is 1 then.' },
  },
  zh: {
    summary: '把若干张量沿一个已有的轴首尾相接。',
    details: [
      '其余各轴的大小必须相等：[2, 3] 和 [4, 3] 在轴 0 上得到 [6, 3]。这里没有广播。要沿新轴堆叠（np.stack），请先对每个张量用 Unsqueeze。',
      '以下情况会报错：元素类型或轴数不同；标量，因为它没有轴。',
    ],
    inputs: { inputs: '要连接的张量，数量不限，按此顺序。' },
    outputs: { concat_result: '元素类型相同的张量，该轴的大小为各输入之和。' },
    attributes: { axis: '在哪个轴上连接。负数从末尾数起。' },
    versions: { 1: '可以不给 axis，这时为 1。' },
  },
};
