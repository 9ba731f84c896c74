// What is told about Celu.
import type { OperatorWords } from './operator-text.js';

export const celu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.CELU', 'torch.nn.functional.celu', 'continuously differentiable elu'],
  en: {
    summary: 'Bends negative elements towards -alpha, with a slope of 1 at 0 for every alpha.',
    details: [
      'A negative x gives alpha · (exp(x / alpha) - 1), any other stays. With alpha 1 this is Elu; Elu has a kink at 0 with others. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type; before version 28, any type but float32.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { alpha: 'How far below 0 results go; the larger it is, the slower they get there.' },
  },
  zh: {
    summary: '让负的元素趋近 -alpha，而且不论 alpha 取何值，在 0 处的斜率都是 1。',
    details: [
      '负数 x 得到 alpha · (exp(x / alpha) - 1)，其余不变。alpha 为 1 时就是 Elu；alpha 取其他值时，Elu 在 0 处有折角。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '以下情况会报错：整数类型；版本 28 之前，float32 以外的任何类型。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { alpha: '结果最低到 -alpha；alpha 越大，趋近得越慢。' },
  },
};
