// What is told about HardSwish.
import type { OperatorWords } from './operator-text.js';

export const hardSwish: OperatorWords = {
  group: 'activation',
  aliases: [
    'torch.nn.Hardswish',
    'torch.nn.functional.hardswish',
    'tf.keras.activations.hard_swish',
    'h-swish',
    'mobilenet',
  ],
  en: {
    summary: 'Is a cheap stand-in for Swish: x times x / 6 + 0.5, the latter kept between 0 and 1.',
    details: [
      'From -3 down it gives 0, from 3 up it gives x; 1 gives about 0.667. It takes no exponential. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: 'Swish 的低成本替代：x 乘以 x / 6 + 0.5，后者限制在 0 到 1 之间。',
    details: [
      'x 不大于 -3 时得到 0，不小于 3 时得到 x；1 得到约 0.667。它不需要计算指数。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
