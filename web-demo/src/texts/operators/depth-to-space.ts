// What is told about DepthToSpace.
import type { OperatorWords } from './operator-text.js';

export const depthToSpace: OperatorWords = {
  group: 'shape',
  aliases: ['torch.nn.PixelShuffle', 'tf.nn.depth_to_space', 'pixel shuffle', 'upscale'],
  en: {
    summary: 'Moves channels of an image into blocks of pixels: fewer channels, a larger image.',
    details: [
      '[N, C, H, W] becomes [N, C / b², H · b, W · b] for blocksize b. With mode DCR the channels count the places in a block first; with CRD, which PyTorch has, they count the new channels first.',
      'Errors: an input without four axes; a number of channels that is no multiple of b².',
    ],
    inputs: { input: 'An image of shape [N, C, H, W].' },
    outputs: { output: 'The larger image.' },
    attributes: {
      blocksize: 'The side of a block: how many rows, and columns, it has.',
      mode: 'DCR or CRD: what the channels count first.',
    },
  },
  zh: {
    summary: '把图像的通道移到像素块里：通道变少，图像变大。',
    details: [
      '块边长为 b 时，[N, C, H, W] 变成 [N, C / b², H · b, W · b]。mode 为 DCR 时，通道先按块内位置排列；为 CRD（PyTorch 的做法）时，先按新通道排列。',
      '以下情况会报错：输入不是四个轴；通道数不是 b² 的倍数。',
    ],
    inputs: { input: '图像，形状为 [N, C, H, W]。' },
    outputs: { output: '变大后的图像。' },
    attributes: { blocksize: '块的边长，即块的行数和列数。', mode: 'DCR 或 CRD：通道先按什么排列。' },
  },
};
