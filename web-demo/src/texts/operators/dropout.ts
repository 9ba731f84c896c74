// What is told about Dropout.
import type { OperatorWords } from './operator-text.js';

export const dropout: OperatorWords = {
  group: 'normalise',
  aliases: [
    'torch.nn.Dropout',
    'torch.nn.functional.dropout',
    'tf.nn.dropout',
    'tf.keras.layers.Dropout',
    'regularization',
  ],
  en: {
    summary:
      'Drops random elements in training; in inference, which is all that runs here, it gives its input unchanged.',
    details: [
      'In training, elements become 0 with a probability of ratio, and all others are divided by 1 - ratio. It keeps a network from relying on single values.',
      'Errors, because they ask for training: training_mode true, unless ratio is 0; in versions 1 and 6, is_test 0, which is the default. Versions 7 and 10 never train.',
    ],
    inputs: {
      data: 'A tensor of any shape.',
      ratio: 'The probability that an element is dropped, in training: one number, 0.5 if left out.',
      training_mode: 'Whether this is training: one bool, false if left out.',
    },
    outputs: {
      output: 'The same tensor: type, shape and elements of the input.',
      mask: 'Which elements were kept: all of them. It is true everywhere, or 1 before version 10.',
    },
    attributes: {
      ratio: 'The probability that an element is dropped, in training, in versions before 12.',
      is_test: '1: inference; 0: training, which is an error here.',
      seed: 'Where random numbers begin, in training; it changes nothing here.',
      consumed_inputs: 'A list that version 1 knew for planning memory; it changes nothing.',
    },
  },
  zh: {
    summary: '训练时随机丢弃元素；推理时原样输出，这里只运行推理。',
    details: [
      '训练时，元素以概率 ratio 变为 0，其余除以 1 - ratio。这样网络就不会依赖个别的值。',
      '以下情况要求训练，会报错：training_mode 为真且 ratio 不为 0；版本 1 和 6 中 is_test 为 0，而这正是默认值。版本 7 和 10 从不训练。',
    ],
    inputs: {
      data: '任意形状的张量。',
      ratio: '训练时元素被丢弃的概率：一个数，省略时为 0.5。',
      training_mode: '是否为训练：一个 bool，省略时为假。',
    },
    outputs: {
      output: '同一个张量：元素类型、形状和元素都与输入相同。',
      mask: '哪些元素得以保留：全部。处处为真，版本 10 之前为 1。',
    },
    attributes: {
      ratio: '版本 12 之前，训练时元素被丢弃的概率。',
      is_test: '1：推理；0：训练，在这里会报错。',
      seed: '训练时随机数的种子，在这里没有影响。',
      consumed_inputs: '版本 1 为规划内存而设的列表，对结果没有影响。',
    },
  },
};
