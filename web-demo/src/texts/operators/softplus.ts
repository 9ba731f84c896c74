// What is told about Softplus.
import type { OperatorWords } from './operator-text.js';

export const softplus: OperatorWords = {
  group: 'activation',
  aliases: [
    'torch.nn.Softplus',
    'torch.nn.functional.softplus',
    'tf.math.softplus',
    'np.logaddexp(0, x)',
    'smooth relu',
  ],
  en: {
    summary: 'Is a smooth Relu: the logarithm of 1 + exp(x).',
    details: [
      '0 gives about 0.693. Far above 0 it is x, far below 0 it is 0, and it is never negative. Large elements do not overflow. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '平滑的 Relu：log(1 + exp(x))。',
    details: [
      '0 得到约 0.693。远大于 0 时等于 x，远小于 0 时等于 0，结果从不为负。大的元素不会溢出。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
