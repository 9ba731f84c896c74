// What is told about Round.
import type { OperatorWords } from './operator-text.js';

export const round: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.round', 'np.rint', 'torch.round', 'tf.round', 'rint', 'round half to even'],
  en: {
    summary: 'Rounds each element to the nearest integer.',
    details: [
      'An element halfway between two integers goes to the even one: 0.5 gives 0, 1.5 and 2.5 give 2, -0.5 gives -0. The result is a floating-point tensor of the same type. Integers, infinities and NaN stay what they are.',
      'There are no decimals, as np.round has. Multiply by 100, round and divide by 100 for two of them.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '把每个元素舍入到最近的整数。',
    details: [
      '正好居中的元素取偶数：0.5 得到 0，1.5 和 2.5 得到 2，-0.5 得到 -0。结果仍是同一种浮点类型。整数值、无穷大和 NaN 保持不变。',
      '没有 np.round 那样的小数位数参数。要保留两位小数，请先乘以 100，舍入后再除以 100。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
