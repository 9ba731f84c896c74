// What is told about Tan.
import type { OperatorWords } from './operator-text.js';

export const tan: OperatorWords = {
  group: 'math',
  aliases: ['np.tan', 'torch.tan', 'tf.tan', 'tangent'],
  en: {
    summary: 'Gives the tangent of each element.',
    details: [
      'Elements are angles in radians; multiply degrees by π / 180 first. Infinities give NaN. Near odd multiples of π / 2, results are very large; they are not infinite, since no floating-point number is such a multiple. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求正切。',
    details: [
      '元素是以弧度计的角；角度请先乘以 π / 180。无穷大得到 NaN。在 π / 2 的奇数倍附近，结果非常大，但不是无穷大，因为没有浮点数正好等于这样的倍数。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
