// What is told about LayerNormalization.
import type { OperatorWords } from './operator-text.js';

export const layerNormalization: OperatorWords = {
  group: 'normalise',
  aliases: ['torch.nn.LayerNorm', 'torch.nn.functional.layer_norm', 'tf.keras.layers.LayerNormalization', 'layer norm'],
  en: {
    summary: 'Brings the elements of the last axes to mean 0 and variance 1, then scales and shifts them.',
    details: [
      'Mean and variance are those of all axes from axis on: with axis -1, of the last one alone. Each element x gives (x - mean) / sqrt(variance + epsilon) · Scale + B. Transformers have it around every layer. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an axis that X does not have; a Scale or B that does not broadcast to the shape of X; a stash_type other than 1 and 16; an integer type.',
    ],
    inputs: {
      X: 'A tensor with one axis or more.',
      Scale: 'What elements are multiplied by, after that; it broadcasts to the shape of X.',
      B: 'What is added to elements at the end; it broadcasts to the shape of X. Nothing, if left out.',
    },
    outputs: {
      Y: 'A tensor of the same type and shape.',
      Mean: 'The mean, with size 1 on all axes from axis on.',
      InvStdDev: '1 / sqrt(variance + epsilon), with size 1 on all axes from axis on.',
    },
    attributes: {
      axis: 'The first of the axes that are normalised; negative ones count from the end.',
      epsilon: 'A small number that keeps the divisor from being 0.',
      stash_type:
        'The type of Mean and InvStdDev: a number of TensorProto.DataType, 1 for float32 or 16 for bfloat16. Y does not depend on it here.',
    },
  },
  zh: {
    summary: '把最后若干个轴上的元素变为均值 0、方差 1，再缩放和平移。',
    details: [
      '均值和方差沿从 axis 起的所有轴计算；axis 为 -1 时只沿最后一个轴。每个元素 x 的结果：(x - mean) / sqrt(variance + epsilon) · Scale + B。Transformer 的每一层都用到它。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：X 没有这个轴；Scale 或 B 无法广播到 X 的形状；stash_type 不是 1 或 16；整数类型。',
    ],
    inputs: {
      X: '至少有一个轴的张量。',
      Scale: '之后元素所乘的系数，可广播到 X 的形状。',
      B: '最后加到元素上的数，可广播到 X 的形状。省略时不加。',
    },
    outputs: {
      Y: '元素类型和形状都相同的张量。',
      Mean: '均值，从 axis 起的所有轴大小为 1。',
      InvStdDev: '1 / sqrt(variance + epsilon)，从 axis 起的所有轴大小为 1。',
    },
    attributes: {
      axis: '被归一化的第一个轴；负数从末尾数起。',
      epsilon: '防止除数为 0 的小数值。',
      stash_type:
        'Mean 和 InvStdDev 的元素类型：TensorProto.DataType 中的编号，1 表示 float32，16 表示 bfloat16。在这里 Y 不受它影响。',
    },
  },
};
