// What is told about Floor.
import type { OperatorWords } from './operator-text.js';

export const floor: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.floor', 'torch.floor', 'tf.math.floor', 'round down'],
  en: {
    summary: 'Rounds each element down to the next integer.',
    details: [
      'The result is a floating-point tensor of the same type: 1.8 gives 1, -1.5 gives -2. Integers, infinities and NaN stay what they are.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '把每个元素向下取整。',
    details: ['结果仍是同一种浮点类型：1.8 得到 1，-1.5 得到 -2。整数值、无穷大和 NaN 保持不变。', '整数类型会报错。'],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
