// What is told about CenterCropPad.
import type { OperatorWords } from './operator-text.js';

export const centerCropPad: OperatorWords = {
  group: 'move',
  aliases: ['center crop', 'torchvision.transforms.CenterCrop', 'tf.image.resize_with_crop_or_pad', 'crop', 'pad'],
  en: {
    summary: 'Crops axes to wanted sizes, or pads them with zeros, around the centre.',
    details: [
      'An axis that is too long loses elements at both ends; one that is too short gets zeros at both ends. Where the number is odd, the end is cropped or padded by one more than the beginning.',
      'With axes, shape lists the sizes of these axes only, and all others stay.',
      'Errors: a negative size; a list of sizes that is not as long as axes, or as the number of axes.',
    ],
    inputs: { input_data: 'The tensor to crop or pad.', shape: 'The wanted sizes, as int64 or int32.' },
    outputs: { output_data: 'A tensor of the same type, with the wanted sizes.' },
    attributes: { axes: 'The axes that shape speaks of; all without it. Negative ones count from the end.' },
  },
  zh: {
    summary: '以中心为准，把各轴裁剪到目标大小，或者用零填充到目标大小。',
    details: [
      '过长的轴在两端去掉元素，过短的轴在两端补零。数量为奇数时，末端比开头多裁剪或多填充一个。',
      '给出 axes 时，shape 只列出这些轴的大小，其余的轴不变。',
      '以下情况会报错：大小为负数；大小的个数与 axes 或轴数不一致。',
    ],
    inputs: { input_data: '要裁剪或填充的张量。', shape: '目标大小，int64 或 int32。' },
    outputs: { output_data: '元素类型相同、大小符合要求的张量。' },
    attributes: { axes: 'shape 所指的轴；省略时为所有轴。负数从末尾数起。' },
  },
};
