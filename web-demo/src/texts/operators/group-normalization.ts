// What is told about GroupNormalization.
import type { OperatorWords } from './operator-text.js';

export const groupNormalization: OperatorWords = {
  group: 'normalise',
  aliases: ['torch.nn.GroupNorm', 'torch.nn.functional.group_norm', 'tf.keras.layers.GroupNormalization', 'group norm'],
  en: {
    summary: 'Brings groups of channels of each sample to mean 0 and variance 1, then scales and shifts them.',
    details: [
      'The C channels are cut into num_groups groups of neighbours. Mean and variance are those of a whole group, over all further axes. Each element x gives (x - mean) / sqrt(variance + epsilon) · scale + bias.',
      'One group is all channels; as many groups as channels make InstanceNormalization. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: a num_groups that does not divide C; fewer than two axes; scale or bias of another length; an integer type.',
    ],
    inputs: {
      X: 'A tensor [N, C, ...]: samples, channels, and any number of further axes.',
      scale: 'What each channel is multiplied by: shape [C], before version 21 [num_groups].',
      bias: 'What is added to each channel: shape [C], before version 21 [num_groups].',
    },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: {
      epsilon: 'A small number that keeps the divisor from being 0.',
      num_groups: 'How many groups there are; it divides C.',
      stash_type: 'The type that ONNX computes in; it changes nothing here.',
    },
    versions: { 21: 'scale and bias have one element for each channel; before, they had one for each group.' },
  },
  zh: {
    summary: '把每个样本的各组通道变为均值 0、方差 1，再缩放和平移。',
    details: [
      'C 个通道按顺序分成 num_groups 组。均值和方差对整组计算，包括其余所有轴。每个元素 x 的结果：(x - mean) / sqrt(variance + epsilon) · scale + bias。',
      '只有一组时包含所有通道；组数与通道数相等时就是 InstanceNormalization。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：num_groups 不能整除 C；少于两个轴；scale 或 bias 的长度不符；整数类型。',
    ],
    inputs: {
      X: '张量 [N, C, ...]：样本、通道，以及任意多个其他轴。',
      scale: '每个通道所乘的系数：形状 [C]，版本 21 之前为 [num_groups]。',
      bias: '每个通道所加的数：形状 [C]，版本 21 之前为 [num_groups]。',
    },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: {
      epsilon: '防止除数为 0 的小数值。',
      num_groups: '组数，必须整除 C。',
      stash_type: 'ONNX 规定的计算类型，在这里没有影响。',
    },
    versions: { 21: 'scale 和 bias 每个通道一个元素；此前每组一个。' },
  },
};
