// What is told about ReduceL1.
import type { OperatorWords } from './operator-text.js';

export const reduceL1: OperatorWords = {
  group: 'reduce',
  aliases: ['np.linalg.norm(x, 1)', 'torch.norm(p=1)', 'tf.norm', 'l1 norm', 'sum of absolute values', 'manhattan'],
  en: {
    summary: 'Adds up the absolute values of all elements along some axes.',
    details: [
      'This is the L1 norm: 3 and -4 give 7. Integers wrap around in their own type. float16 and bfloat16 are accumulated in float32. Of no elements, the result is 0.',
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
      noop_with_empty_axes:
        '1: without axes, nothing is reduced, and the absolute value of each element comes out; 0: all axes are.',
    },
  },
  zh: {
    summary: '沿若干个轴把所有元素的绝对值相加。',
    details: [
      '这就是 L1 范数：3 和 -4 得到 7。整数在自己的类型里回绕。float16 和 bfloat16 用 float32 累积。没有元素时结果为 0。',
      '归约后的轴保留为大小 1，除非 keepdims 为 0。NumPy 和 PyTorch 默认会去掉这些轴。',
      '以下情况会报错：输入没有这个轴，或者同一个轴写了两次。',
    ],
    inputs: { data: '要归约的张量。', axes: '要归约的轴，int64；负数从末尾数起。不给或列表为空时，归约所有轴。' },
    outputs: { reduced: '元素类型相同的张量，被归约的轴大小为 1，或者已去掉。' },
    attributes: {
      axes: '要归约的轴，int64；负数从末尾数起。不给或列表为空时，归约所有轴。',
      keepdims: '1 表示保留被归约的轴，大小为 1；0 表示去掉。',
      noop_with_empty_axes: '1：没有给出轴时不归约，逐个元素输出绝对值；0：归约所有轴。',
    },
  },
};
