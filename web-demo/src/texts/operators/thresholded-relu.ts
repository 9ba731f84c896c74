// What is told about ThresholdedRelu.
import type { OperatorWords } from './operator-text.js';

export const thresholdedRelu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.Threshold', 'tf.keras.layers.ThresholdedReLU', 'threshold'],
  en: {
    summary: 'Keeps elements above a threshold, and replaces all others by 0.',
    details: ['With alpha 1, 1.5 stays 1.5, while 1 and 0.5 give 0. NaN gives 0, too.', 'Errors: an integer type.'],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { alpha: 'The threshold.' },
  },
  zh: {
    summary: '保留大于阈值的元素，其余换成 0。',
    details: ['alpha 为 1 时，1.5 不变，1 和 0.5 得到 0。NaN 也得到 0。', '整数类型会报错。'],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { alpha: '阈值。' },
  },
};
