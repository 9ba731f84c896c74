// What is told about Exp.
import type { OperatorWords } from './operator-text.js';

export const exp: OperatorWords = {
  group: 'math',
  aliases: ['np.exp', 'torch.exp', 'tf.exp', 'e^x', 'exponential'],
  en: {
    summary: 'Raises e, which is about 2.718, to the power of each element.',
    details: [
      '0 gives 1, 1 gives e, -inf gives 0. What is too large for the type becomes infinity: in float32 that begins near 88.7. For powers of another base, use Pow. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素求 e（约 2.718）的幂。',
    details: [
      '0 得到 1，1 得到 e，-inf 得到 0。超出类型范围的结果变为无穷大；float32 约从 88.7 开始。需要其他底数时，请用 Pow。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
