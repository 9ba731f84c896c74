// What is told about BatchNormalization.
import type { OperatorWords } from './operator-text.js';

export const batchNormalization: OperatorWords = {
  group: 'normalise',
  aliases: [
    'torch.nn.BatchNorm2d',
    'torch.nn.functional.batch_norm',
    'tf.nn.batch_normalization',
    'tf.keras.layers.BatchNormalization',
    'batch norm',
  ],
  en: {
    summary: 'Scales and shifts each channel by a mean and a variance that were learned in training.',
    details: [
      'Each element x gives (x - mean) / sqrt(var + epsilon) · scale + B, with the four numbers of its channel. Channels are axis 1.',
      'With one axis, all elements are of one channel. float16 and bfloat16 are computed in float32 and rounded once.',
      'Only inference runs here. Errors, because they ask for training: training_mode 1, or more outputs than Y. Others: a scalar; a parameter without one element for each channel.',
    ],
    inputs: {
      X: 'A tensor [N, C, ...]: samples, channels, and any number of further axes.',
      scale: 'What each channel is multiplied by.',
      B: 'What is added to each channel.',
      mean: 'The mean of each channel, in versions before 14.',
      var: 'The variance of each channel, in versions before 14.',
      input_mean: 'The mean of each channel, from version 14 on.',
      input_var: 'The variance of each channel, from version 14 on.',
    },
    outputs: {
      Y: 'A tensor of the type and shape of X.',
      mean: 'The new running mean: only in training, which is an error here.',
      var: 'The new running variance: only in training, which is an error here.',
      saved_mean: 'The mean of this batch: only in training, which is an error here.',
      saved_var: 'The variance of this batch: only in training, which is an error here.',
      running_mean: 'The new running mean: only in training, which is an error here.',
      running_var: 'The new running variance: only in training, which is an error here.',
    },
    attributes: {
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
      epsilon: 'A small number that keeps the divisor from being 0.',
      is_test: '1 says that this is inference; with one output it is so with 0 as well.',
      momentum: 'How slowly running statistics follow, in training; it changes nothing here.',
      spatial:
        '1: statistics are of each channel; 0: of each place in a sample, with the shape of X without its first axis.',
      training_mode: '0: inference; 1: training, which is an error here.',
    },
  },
  zh: {
    summary: '用训练时得到的均值和方差，对每个通道缩放和平移。',
    details: [
      '每个元素 x 的结果：(x - mean) / sqrt(var + epsilon) · scale + B，这四个数取自它所在的通道。通道是轴 1。',
      '只有一个轴时，所有元素同属一个通道。float16 和 bfloat16 用 float32 计算，最后舍入一次。',
      '这里只运行推理。以下情况要求训练，会报错：training_mode 为 1；除 Y 外还要求其他输出。标量，或参数不是每个通道一个元素，也会报错。',
    ],
    inputs: {
      X: '张量 [N, C, ...]：样本、通道，以及任意多个其他轴。',
      scale: '每个通道所乘的系数。',
      B: '每个通道所加的数。',
      mean: '版本 14 之前，每个通道的均值。',
      var: '版本 14 之前，每个通道的方差。',
      input_mean: '从版本 14 起，每个通道的均值。',
      input_var: '从版本 14 起，每个通道的方差。',
    },
    outputs: {
      Y: '元素类型和形状都与 X 相同的张量。',
      mean: '更新后的均值：只在训练时有，在这里会报错。',
      var: '更新后的方差：只在训练时有，在这里会报错。',
      saved_mean: '本批的均值：只在训练时有，在这里会报错。',
      saved_var: '本批的方差：只在训练时有，在这里会报错。',
      running_mean: '更新后的均值：只在训练时有，在这里会报错。',
      running_var: '更新后的方差：只在训练时有，在这里会报错。',
    },
    attributes: {
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
      epsilon: '防止除数为 0 的小数值。',
      is_test: '1 表示推理；只有一个输出时，为 0 也是推理。',
      momentum: '训练时统计量更新的快慢，在这里没有影响。',
      spatial: '1：每个通道一组统计量；0：样本中每个位置一组，形状为 X 去掉第一个轴。',
      training_mode: '0：推理；1：训练，在这里会报错。',
    },
  },
};
