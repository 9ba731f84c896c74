// What is told about Pad.
import type { OperatorWords } from './operator-text.js';

export const pad: OperatorWords = {
  group: 'move',
  aliases: ['np.pad', 'torch.nn.functional.pad', 'tf.pad', 'border', 'margin', 'crop'],
  en: {
    summary: 'Adds elements before and behind each axis, or takes some away.',
    details: [
      'pads lists all beginnings, then all ends: [0, 1, 2, 3] for two axes adds nothing above, 1 at the left, 2 below, 3 at the right. NumPy has pairs for each axis, PyTorch starts at the last axis. Negative numbers crop.',
      'constant fills with one value, edge repeats the outermost element, reflect mirrors without repeating it, wrap goes on at the other end.',
      'Errors: a list of the wrong length; an axis that gets less than 0 elements; reflect by as many elements as the axis has, or more.',
    ],
    inputs: {
      data: 'The tensor to pad.',
      pads: 'How many elements each axis gets: first those before all axes, then those behind them. Negative numbers crop.',
      constant_value: 'The one element that fills, for mode constant; without it, 0, false or the empty text.',
      axes: 'The axes that pads speaks of; all without it. Negative ones count from the end.',
    },
    outputs: { output: 'A tensor of the same type, with longer or shorter axes.' },
    attributes: {
      mode: 'What the new elements are: constant, reflect, edge, or (from version 19 on) wrap.',
      paddings:
        'How many elements each axis gets: first those before all axes, then those behind them. Negative numbers crop.',
      pads: 'How many elements each axis gets: first those before all axes, then those behind them. Negative numbers crop.',
      value: 'The number that fills, for mode constant.',
    },
    versions: {
      2: 'The attribute paddings is called pads.',
      11: 'pads and the value are inputs, so they may be computed.',
    },
  },
  zh: {
    summary: '在每个轴的前后添加元素，或者去掉一些元素。',
    details: [
      'pads 先列出所有轴之前的数量，再列出之后的：两个轴的 [0, 1, 2, 3] 表示上方 0、左侧 1、下方 2、右侧 3。NumPy 按轴成对给出，PyTorch 从最后一个轴开始。负数表示裁剪。',
      'constant 用一个值填充，edge 重复最外侧的元素，reflect 以最外侧元素为轴镜像（不重复它），wrap 从另一端继续。',
      '以下情况会报错：列表长度不对；某个轴的大小会变成负数；reflect 填充的数量达到或超过该轴的大小。',
    ],
    inputs: {
      data: '要填充的张量。',
      pads: '每个轴填充多少个元素：先是各轴之前的，再是各轴之后的。负数表示裁剪。',
      constant_value: '填充用的单个元素，用于 constant 模式；省略时为 0、假或空字符串。',
      axes: 'pads 所指的轴；省略时为所有轴。负数从末尾数起。',
    },
    outputs: { output: '元素类型相同的张量，轴变长或变短。' },
    attributes: {
      mode: '新元素取什么：constant、reflect、edge，或者（从版本 19 起）wrap。',
      paddings: '每个轴填充多少个元素：先是各轴之前的，再是各轴之后的。负数表示裁剪。',
      pads: '每个轴填充多少个元素：先是各轴之前的，再是各轴之后的。负数表示裁剪。',
      value: '填充用的数，用于 constant 模式。',
    },
    versions: { 2: '属性 paddings 改名为 pads。', 11: 'pads 和填充值改为输入，可以由计算得到。' },
  },
};
