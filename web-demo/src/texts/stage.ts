// The stages on the pages of operators: a question, presets, and the fields of a call.
import { texts } from './texts.js';

interface StageText {
  /** By the id of the field. */
  readonly fields: { readonly [id: string]: string };
  readonly presets: { readonly [name: string]: { readonly name: string; readonly question: string } };
  /** In the place of a preset's question once something was edited. */
  readonly free: string;
}

const en: { readonly [operator: string]: StageText } = {
  Expand: {
    fields: { 'input:0:dims': 'Shape of the input', 'input:1:values': 'Wanted shape' },
    presets: {
      bothWays: {
        name: 'Both ways',
        question: 'The input has shape [3, 1]. You ask for [2, 1, 6]. Which shape does the result have?',
      },
      row: {
        name: 'Repeat a row',
        question: 'The input is one row of four elements. How often is each element read?',
      },
      scalar: { name: 'A scalar', question: 'A scalar has no axes. Can it fill [2, 3]?' },
      larger: {
        name: 'Ask for less',
        question: 'The input has shape [3, 4]. You ask for [1]. Does the result get smaller?',
      },
      refused: {
        name: 'An error',
        question: 'The input has shape [3, 4]. You ask for [2, 4]. Why can this not work?',
      },
    },
    free: 'Point at an element of the result. Which element of the input does it repeat?',
  },
  ConstantOfShape: {
    fields: { 'input:0:values': 'Sizes of the output' },
    presets: {
      block: { name: 'A block', question: 'The input lists three sizes. How many elements does the output have?' },
      scalar: { name: 'A scalar', question: 'The list of sizes is empty. What is the output?' },
      empty: { name: 'Empty', question: 'One size is 0. Is that an error?' },
      huge: {
        name: 'Very large',
        question: 'The output has ten billion elements. How much memory does it take?',
      },
      refused: {
        name: 'An error',
        question: 'In other libraries, -1 means "compute this size". What does it mean here?',
      },
    },
    free: 'Every element of the output is the same element, read again and again.',
  },
  Shape: {
    fields: { 'input:0:dims': 'Shape of the input', 'attribute:start': 'start', 'attribute:end': 'end' },
    presets: {
      all: { name: 'All axes', question: 'The input has shape [2, 3]. What does Shape give?' },
      last: { name: 'Last axis', question: 'start is -1. Which of the sizes 2, 3, 4 is left?' },
      middle: { name: 'One axis', question: 'start is 1 and end is 2. Is the axis at end part of the result?' },
      scalar: { name: 'A scalar', question: 'A scalar has no axes. What is its shape?' },
      empty: { name: 'Empty result', question: 'start is after end. Is that an error?' },
    },
    free: 'Only the sizes are read. The elements do not matter.',
  },
};

const zh: typeof en = {
  Expand: {
    fields: { 'input:0:dims': '输入的形状', 'input:1:values': '目标形状' },
    presets: {
      bothWays: { name: '双向广播', question: '输入的形状是 [3, 1]，目标形状是 [2, 1, 6]。结果是什么形状？' },
      row: { name: '重复一行', question: '输入是一行四个元素。每个元素被读取几次？' },
      scalar: { name: '标量', question: '标量没有轴。它能填满 [2, 3] 吗？' },
      larger: { name: '目标更小', question: '输入的形状是 [3, 4]，目标形状是 [1]。结果会变小吗？' },
      refused: { name: '错误示例', question: '输入的形状是 [3, 4]，目标形状是 [2, 4]。为什么不行？' },
    },
    free: '指向结果中的一个元素：它重复的是输入中的哪个元素？',
  },
  ConstantOfShape: {
    fields: { 'input:0:values': '输出各轴的大小' },
    presets: {
      block: { name: '三个轴', question: '输入列出三个大小。输出有多少个元素？' },
      scalar: { name: '标量', question: '大小的列表是空的。结果是什么？' },
      empty: { name: '空张量', question: '有一个大小是 0。这算错误吗？' },
      huge: { name: '非常大', question: '输出有一百亿个元素。它占多少内存？' },
      refused: { name: '错误示例', question: '在别的库里，-1 表示“自动计算”。在这里表示什么？' },
    },
    free: '输出的每个元素都是同一个元素，被反复读取。',
  },
  Shape: {
    fields: { 'input:0:dims': '输入的形状', 'attribute:start': '起始轴 start', 'attribute:end': '结束轴 end' },
    presets: {
      all: { name: '所有轴', question: '输入的形状是 [2, 3]。Shape 给出什么？' },
      last: { name: '最后一个轴', question: 'start 是 -1。大小 2、3、4 中留下哪一个？' },
      middle: { name: '一个轴', question: 'start 是 1，end 是 2。结果包含 end 处的轴吗？' },
      scalar: { name: '标量', question: '标量没有轴。它的形状是什么？' },
      empty: { name: '空结果', question: 'start 在 end 之后。这算错误吗？' },
    },
    free: '只读取各轴的大小，与元素无关。',
  },
};

export const stageTexts = texts({
  en: {
    label: 'Interactive example',
    presets: 'Examples to begin with',
    before: 'The result of the call before.',
    refused: 'This call cannot run.',
    computing: 'This call is being computed.',
    elsewhere: 'not given as text: see "Try it"',
    lines: 'In one line',
    languages: { javascript: 'JavaScript', numpy: 'NumPy', torch: 'PyTorch' },
    tryIt: 'Open in "Try it": all types, files, code',
    about: (operator: string) => `What ${operator} does`,
    openPage: 'Open in the Broadloom playground',
    operators: en,
  },
  zh: {
    label: '交互示例',
    presets: '可以从这些示例开始',
    before: '这是上一次调用的结果。',
    refused: '当前的调用无法运行。',
    computing: '当前的调用正在计算。',
    elsewhere: '不是以文本给出：请在“试一试”中查看',
    lines: '一行代码',
    languages: { javascript: 'JavaScript 代码', numpy: 'NumPy 代码', torch: 'PyTorch 代码' },
    tryIt: '在“试一试”中打开：所有类型、文件和代码',
    about: (operator: string) => `${operator} 的作用`,
    openPage: '在 Broadloom 演练场中打开',
    operators: zh,
  },
});
