// What is told about IsInf.
import type { OperatorWords } from './operator-text.js';

export const isInf: OperatorWords = {
  group: 'logic',
  aliases: ['np.isinf', 'np.isposinf', 'np.isneginf', 'torch.isinf', 'tf.math.is_inf', 'infinite'],
  en: {
    summary: 'Says of each element whether it is infinite.',
    details: [
      'Attributes say which infinities count; with both 0, all results are false. NaN is not infinite. Of the float8 types, float8e5m2 alone has infinities.',
      'Errors: an integer type; before version 20, float16.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A bool tensor of the same shape.' },
    attributes: {
      detect_negative: '1: -inf counts; 0: it does not.',
      detect_positive: '1: inf counts; 0: it does not.',
    },
  },
  zh: {
    summary: '逐个元素判断是否为无穷大。',
    details: [
      '由属性决定哪种无穷大算数；两个属性都为 0 时，结果全为假。NaN 不是无穷大。float8 类型中，只有 float8e5m2 有无穷大。',
      '以下情况会报错：整数类型；版本 20 之前的 float16。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '形状相同的 bool 张量。' },
    attributes: { detect_negative: '1：-inf 算数；0：不算。', detect_positive: '1：inf 算数；0：不算。' },
  },
};
