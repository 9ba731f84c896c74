// What is told about Expand.
import type { OperatorWords } from './operator-text.js';

export const expand: OperatorWords = {
  group: 'shape',
  aliases: [
    'np.broadcast_to',
    'torch.expand',
    'torch.Tensor.expand',
    'tf.broadcast_to',
    'broadcast',
    'stretch',
    'repeat',
  ],
  en: {
    summary: 'Stretches a tensor to a wanted shape by repeating its elements along axes of size 1 and along new axes.',
    details: [
      "The input's shape and the wanted shape are aligned at the right. Missing axes count as 1. On each axis, the two sizes must be equal, or one of them must be 1; then the result has the other size. So [3, 1] with the wanted shape [2, 1, 6] becomes [2, 3, 6].",
      'The broadcast goes both ways. A 1 in the wanted shape keeps the size of the input, and the wanted shape may have fewer axes than the input. So the result can be larger than the wanted shape: [3, 4] with the wanted shape [1] or [4] stays [3, 4].',
      'A 0 matches 0 or 1 and makes the result empty: [1] with [0] becomes [0]. An empty wanted shape leaves the input unchanged. A scalar expands to any shape. Elements are copied bit for bit.',
      'Errors: two sizes that differ where neither is 1, such as [3, 4] with [2, 4], or [2] with [0]; a negative size, also -1 (PyTorch writes -1 to keep a size; write 1 here); a wanted shape that is not int64 or does not have exactly one axis.',
    ],
    inputs: {
      input: 'The tensor to stretch, of any shape.',
      shape: 'The wanted shape, one size per axis: an int64 tensor with one axis, none negative.',
    },
    outputs: {
      output:
        "A tensor of the input's type; its shape is the two-way broadcast of the input's shape and the wanted one.",
    },
    attributes: {},
    versions: {
      8: 'The first version, for 15 types: bool, string, complex64, complex128, float16, float32, float64 and integers of 8 to 64 bits.',
      13: 'The type bfloat16 is new; the rules are the same.',
    },
    examples: {
      dim_changed:
        'The broadcast goes both ways: [3, 1] with the wanted shape [2, 1, 6] becomes [2, 3, 6]. That is neither of the two shapes.',
      dim_unchanged: 'The axis of size 3 stays, the axis of size 1 is repeated four times: [3, 1] becomes [3, 4].',
    },
  },
  zh: {
    summary: '沿大小为 1 的轴和新增的轴重复元素，把张量扩展到目标形状。',
    details: [
      '输入的形状与目标形状右对齐，缺少的轴按 1 处理。每个轴上的两个大小必须相等，或者其中一个为 1，这时取另一个。因此 [3, 1] 与目标形状 [2, 1, 6] 得到 [2, 3, 6]。',
      '广播是双向的：目标形状里的 1 表示保留输入的大小，目标形状的轴数也可以比输入少。因此结果可能比目标形状更大：[3, 4] 与目标形状 [1] 或 [4] 的结果仍是 [3, 4]。',
      '0 可以与 0 或 1 配对，结果为空张量：[1] 与 [0] 得到 [0]。目标形状为空时，输入保持不变。标量可以扩展到任意形状。元素按位复制。',
      '以下情况会报错：两个大小不同且都不是 1，例如 [3, 4] 与 [2, 4]，或者 [2] 与 [0]；大小为负数，包括 -1（PyTorch 中用 -1 表示保留大小，这里应写 1）；目标形状不是 int64，或者不是恰好一个轴。',
    ],
    inputs: {
      input: '要扩展的张量，形状不限。',
      shape: '目标形状，每个轴一个大小：只有一个轴的 int64 张量，不能有负数。',
    },
    outputs: { output: '元素类型与输入相同的张量；形状是输入形状与目标形状双向广播的结果。' },
    attributes: {},
    versions: {
      8: '最初的版本，支持 15 种元素类型：bool、string、complex64、complex128、float16、float32、float64 以及 8 到 64 位的整数。',
      13: '新增元素类型 bfloat16；规则不变。',
    },
    examples: {
      dim_changed: '广播是双向的：[3, 1] 与目标形状 [2, 1, 6] 得到 [2, 3, 6]，与两者都不同。',
      dim_unchanged: '大小为 3 的轴不变，大小为 1 的轴重复四次：[3, 1] 变成 [3, 4]。',
    },
  },
};
