// What is told about Reciprocal.
import type { OperatorWords } from './operator-text.js';

export const reciprocal: OperatorWords = {
  group: 'arithmetic',
  aliases: ['np.reciprocal', 'torch.reciprocal', 'tf.math.reciprocal', '1/x', 'inverse'],
  en: {
    summary: 'Divides 1 by each element.',
    details: [
      '0 gives infinity, -0 gives -inf, and infinities give zeros. To invert a matrix is something else; ONNX has no operator for that. float16 and bfloat16 are computed in float32 and rounded once.',
      'Errors: an integer type.',
    ],
    inputs: { X: 'A tensor of any shape.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
  },
  zh: {
    summary: '逐个元素求倒数。',
    details: [
      '0 得到无穷大，-0 得到 -inf，无穷大得到零。这与求逆矩阵无关；ONNX 没有求逆矩阵的算子。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '整数类型会报错。',
    ],
    inputs: { X: '任意形状的张量。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
  },
};
