// What is told about DequantizeLinear.
import type { OperatorWords } from './operator-text.js';

export const dequantizeLinear: OperatorWords = {
  group: 'quantise',
  aliases: ['torch.dequantize', 'tf.quantization.dequantize', 'dequantise', 'int8', 'int4', 'qdq'],
  en: {
    summary: 'Turns quantised integers or float8 numbers back into real numbers, by a scale and a zero point.',
    details: [
      'x gives (x - x_zero_point) · x_scale: with scale 0.1 and zero point 128, 138 gives about 1. What QuantizeLinear rounded away does not come back.',
      'A scale and a zero point with one element are for all of x. With one axis, they have one for each place of axis, such as each channel. With block_size, they have the shape of x, but along axis one element for each block.',
      'All is computed in float32, and rounded once to the type of y. That is output_dtype, else the type of the scale.',
      'Errors: a scale or zero point whose shape does not fit; a zero point of int32 other than 0; a scale of float8e8m0 without output_dtype.',
    ],
    inputs: {
      x: 'The quantised tensor.',
      x_scale: 'What differences are multiplied by.',
      x_zero_point: 'What is subtracted first: the element that stands for 0. It has the type of x; 0 if left out.',
    },
    outputs: { y: 'A tensor of the same shape, of a floating-point type.' },
    attributes: {
      axis: 'The axis that scales are counted along, or that is cut into blocks; negative ones count from the end.',
      block_size:
        'How many neighbours along the axis share a scale; 0: a scale is for all elements, or for one place of the axis.',
      output_dtype: 'The type of y: a number of TensorProto.DataType; 0 stands for that of the scale.',
    },
  },
  zh: {
    summary: '用缩放系数和零点，把量化的整数或 float8 数还原为实数。',
    details: [
      'x 变为实数：(x - x_zero_point) · x_scale。缩放系数 0.1、零点 128 时，138 得到约 1。QuantizeLinear 舍入掉的部分无法恢复。',
      '缩放系数和零点只有一个元素时用于整个 x；有一个轴时，沿 axis 的每个位置（例如每个通道）各一个；设 block_size 时，形状与 x 相同，只是沿 axis 每块一个元素。',
      '全部用 float32 计算，最后舍入一次到 y 的类型，即 output_dtype，否则为缩放系数的类型。',
      '以下情况会报错：缩放系数或零点的形状不符；int32 的零点不是 0；缩放系数为 float8e8m0 却没有 output_dtype。',
    ],
    inputs: {
      x: '量化的张量。',
      x_scale: '差值所乘的缩放系数。',
      x_zero_point: '先减去的数，即代表 0 的元素，类型与 x 相同；省略时为 0。',
    },
    outputs: { y: '形状相同、元素类型为浮点的张量。' },
    attributes: {
      axis: '缩放系数沿哪个轴排列，或者沿哪个轴切分成块；负数从末尾数起。',
      block_size: '沿该轴相邻的多少个元素共用一个缩放系数；0：所有元素共用，或该轴的每个位置一个。',
      output_dtype: 'y 的类型：TensorProto.DataType 中的编号；0 表示与缩放系数相同。',
    },
  },
};
