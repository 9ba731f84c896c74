// What is told about Acos.
import type { OperatorWords } from './operator-text.js';

export const acos: OperatorWords = {
  group: 'math',
  aliases: ['np.arccos', 'torch.acos', 'tf.acos', 'arccos', 'inverse cosine'],
  en: {
    summary: 'Gives, for each element, the angle that has it as its cosine.',
    details: [
      'Angles are in radians, from 0 to π: 1 gives 0, 0 gives π / 2, -1 gives π. An element below -1 or above 1 gives NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求反余弦，即余弦等于该元素的角。',
    details: [
      '角以弧度计，范围 0 到 π：1 得到 0，0 得到 π / 2，-1 得到 π。小于 -1 或大于 1 的元素得到 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
