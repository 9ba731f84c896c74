// What is told about CumSum.
import type { OperatorWords } from './operator-text.js';

export const cumSum: OperatorWords = {
  group: 'reduce',
  aliases: ['np.cumsum', 'torch.cumsum', 'tf.cumsum', 'running total', 'prefix sum', 'scan'],
  en: {
    summary: 'Gives running sums along an axis: each element plus all before it.',
    details: [
      '[1, 2, 3] gives [1, 3, 6]. With exclusive, it gives [0, 1, 3]; with reverse, [6, 5, 3]; with both, [5, 3, 0].',
      'Integers wrap around in their own type. float32 is accumulated in float64, float16 and bfloat16 at least in float32.',
      'Errors: an axis that x does not have; bool, and integers of 8 or 16 bits.',
    ],
    inputs: {
      x: 'The tensor to run along.',
      axis: 'The axis to run along: one int32 or int64 number; negative ones count from the end.',
    },
    outputs: { y: 'A tensor of the same type and shape.' },
    attributes: {
      exclusive: '1 leaves each element out of its own result; 0 takes it in.',
      reverse: '1 runs from the last element to the first, 0 from the first to the last.',
    },
  },
  zh: {
    summary: '沿一个轴求累积和：每个元素加上它之前的所有元素。',
    details: [
      '[1, 2, 3] 得到 [1, 3, 6]。设 exclusive 得到 [0, 1, 3]；设 reverse 得到 [6, 5, 3]；两者都设得到 [5, 3, 0]。',
      '整数在自己的类型里回绕。float32 用 float64 累积，float16 和 bfloat16 至少用 float32。',
      '以下情况会报错：x 没有这个轴；bool、8 位或 16 位整数。',
    ],
    inputs: { x: '要累积的张量。', axis: '沿哪个轴累积：一个 int32 或 int64 数；负数从末尾数起。' },
    outputs: { y: '元素类型和形状都相同的张量。' },
    attributes: {
      exclusive: '1 表示结果不含当前元素；0 表示包含。',
      reverse: '1 表示从最后一个元素向前累积；0 表示从第一个向后。',
    },
  },
};
