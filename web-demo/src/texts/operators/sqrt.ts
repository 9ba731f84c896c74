// What is told about Sqrt.
import type { OperatorWords } from './operator-text.js';

export const sqrt: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.sqrt', 'torch.sqrt', 'tf.sqrt', 'square root'],
  en: {
    summary: 'Gives the square root of each element.',
    details: [
      'A negative element gives NaN, -0 gives -0, infinity gives infinity. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素求平方根。',
    details: [
      '负数得到 NaN，-0 得到 -0，无穷大得到无穷大。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
