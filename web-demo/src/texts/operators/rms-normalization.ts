// What is told about RMSNormalization.
import type { OperatorWords } from './operator-text.js';

export const rmsNormalization: OperatorWords = {
  group: 'normalise',
  aliases: [
    'torch.nn.RMSNorm',
    'torch.nn.functional.rms_norm',
    'tf.keras.layers.RMSNormalization',
    'rms norm',
    'llama',
  ],
  en: {
    summary: 'Divides the elements of the last axes by their root mean square, then scales them.',
    details: [
      'The mean of the squares, mean_square, is over all axes from axis on. Each element x gives x / sqrt(mean_square + epsilon) · scale. Unlike in LayerNormalization, no mean is subtracted, and nothing is added. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an axis that X does not have; a scale that does not broadcast to the shape of X; an integer type.',
    ],
    inputs: {
      X: 'A tensor with one axis or more.',
      scale: 'What elements are multiplied by, after that; it broadcasts to the shape of X. It may have another type.',
    },
    outputs: { Y: 'A tensor of the type of scale, of the shape of X.' },
    attributes: {
      axis: 'The first of the axes that are normalised; negative ones count from the end.',
      epsilon: 'A small number that keeps the divisor from being 0.',
      stash_type: 'The type that ONNX computes in; it changes nothing here.',
    },
  },
  zh: {
    summary: '把最后若干个轴上的元素除以它们的均方根，再缩放。',
    details: [
      '平方的均值 mean_square 沿从 axis 起的所有轴计算。每个元素 x 得到 x / sqrt(mean_square + epsilon) · scale。与 LayerNormalization 不同，它不减去均值，也不加任何数。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：X 没有这个轴；scale 无法广播到 X 的形状；整数类型。',
    ],
    inputs: { X: '至少有一个轴的张量。', scale: '之后元素所乘的系数，可广播到 X 的形状，元素类型可以不同。' },
    outputs: { Y: '元素类型与 scale 相同、形状与 X 相同的张量。' },
    attributes: {
      axis: '被归一化的第一个轴；负数从末尾数起。',
      epsilon: '防止除数为 0 的小数值。',
      stash_type: 'ONNX 规定的计算类型，在这里没有影响。',
    },
  },
};
