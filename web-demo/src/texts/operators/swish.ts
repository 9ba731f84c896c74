// What is told about Swish.
import type { OperatorWords } from './operator-text.js';

export const swish: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.SiLU', 'torch.nn.functional.silu', 'tf.nn.silu', 'tf.nn.swish', 'silu', 'x * sigmoid(x)'],
  en: {
    summary: 'Multiplies each element by its Sigmoid.',
    details: [
      'The result is x / (1 + exp(-alpha · x)): 0 gives 0, 1 gives about 0.731 with alpha 1. Far above 0 it is x, far below 0 it is 0. With alpha 1 it is also called SiLU. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      alpha: 'What elements are multiplied by before Sigmoid; the larger it is, the more this is like Relu.',
    },
  },
  zh: {
    summary: '把每个元素乘以它的 Sigmoid。',
    details: [
      '结果为 x / (1 + exp(-alpha · x))：0 得到 0；alpha 为 1 时，1 得到约 0.731。远大于 0 时等于 x，远小于 0 时等于 0。alpha 为 1 时也叫 SiLU。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { alpha: '求 Sigmoid 之前元素所乘的系数；越大越接近 Relu。' },
  },
};
