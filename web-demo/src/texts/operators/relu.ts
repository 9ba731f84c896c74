// What is told about Relu.
import type { OperatorWords } from './operator-text.js';

export const relu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.relu', 'torch.nn.ReLU', 'tf.nn.relu', 'np.maximum(x, 0)', 'rectified linear unit', 'rectifier'],
  en: {
    summary: 'Replaces negative elements by 0.',
    details: [
      'All other elements stay as they are, NaN too: -2 gives 0, 3 gives 3. This is the plainest of the activation functions, which stand between the layers of a network.',
      'Errors: an unsigned integer type; before version 14, any integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '把负的元素换成 0。',
    details: [
      '其余元素保持不变，NaN 也是：-2 得到 0，3 得到 3。它是网络各层之间的激活函数中最简单的一种。',
      '以下情况会报错：无符号整数类型；版本 14 之前的任何整数类型。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
