// What is told about Elu.
import type { OperatorWords } from './operator-text.js';

export const elu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.ELU', 'torch.nn.functional.elu', 'tf.nn.elu', 'exponential linear unit'],
  en: {
    summary: 'Bends negative elements smoothly towards -alpha, and leaves all others.',
    details: [
      'A negative x gives alpha · (exp(x) - 1): with alpha 1, -1 gives about -0.632, and -inf gives -1. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      alpha: 'How far below 0 results go.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
  },
  zh: {
    summary: '让负的元素平滑地趋近 -alpha，其余不变。',
    details: [
      '负数 x 得到 alpha · (exp(x) - 1)：alpha 为 1 时，-1 得到约 -0.632，-inf 得到 -1。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { alpha: '结果最低到 -alpha。', consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
