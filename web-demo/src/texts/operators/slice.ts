// What is told about Slice.
import type { OperatorWords } from './operator-text.js';

export const slice: OperatorWords = {
  group: 'move',
  aliases: [
    'np.ndarray slicing',
    'torch.narrow',
    'tf.strided_slice',
    'x[a:b]',
    'x[::2]',
    'x[::-1]',
    'crop',
    'flip',
    'narrow',
  ],
  en: {
    summary: 'Takes a part of each axis: from a start to an end, by steps.',
    details: [
      'As x[start:end:step] in Python: the end is not part of it, negative bounds count from the end, and bounds beyond the axis are clamped to it. Use the largest integer for "to the end", or the least one with a negative step.',
      'A negative step walks backwards: starts [-1], ends [-9], steps [-1] reverse an axis of up to 8 elements. The result shares the memory of the input.',
      'Errors: a step of 0; lists of different lengths; an axis that is named twice.',
    ],
    inputs: {
      data: 'The tensor to slice.',
      starts: 'Where each part begins.',
      ends: 'Where each part ends; not part of it.',
      axes: 'The axes that starts and ends speak of; the first ones without it.',
      steps: 'The step on each of them; 1 without it. Not 0.',
    },
    outputs: { output: 'A tensor of the same type, with shorter axes.' },
    attributes: {
      starts: 'Where each part begins.',
      ends: 'Where each part ends; not part of it.',
      axes: 'The axes that starts and ends speak of; the first ones without it.',
    },
    versions: { 10: 'The bounds are inputs, so they may be computed; steps are new.' },
  },
  zh: {
    summary: '取每个轴的一部分：从起点到终点，按步长。',
    details: [
      '与 Python 的 x[start:end:step] 相同：不含终点，负的界限从末尾数起，超出轴的界限收到轴的范围内。要取到末尾，请写最大的整数；步长为负时写最小的整数。',
      '负的步长从后往前走：starts 为 [-1]、ends 为 [-9]、steps 为 [-1]，可以倒转至多 8 个元素的轴。结果与输入共用内存。',
      '以下情况会报错：步长为 0；各列表长度不同；同一个轴写了两次。',
    ],
    inputs: {
      data: '要切片的张量。',
      starts: '每个部分的起点。',
      ends: '每个部分的终点，不含在内。',
      axes: 'starts 和 ends 所指的轴；省略时为开头的各轴。',
      steps: '各轴的步长；省略时为 1。不能为 0。',
    },
    outputs: { output: '元素类型相同、轴变短的张量。' },
    attributes: {
      starts: '每个部分的起点。',
      ends: '每个部分的终点，不含在内。',
      axes: 'starts 和 ends 所指的轴；省略时为开头的各轴。',
    },
    versions: { 10: '界限改为输入，可以由计算得到；新增步长。' },
  },
};
