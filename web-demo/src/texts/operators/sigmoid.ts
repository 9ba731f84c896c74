// What is told about Sigmoid.
import type { OperatorWords } from './operator-text.js';

export const sigmoid: OperatorWords = {
  group: 'activation',
  aliases: ['torch.sigmoid', 'torch.nn.Sigmoid', 'tf.sigmoid', 'scipy.special.expit', 'logistic', 'expit'],
  en: {
    summary: 'Brings each element between 0 and 1, by the logistic function.',
    details: [
      'The result is 1 / (1 + exp(-x)): 0 gives 0.5, infinity gives 1, -inf gives 0. It turns a score into a probability; for one of several classes, use Softmax. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '用逻辑函数把每个元素变到 0 与 1 之间。',
    details: [
      '结果为 1 / (1 + exp(-x))：0 得到 0.5，无穷大得到 1，-inf 得到 0。它把得分变成概率；要在多个类别中选一个时，请用 Softmax。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
