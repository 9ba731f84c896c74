// What is told about Tanh.
import type { OperatorWords } from './operator-text.js';

export const tanh: OperatorWords = {
  group: 'activation',
  aliases: ['np.tanh', 'torch.tanh', 'torch.nn.Tanh', 'tf.tanh', 'hyperbolic tangent'],
  en: {
    summary: 'Brings each element between -1 and 1, by the hyperbolic tangent.',
    details: [
      'It is Sinh divided by Cosh: 0 gives 0, 1 gives about 0.762, infinities give 1 and -1. Near 0 it is almost x. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '用双曲正切把每个元素变到 -1 与 1 之间。',
    details: [
      '它是 Sinh 除以 Cosh：0 得到 0，1 得到约 0.762，正负无穷大得到 1 和 -1。在 0 附近几乎等于 x。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
