// What is told about HardSigmoid.
import type { OperatorWords } from './operator-text.js';

export const hardSigmoid: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.Hardsigmoid', 'tf.keras.activations.hard_sigmoid', 'piecewise linear sigmoid'],
  en: {
    summary: 'Is a straight line in place of Sigmoid: alpha · x + beta, kept between 0 and 1.',
    details: [
      'With the defaults, 0.2 and 0.5, x from -2.5 down gives 0, 0 gives 0.5, and x from 2.5 up gives 1. PyTorch has 1 / 6 in place of 0.2. NaN stays NaN. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      alpha: 'The slope of the line.',
      beta: 'The result for 0.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
  },
  zh: {
    summary: '用直线代替 Sigmoid：alpha · x + beta，并限制在 0 到 1 之间。',
    details: [
      '用默认值 0.2 和 0.5 时，x 不大于 -2.5 得到 0，0 得到 0.5，不小于 2.5 得到 1。PyTorch 用 1 / 6 而不是 0.2。NaN 仍是 NaN。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {
      alpha: '直线的斜率。',
      beta: '0 对应的结果。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
  },
};
