// What is told about Log.
import type { OperatorWords } from './operator-text.js';

export const log: OperatorWords = {
  group: 'math',
  aliases: ['np.log', 'torch.log', 'tf.math.log', 'ln', 'log2', 'log10', 'natural logarithm'],
  en: {
    summary: 'Gives the natural logarithm of each element.',
    details: [
      'It is the power of e, about 2.718, that gives the element: 1 gives 0, 0 and -0 give -inf, infinity gives infinity. A negative element gives NaN. For the logarithm to base 2 or 10, divide by the Log of that number. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素求自然对数。',
    details: [
      '它是得到该元素所需的 e（约 2.718）的指数：1 得到 0，0 和 -0 得到 -inf，无穷大得到无穷大。负数得到 NaN。需要以 2 或 10 为底时，再除以该底数的 Log。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
