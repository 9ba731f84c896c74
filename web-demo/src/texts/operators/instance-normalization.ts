// What is told about InstanceNormalization.
import type { OperatorWords } from './operator-text.js';

export const instanceNormalization: OperatorWords = {
  group: 'normalise',
  aliases: [
    'torch.nn.InstanceNorm2d',
    'torch.nn.functional.instance_norm',
    'tfa.layers.InstanceNormalization',
    'instance norm',
    'style transfer',
  ],
  en: {
    summary: 'Brings each channel of each sample to mean 0 and variance 1, then scales and shifts it.',
    details: [
      'Mean and variance are those of all further axes: of a picture in [N, C, H, W], over H and W. Each element x gives (x - mean) / sqrt(variance + epsilon) · scale + B. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: fewer than two axes; scale or B without one element for each channel; an integer type.',
    ],
    inputs: {
      input: 'A tensor [N, C, ...]: samples, channels, and any number of further axes.',
      scale: 'What each channel is multiplied by: shape [C].',
      B: 'What is added to each channel: shape [C].',
    },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {
      epsilon: 'A small number that keeps the divisor from being 0.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
  },
  zh: {
    summary: '把每个样本的每个通道变为均值 0、方差 1，再缩放和平移。',
    details: [
      '均值和方差沿其余所有轴计算：对 [N, C, H, W] 的图像，就是沿 H 和 W。每个元素 x 的结果：(x - mean) / sqrt(variance + epsilon) · scale + B。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：少于两个轴；scale 或 B 不是每个通道一个元素；整数类型。',
    ],
    inputs: {
      input: '张量 [N, C, ...]：样本、通道，以及任意多个其他轴。',
      scale: '每个通道所乘的系数：形状 [C]。',
      B: '每个通道所加的数：形状 [C]。',
    },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {
      epsilon: '防止除数为 0 的小数值。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
  },
};
