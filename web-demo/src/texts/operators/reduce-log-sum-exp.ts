// What is told about ReduceLogSumExp.
import type { OperatorWords } from './operator-text.js';

export const reduceLogSumExp: OperatorWords = {
  group: 'reduce',
  aliases: [
    'scipy.special.logsumexp',
    'torch.logsumexp',
    'tf.reduce_logsumexp',
    'np.logaddexp.reduce',
    'smooth maximum',
  ],
  en: {
    summary: 'Adds up the exponentials of all elements along some axes, and gives the natural logarithm of the sum.',
    details: [
      'It adds probabilities that are given as logarithms, and is a smooth maximum: 0 and 0 give about 0.693, 0 and 100 give 100. The greatest element is subtracted first and added at the end, so that nothing overflows.',
      'Of no elements, the result is -inf. Integers are computed in float64 and then cast: fractions are dropped, and ONNX leaves open what -inf becomes. float16 and bfloat16 are accumulated in float32.',
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
    summary: '沿若干个轴对所有元素取 exp 后相加，再求自然对数。',
    details: [
      '它可以把以对数表示的概率相加，也是平滑的最大值：0 和 0 得到约 0.693，0 和 100 得到 100。先减去最大的元素，最后再加回，避免溢出。',
      '没有元素时结果为 -inf。整数用 float64 计算再转换回来：舍去小数部分，-inf 会变成什么，ONNX 没有规定。float16 和 bfloat16 用 float32 累积。',
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
