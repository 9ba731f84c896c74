// What is told about Selu.
import type { OperatorWords } from './operator-text.js';

export const selu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.SELU', 'torch.nn.functional.selu', 'tf.nn.selu', 'scaled exponential linear unit'],
  en: {
    summary: 'Is Elu with chosen constants, which keep mean and variance steady from layer to layer.',
    details: [
      'A negative x gives gamma · alpha · (exp(x) - 1), and any other gamma · x. The defaults, about 1.6733 and 1.0507, are those that keep mean 0 and variance 1. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      alpha: 'How far below 0 results go, before they are scaled.',
      gamma: 'What all results are multiplied by.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
    versions: { 6: 'The defaults have all digits of float32; before, they had four decimals.' },
  },
  zh: {
    summary: '使用特定常数的 Elu，让均值和方差在各层之间保持稳定。',
    details: [
      '负数 x 得到 gamma · alpha · (exp(x) - 1)，其余得到 gamma · x。默认值约为 1.6733 和 1.0507，能保持均值 0 和方差 1。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {
      alpha: '缩放之前，结果最低到 -alpha。',
      gamma: '所有结果所乘的系数。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
    versions: { 6: '默认值精确到 float32 的所有位；此前只有四位小数。' },
  },
};
