// What is told about SpaceToDepth.
import type { OperatorWords } from './operator-text.js';

export const spaceToDepth: OperatorWords = {
  group: 'shape',
  aliases: ['torch.nn.PixelUnshuffle', 'tf.nn.space_to_depth', 'pixel unshuffle', 'downscale'],
  en: {
    summary: 'Moves blocks of pixels into channels: a smaller image, more channels.',
    details: [
      '[N, C, H, W] becomes [N, C · b², H / b, W / b] for blocksize b. The new channels count the places in a block first: it is what DepthToSpace with mode DCR undoes.',
      'Errors: an input without four axes; a height or width that is no multiple of b.',
    ],
    inputs: { input: 'An image of shape [N, C, H, W].' },
    outputs: { output: 'The smaller image.' },
    attributes: { blocksize: 'The side of a block: how many rows, and columns, it has.' },
  },
  zh: {
    summary: '把像素块移到通道里：图像变小，通道变多。',
    details: [
      '块边长为 b 时，[N, C, H, W] 变成 [N, C · b², H / b, W / b]。新通道先按块内位置排列：mode 为 DCR 的 DepthToSpace 是它的逆运算。',
      '以下情况会报错：输入不是四个轴；高或宽不是 b 的倍数。',
    ],
    inputs: { input: '图像，形状为 [N, C, H, W]。' },
    outputs: { output: '变小后的图像。' },
    attributes: { blocksize: '块的边长，即块的行数和列数。' },
  },
};
