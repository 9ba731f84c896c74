// What is told about PRelu.
import type { OperatorWords } from './operator-text.js';

export const prelu: OperatorWords = {
  group: 'activation',
  aliases: ['torch.nn.PReLU', 'torch.nn.functional.prelu', 'tf.keras.layers.PReLU', 'parametric relu', 'learned slope'],
  en: {
    summary: 'Multiplies negative elements by a slope from a second tensor, and leaves all others.',
    details: [
      'The slope broadcasts to the shape of X as in NumPy, but X is never stretched. For one slope per channel of X [N, C, H, W], it has the shape [C, 1, 1].',
      'Integers wrap around; unsigned ones are never negative and stay as they are.',
      'Errors: a slope that does not broadcast to the shape of X, or has another type; integers of 8 or 16 bits; before version 9, any integer type.',
    ],
    inputs: { X: 'A tensor of any shape.', slope: 'What negative elements are multiplied by; it has the type of X.' },
    outputs: { Y: 'A tensor of the same type and shape.' },
    attributes: { consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.' },
    versions: { 7: 'The slope broadcasts. Before, it had one element, or one for each channel: axis 1 of X.' },
  },
  zh: {
    summary: '把负的元素乘以第二个张量给出的斜率，其余不变。',
    details: [
      'slope 按 NumPy 的规则广播到 X 的形状，但 X 不会被扩展。X 为 [N, C, H, W] 且每个通道一个斜率时，slope 的形状为 [C, 1, 1]。',
      '整数溢出时回绕；无符号整数不会为负，保持不变。',
      '以下情况会报错：slope 无法广播到 X 的形状，或元素类型不同；8 位或 16 位整数；版本 9 之前的任何整数类型。',
    ],
    inputs: { X: '任意形状的张量。', slope: '负的元素所乘的系数，元素类型与 X 相同。' },
    outputs: { Y: '元素类型和形状都相同的张量。' },
    attributes: { consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。' },
    versions: { 7: 'slope 可以广播。此前它只有一个元素，或者每个通道一个；通道是 X 的轴 1。' },
  },
};
