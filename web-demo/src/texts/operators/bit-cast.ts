// What is told about BitCast.
import type { OperatorWords } from './operator-text.js';

export const bitCast: OperatorWords = {
  group: 'convert',
  aliases: [
    'np.ndarray.view',
    'torch.Tensor.view(dtype)',
    'tf.bitcast',
    'reinterpret_cast',
    'reinterpret bits',
    'raw bits',
  ],
  en: {
    summary: 'Reads the bits of each element as another element type of the same size.',
    details: [
      'No number is converted, as Cast does: 1 as float32 has the bits 0x3f800000, which are 1065353216 as int32. The shape stays the same. To read bits as bool, which has 8 of them, makes everything but 0 true.',
      'Errors: two types whose elements have different numbers of bits; strings.',
    ],
    inputs: { input: 'The tensor to read.' },
    outputs: { output: 'A tensor of the same shape, of the type that to names.' },
    attributes: {
      to: 'The wanted element type: a number of TensorProto.DataType, such as 1 for float32 and 7 for int64.',
    },
  },
  zh: {
    summary: '把每个元素的各位按另一种同样大小的元素类型读取。',
    details: [
      '不像 Cast 那样转换数值：float32 的 1 的各位是 0x3f800000，按 int32 读取就是 1065353216。形状不变。bool 占 8 位；读作 bool 时，除 0 以外都为真。',
      '以下情况会报错：两种类型的位数不同；字符串。',
    ],
    inputs: { input: '要读取的张量。' },
    outputs: { output: '形状相同的张量，元素类型由 to 指定。' },
    attributes: { to: '目标元素类型：TensorProto.DataType 中的编号，例如 1 表示 float32，7 表示 int64。' },
  },
};
