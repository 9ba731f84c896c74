// What is told about Atan.
import type { OperatorWords } from './operator-text.js';

export const atan: OperatorWords = {
  group: 'math',
  aliases: ['np.arctan', 'torch.atan', 'tf.atan', 'arctan', 'inverse tangent'],
  en: {
    summary: 'Gives, for each element, the angle that has it as its tangent.',
    details: [
      'Angles are in radians, between -π / 2 and π / 2: 0 gives 0, 1 gives π / 4, infinity gives π / 2. ONNX has no operator of two arguments like np.arctan2, which tells all four quadrants apart. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {},
  },
  zh: {
    summary: '逐个元素求反正切，即正切等于该元素的角。',
    details: [
      '角以弧度计，范围 -π / 2 到 π / 2：0 得到 0，1 得到 π / 4，无穷大得到 π / 2。ONNX 没有像 np.arctan2 那样能区分四个象限的双参数算子。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {},
  },
};
