// What is told about MeanVarianceNormalization.
import type { OperatorWords } from './operator-text.js';

export const meanVarianceNormalization: OperatorWords = {
  group: 'normalise',
  aliases: ['scipy.stats.zscore', 'standardize', 'z-score', 'tf.image.per_image_standardization'],
  en: {
    summary: 'Brings elements to mean 0 and variance 1 along some axes.',
    details: [
      'Each element x gives (x - mean) / (standard deviation + 1e-9). With the default axes, each channel of [N, C, H, W] has a mean and a variance of its own, over all samples. An empty list stands for all axes. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an axis that X does not have, as with the default axes if it has fewer than four; an axis that is named twice; an integer type.',
    ],
    inputs: { X: 'The tensor to normalise.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { axes: 'The axes that mean and variance are over; negative ones count from the end.' },
  },
  zh: {
    summary: '沿若干个轴把元素变为均值 0、方差 1。',
    details: [
      '每个元素 x 减去均值，再除以标准差与 1e-9 之和。使用默认的轴时，[N, C, H, W] 的每个通道各有自己的均值和方差，对所有样本计算。空列表表示所有轴。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：X 没有这个轴，例如轴少于四个却使用默认的轴；同一个轴写了两次；整数类型。',
    ],
    inputs: { X: '要归一化的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { axes: '均值和方差沿哪些轴计算；负数从末尾数起。' },
  },
};
