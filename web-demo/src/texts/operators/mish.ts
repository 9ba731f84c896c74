// What is told about Mish.
import type { OperatorWords } from './operator-text.js';

export const mish: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.Mish', 'torch.nn.functional.mish', 'tf.keras.activations.mish'],
  en: {
    summary: 'Multiplies each element by a smooth step: the Tanh of its Softplus.',
    details: [
      'The result is x · tanh(log(1 + exp(x))): 0 gives 0, 1 gives about 0.865, -1 about -0.303. Far above 0 it is x, far below 0 it is 0. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '把每个元素乘以一个平滑的阶跃：其 Softplus 的 Tanh。',
    details: [
      '结果为 x · tanh(log(1 + exp(x)))：0 得到 0，1 得到约 0.865，-1 得到约 -0.303。远大于 0 时等于 x，远小于 0 时等于 0。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
