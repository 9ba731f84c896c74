// What is told about Cos.
import type { OperatorWords } from './operator-text.js';

export const cos: OperatorWords = {
  group: 'math',
  aliases: ['np.cos', 'torch.cos', 'tf.cos', 'cosine'],
  en: {
    summary: 'Gives the cosine of each element.',
    details: [
      'Elements are angles in radians; multiply degrees by π / 180 first. Infinities give NaN. Results of large angles are as precise as those of small ones. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求余弦。',
    details: [
      '元素是以弧度计的角；角度请先乘以 π / 180。无穷大得到 NaN。角很大时，结果同样精确。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
