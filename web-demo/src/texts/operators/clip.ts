// What is told about Clip.
import type { OperatorWords } from './operator-text.js';

export const clip: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.clip', 'torch.clamp', 'tf.clip_by_value', 'clamp', 'relu6', 'limit'],
  en: {
    summary: 'Brings each element into a range: what is below it becomes min, what is above it becomes max.',
    details: [
      'Either bound may be left out. NaN stays NaN. If min is greater than max, all elements become max. With min 0 and max 6 this is the activation function ReLU6.',
      'Errors: a bound with more than one element, or of another type than input.',
    ],
    inputs: {
      input: 'A tensor of any shape.',
      min: 'The least value allowed: a scalar of the type of input.',
      max: 'The greatest value allowed: a scalar of the type of input.',
    },
    outputs: { output: 'A tensor of the same type and shape.' },
    attributes: {
      min: 'The least value allowed, in versions before 11.',
      max: 'The greatest value allowed, in versions before 11.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
    versions: {
      6: 'Without bounds, the limits of float32 are taken: in float32 and float64, infinities become about 3.4e38 and -3.4e38.',
      11: 'The bounds are inputs, so they may be computed.',
    },
  },
  zh: {
    summary: '把每个元素限制在一个范围内：小于下限的变为 min，大于上限的变为 max。',
    details: [
      '两个界限都可以省略。NaN 仍是 NaN。min 大于 max 时，所有元素都变为 max。min 为 0、max 为 6 时，就是激活函数 ReLU6。',
      '以下情况会报错：界限多于一个元素；界限的元素类型与 input 不同。',
    ],
    inputs: {
      input: '任意形状的张量。',
      min: '允许的最小值：标量，元素类型与 input 相同。',
      max: '允许的最大值：标量，元素类型与 input 相同。',
    },
    outputs: { output: '元素类型和形状都相同的张量。' },
    attributes: {
      min: '版本 11 之前允许的最小值。',
      max: '版本 11 之前允许的最大值。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
    versions: {
      6: '不给界限时使用 float32 的极限：float32 和 float64 的无穷大变为约 3.4e38 和 -3.4e38。',
      11: '界限改为输入，可以由计算得到。',
    },
  },
};
