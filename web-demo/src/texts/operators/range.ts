// What is told about Range.
import type { OperatorWords } from './operator-text.js';

export const range: OperatorWords = {
  group: 'make',
  aliases: ['np.arange', 'torch.arange', 'tf.range', 'arange', 'linspace', 'iota', 'sequence', 'count'],
  en: {
    summary: 'Counts from a start to a limit by equal steps; the limit is not part of it.',
    details: [
      'There are ceil((limit - start) / delta) elements, or none if delta leads away from the limit. delta may be negative: 5, 0, -2 gives 5, 3, 1.',
      'Element number i is computed as start + i · delta. So the last one of a floating-point range may reach the limit by rounding.',
      'Errors: a delta of 0; inputs that do not have exactly one element each.',
    ],
    inputs: {
      start: 'The first element: a scalar.',
      limit: 'Where it ends: a scalar, not part of the result.',
      delta: 'The step: a scalar, not 0.',
    },
    outputs: { output: 'A tensor with one axis, of the type of the inputs.' },
    attributes: { stash_type: 'The type that 16-bit floats are computed in: 1 for float32, 11 for float64.' },
  },
  zh: {
    summary: '从起始值开始，按相等的步长数到界限为止，不含界限。',
    details: [
      '元素个数为 ceil((limit - start) / delta)；如果 delta 的方向背离界限，则没有元素。delta 可以为负：5、0、-2 得到 5、3、1。',
      '第 i 个元素按 start + i · delta 计算。因此浮点序列的最后一个元素可能因舍入而达到界限。',
      '以下情况会报错：delta 为 0；某个输入不是恰好一个元素。',
    ],
    inputs: { start: '第一个元素：标量。', limit: '终点：标量，不包含在结果里。', delta: '步长：标量，不能为 0。' },
    outputs: { output: '只有一个轴的张量，元素类型与输入相同。' },
    attributes: { stash_type: '16 位浮点类型用什么类型计算：1 为 float32，11 为 float64。' },
  },
};
