// What is told about Softsign.
import type { OperatorWords } from './operator-text.js';

export const softsign: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.Softsign', 'torch.nn.functional.softsign', 'tf.nn.softsign', 'x/(1+|x|)'],
  en: {
    summary: 'Brings each element between -1 and 1: x divided by 1 + |x|.',
    details: [
      '0 gives 0, 1 gives 0.5, -3 gives -0.75. It nears 1 more slowly than Tanh. Infinities give NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '把每个元素变到 -1 与 1 之间：x 除以 1 + |x|。',
    details: [
      '0 得到 0，1 得到 0.5，-3 得到 -0.75。它趋近 1 的速度比 Tanh 慢。无穷大得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
