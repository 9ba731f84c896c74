// What is told about Gelu.
import type { OperatorWords } from './operator-text.js';

export const gelu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.GELU', 'torch.nn.functional.gelu', 'tf.nn.gelu', 'gaussian error linear unit'],
  en: {
    summary: 'Multiplies each element by the probability that a normally distributed number is below it.',
    details: [
      'The result is x / 2 · (1 + erf(x / sqrt(2))): 0 gives 0, 1 gives about 0.841, -1 about -0.159. Far above 0 it is x, far below 0 it is 0. Transformers use it.',
      'The approximation by tanh is x / 2 · (1 + tanh(sqrt(2 / π) · (x + 0.044715 · x³))). The two differ by less than 0.001. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { approximate: 'none: by the error function; tanh: by the approximation.' },
  },
  zh: {
    summary: '把每个元素乘以标准正态分布的随机数小于它的概率。',
    details: [
      '结果为 x / 2 · (1 + erf(x / sqrt(2)))：0 得到 0，1 得到约 0.841，-1 得到约 -0.159。远大于 0 时等于 x，远小于 0 时等于 0。Transformer 模型常用它。',
      'tanh 近似为 x / 2 · (1 + tanh(sqrt(2 / π) · (x + 0.044715 · x³)))。两者相差不到 0.001。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { approximate: 'none：用误差函数；tanh：用近似公式。' },
  },
};
