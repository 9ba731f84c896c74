// What is told about BitShift.
import type { OperatorWords } from './operator-text.js';

export const bitShift: OperatorWords = {
  group: 'bits',
  aliases: [
    'np.left_shift',
    'np.right_shift',
    'torch.bitwise_left_shift',
    'tf.bitwise.left_shift',
    '<<',
    '>>',
    'shift',
  ],
  en: {
    summary: 'Moves the bits of each integer to the left or to the right.',
    details: [
      'By n bits to the left, a number is multiplied by 2 to the power of n, without what no longer fits into the type: 200 as uint8 by 1 gives 144. To the right, it is divided, rounded down. Zeros move in.',
      'ONNX leaves open what a shift by as many bits as the type has, or by more, gives. Here it is 0.',
      'The two shapes broadcast as in NumPy: they are aligned at the right, and an axis of size 1, or one that is missing, is repeated. [3, 1] and [4] give [3, 4].',
      'Errors: sizes that differ where neither is 1; inputs of two types (use Cast first); signed integers and other types that are not unsigned integers.',
    ],
    inputs: { X: 'The integers to shift.', Y: 'By how many bits; it has the type of X.' },
    outputs: { Z: 'A tensor of the same type, of the broadcast shape.' },
    attributes: { direction: 'LEFT makes numbers larger, RIGHT makes them smaller.' },
  },
  zh: {
    summary: '把每个整数的各位左移或右移。',
    details: [
      '左移 n 位相当于乘以 2 的 n 次幂，放不进该类型的高位被丢弃：uint8 的 200 左移 1 位得到 144。右移 n 位相当于除以它并向下取整。空出的位补 0。',
      '移动的位数达到或超过该类型的位数时，ONNX 没有规定结果，这里得到 0。',
      '两个形状按 NumPy 的规则广播：右对齐，大小为 1 或缺少的轴会被重复。[3, 1] 与 [4] 得到 [3, 4]。',
      '以下情况会报错：两个大小不同且都不是 1；两个输入的元素类型不同（请先用 Cast）；有符号整数等不是无符号整数的类型。',
    ],
    inputs: { X: '要移位的整数。', Y: '移动的位数，元素类型与 X 相同。' },
    outputs: { Z: '元素类型相同、形状为广播结果的张量。' },
    attributes: { direction: 'LEFT 为左移，数变大；RIGHT 为右移，数变小。' },
  },
};
