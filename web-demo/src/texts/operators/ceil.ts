// What is told about Ceil.
import type { OperatorWords } from './operator-text.js';

export const ceil: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.ceil', 'torch.ceil', 'tf.math.ceil', 'round up', 'ceiling'],
  en: {
    summary: 'Rounds each element up to the next integer.',
    details: [
      'The result is a floating-point tensor of the same type: 1.2 gives 2, -0.5 gives -0. Integers, infinities and NaN stay what they are.',
      'Errors: an integer type. For a quotient of sizes, use Div of integers and Add.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '把每个元素向上取整。',
    details: [
      '结果仍是同一种浮点类型：1.2 得到 2，-0.5 得到 -0。整数值、无穷大和 NaN 保持不变。',
      '整数类型会报错。需要对大小做除法时，请用整数的 Div 和 Add。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
