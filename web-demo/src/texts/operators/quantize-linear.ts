// What is told about QuantizeLinear.
import type { OperatorWords } from './operator-text.js';

export const quantizeLinear: OperatorWords = {
  group: 'quantise',
  aliases: [
    'torch.quantize_per_tensor',
    'torch.quantize_per_channel',
    'tf.quantization.quantize',
    'quantise',
    'int8',
    'int4',
    'qdq',
  ],
  en: {
    summary: 'Turns real numbers into small integers or float8 numbers, by a scale and a zero point.',
    details: [
      'For integers, x gives round(x / y_scale) + y_zero_point, kept within the type: with scale 0.1 and zero point 128, 1.0 as uint8 gives 138, and 20 gives 255. A quotient halfway between two integers goes to the even one. NaN gives the least integer.',
      'A scale and a zero point with one element are for all of x. With one axis, they have one for each place of axis, such as each channel. With block_size, they have the shape of x, but along axis one element for each block.',
      'The type of y is that of the zero point, else output_dtype, else uint8. The division is made in the type that precision names. Without it, it is that of the scale, but float64 for int32, and float32 for float8e8m0.',
      'Errors: a scale or zero point whose shape does not fit; an output_dtype other than the type of the zero point; a precision that is no floating-point type of 16 bits or more.',
    ],
    inputs: {
      x: 'The tensor to quantise.',
      y_scale: 'What x is divided by.',
      y_zero_point: 'What is added after that, so that 0 becomes it; 0 if left out.',
    },
    outputs: { y: 'A tensor of the same shape.' },
    attributes: {
      axis: 'The axis that scales are counted along, or that is cut into blocks; negative ones count from the end.',
      block_size:
        'How many neighbours along the axis share a scale; 0: a scale is for all elements, or for one place of the axis.',
      output_dtype: 'The type of y, if there is no zero point: a number of TensorProto.DataType; 0 says nothing.',
      precision: 'The type that x is divided in: a number of TensorProto.DataType; 0 says nothing.',
      saturate:
        'For float8 types: 1 makes what is too large the largest value; 0 makes it infinity or, where there is none, NaN.',
    },
  },
  zh: {
    summary: '用缩放系数和零点，把实数变为小整数或 float8 数。',
    details: [
      '目标为整数时，x 得到 round(x / y_scale) + y_zero_point，并限制在该类型的范围内：缩放系数 0.1、零点 128 时，1.0 变为 uint8 得到 138，20 得到 255。商正好居中时取偶数。NaN 得到最小的整数。',
      '缩放系数和零点只有一个元素时用于整个 x；有一个轴时，沿 axis 的每个位置（例如每个通道）各一个；设 block_size 时，形状与 x 相同，只是沿 axis 每块一个元素。',
      'y 的类型取零点的类型，其次取 output_dtype，否则为 uint8。除法用 precision 指定的类型进行；不指定时用缩放系数的类型，但 int32 用 float64，float8e8m0 用 float32。',
      '以下情况会报错：缩放系数或零点的形状不符；output_dtype 与零点的类型不同；precision 不是 16 位以上的浮点类型。',
    ],
    inputs: {
      x: '要量化的张量。',
      y_scale: '用来除 x 的缩放系数。',
      y_zero_point: '之后加上的数，0 会变成它；省略时为 0。',
    },
    outputs: { y: '形状相同的张量。' },
    attributes: {
      axis: '缩放系数沿哪个轴排列，或者沿哪个轴切分成块；负数从末尾数起。',
      block_size: '沿该轴相邻的多少个元素共用一个缩放系数；0：所有元素共用，或该轴的每个位置一个。',
      output_dtype: '没有零点时 y 的类型：TensorProto.DataType 中的编号；0 表示不指定。',
      precision: '做除法所用的类型：TensorProto.DataType 中的编号；0 表示不指定。',
      saturate: '用于 float8 类型：1 表示超出范围的值变为最大值；0 表示变为无穷大，没有无穷大的类型则变为 NaN。',
    },
  },
};
