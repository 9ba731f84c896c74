// What is told about Split.
import type { OperatorWords } from './operator-text.js';

export const split: OperatorWords = {
  group: 'move',
  aliases: ['np.split', 'np.array_split', 'torch.split', 'torch.chunk', 'tf.split', 'chunk', 'unbind', 'divide'],
  en: {
    summary: 'Cuts an axis into parts, one output for each.',
    details: [
      'split lists the sizes of the parts, which sum up to that of the axis. Without it, num_outputs parts of equal size are made; from version 18 on, the last one may be smaller.',
      'In a model, versions before 18 can take the number of parts from the outputs that a node has. The parts share the memory of the input.',
      'Errors: sizes that do not sum up; neither split nor num_outputs, or both.',
    ],
    inputs: { input: 'The tensor to cut.', split: 'The sizes of the parts.' },
    outputs: { outputs: 'The parts, in order.', 'outputs...': 'The parts, in order.' },
    attributes: {
      axis: 'The axis to cut; negative ones count from the end.',
      split: 'The sizes of the parts.',
      num_outputs: 'How many parts there are, if split is not given.',
    },
    versions: { 13: 'split is an input, so it may be computed.' },
  },
  zh: {
    summary: '把一个轴切成若干部分，每部分一个输出。',
    details: [
      'split 列出各部分的大小，总和等于该轴的大小。不给 split 时，切成 num_outputs 个相等的部分；从版本 18 起，最后一部分可以小一些。',
      '在模型中，版本 18 之前可以由节点的输出个数决定切成几份。各部分与输入共用内存。',
      '以下情况会报错：大小之和不对；split 和 num_outputs 都不给，或者都给。',
    ],
    inputs: { input: '要切分的张量。', split: '各部分的大小。' },
    outputs: { outputs: '按顺序排列的各部分。', 'outputs...': '按顺序排列的各部分。' },
    attributes: {
      axis: '切分哪个轴；负数从末尾数起。',
      split: '各部分的大小。',
      num_outputs: '没有给 split 时，切成几份。',
    },
    versions: { 13: 'split 改为输入，可以由计算得到。' },
  },
};
