// What is told about ReduceMean.
import type { OperatorWords } from './operator-text.js';

export const reduceMean: OperatorWords = {
  group: 'reduce',
  aliases: ['np.mean', 'torch.mean', 'tf.reduce_mean', 'average', 'mean along axis'],
  en: {
    summary: 'Gives the mean of all elements along some axes.',
    details: [
      'The sum is divided by the number of elements. Of integers, the sum wraps around in their own type, and the quotient is rounded towards zero: 1 and 2 give 1. float16 and bfloat16 are accumulated in float32. Of no elements, the mean is NaN, and 0 in integer types.',
      'Reduced axes stay with size 1, unless keepdims is 0. NumPy and PyTorch drop them unless told otherwise.',
      'Errors: an axis that the input does not have, or one that is named twice.',
    ],
    inputs: {
      data: 'The tensor to reduce.',
      axes: 'The axes to reduce, as int64; negative ones count from the end. Without them, or if the list is empty, all axes are reduced.',
    },
    outputs: { reduced: 'A tensor of the same type, with axes of size 1 or without the reduced ones.' },
    attributes: {
      axes: 'The axes to reduce, as int64; negative ones count from the end. Without them, or if the list is empty, all axes are reduced.',
      keepdims: '1 keeps the reduced axes with size 1, 0 drops them.',
      noop_with_empty_axes: '1: without axes, nothing is reduced, and the input comes out unchanged; 0: all axes are.',
    },
  },
  zh: {
    summary: '沿若干个轴求平均值。',
    details: [
      '用总和除以元素个数。整数的总和在自己的类型里回绕，商向零取整：1 和 2 得到 1。float16 和 bfloat16 用 float32 累积。没有元素时，平均值为 NaN，整数类型为 0。',
      '归约后的轴保留为大小 1，除非 keepdims 为 0。NumPy 和 PyTorch 默认会去掉这些轴。',
      '以下情况会报错：输入没有这个轴，或者同一个轴写了两次。',
    ],
    inputs: { data: '要归约的张量。', axes: '要归约的轴，int64；负数从末尾数起。不给或列表为空时，归约所有轴。' },
    outputs: { reduced: '元素类型相同的张量，被归约的轴大小为 1，或者已去掉。' },
    attributes: {
      axes: '要归约的轴，int64；负数从末尾数起。不给或列表为空时，归约所有轴。',
      keepdims: '1 表示保留被归约的轴，大小为 1；0 表示去掉。',
      noop_with_empty_axes: '1：没有给出轴时不归约，原样输出；0：归约所有轴。',
    },
  },
};
