// What is told about Where.
import type { OperatorWords } from './operator-text.js';

export const where: OperatorWords = {
  group: 'move',
  aliases: ['np.where', 'torch.where', 'tf.where', 'select', 'if', 'masked_fill'],
  en: {
    summary: 'Takes each element from one of two tensors, as a condition says.',
    details: [
      'Where the condition is true, the element is that of X, else that of Y. All three shapes broadcast to one: they are aligned at the right, and axes of size 1 are repeated.',
      'Both tensors are read in full: this does not leave out a computation. For the places of true elements, which np.where gives with one argument, use NonZero.',
      'Errors: shapes that do not broadcast; X and Y of different types; a condition that is not bool.',
    ],
    inputs: {
      condition: 'Which of the two is taken: a bool tensor.',
      X: 'Elements where the condition is true.',
      Y: 'Elements where the condition is false; it has the type of X.',
    },
    outputs: { output: 'A tensor of the type of X, of the shape that all three broadcast to.' },
    attributes: {},
  },
  zh: {
    summary: '按条件从两个张量之一取每个元素。',
    details: [
      '条件为真处取 X 的元素，否则取 Y 的元素。三个形状一起广播：右对齐，大小为 1 的轴会被重复。',
      '两个张量都会完整读取，并不能省掉其中一个的计算。np.where 只给一个参数时得到真值的位置，这里请用 NonZero。',
      '以下情况会报错：形状无法广播；X 和 Y 的元素类型不同；条件不是 bool。',
    ],
    inputs: {
      condition: '取哪一个：bool 张量。',
      X: '条件为真时取的元素。',
      Y: '条件为假时取的元素，元素类型与 X 相同。',
    },
    outputs: { output: '元素类型与 X 相同的张量，形状为三者广播的结果。' },
    attributes: {},
  },
};
