// What is told about Squeeze.
import type { OperatorWords } from './operator-text.js';

export const squeeze: OperatorWords = {
  group: 'shape',
  aliases: ['np.squeeze', 'torch.squeeze', 'tf.squeeze', 'remove axis', 'drop dimension'],
  en: {
    summary: 'Drops axes of size 1.',
    details: [
      'Without axes, all axes of size 1 are dropped: [1, 3, 1] becomes [3]. That depends on the input, so models better name the axes.',
      'Errors: an axis of another size (PyTorch leaves it as it is); an axis that is named twice.',
    ],
    inputs: { data: 'A tensor of any shape.', axes: 'The axes to drop, as int64; negative ones count from the end.' },
    outputs: { squeezed: 'The same elements with fewer axes; they share memory.' },
    attributes: { axes: 'The axes to drop; all of size 1 without it.' },
    versions: { 13: 'axes is an input, so it may be computed.' },
  },
  zh: {
    summary: '去掉大小为 1 的轴。',
    details: [
      '不给 axes 时，去掉所有大小为 1 的轴：[1, 3, 1] 变成 [3]。这取决于输入，因此模型中最好写明轴。',
      '以下情况会报错：该轴的大小不是 1（PyTorch 会保持不变）；同一个轴写了两次。',
    ],
    inputs: { data: '任意形状的张量。', axes: '要去掉的轴，int64；负数从末尾数起。' },
    outputs: { squeezed: '元素相同、轴变少的张量；与输入共用内存。' },
    attributes: { axes: '要去掉的轴；省略时为所有大小为 1 的轴。' },
    versions: { 13: 'axes 改为输入，可以由计算得到。' },
  },
};
