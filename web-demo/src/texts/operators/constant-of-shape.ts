// What is told about ConstantOfShape.
import type { OperatorWords } from './operator-text.js';

export const constantOfShape: OperatorWords = {
  group: 'make',
  aliases: ['np.full', 'np.zeros', 'np.ones', 'torch.full', 'torch.zeros', 'torch.ones', 'tf.fill', 'fill'],
  en: {
    summary: 'Makes a tensor of a given shape with the same value in every place.',
    details: [
      'The input lists the sizes of the output: [2, 3] makes a tensor of shape [2, 3]. The attribute value holds the fill as its single element, and gives the output its type. Without value, the fill is 0 as float32.',
      'An empty input, of shape [0], gives a scalar: no axes, one element. A 0 among the sizes gives an empty tensor: [4, 0] makes a tensor of shape [4, 0] without elements.',
      'The fill is repeated bit for bit, so NaN and -0 stay what they are. There are no string and no complex tensors in any version.',
      'Errors: a negative size, also -1, which has no special meaning here; an input that is not int64 or does not have exactly one axis; a value with no element or with more than one. An output that is too large for memory is an error too, at the latest when its elements are read.',
    ],
    inputs: {
      input: 'The sizes of the output, one per axis: an int64 tensor of shape [number of axes], none negative.',
    },
    outputs: { output: 'A tensor whose shape is what the input lists, of the type of value, or float32 without it.' },
    attributes: {
      value: 'The fill: a tensor with exactly one element, usually of shape [1]; 0 as float32 if left out.',
    },
    versions: {
      9: 'The first version: it makes bool, float16, float32, float64 and integers of 8 to 64 bits.',
      20: 'bfloat16 and four 8-bit floats are new: float8e4m3fn, float8e4m3fnuz, float8e5m2 and float8e5m2fnuz.',
      21: 'The 4-bit integers int4 and uint4 are new.',
      23: 'The 4-bit float float4e2m1 is new.',
      24: 'The type float8e8m0 is new: powers of two in 8 bits.',
      25: 'The 2-bit integers int2 and uint2 are new.',
    },
    examples: {
      float_ones: 'The value 1 as float32 fills shape [4, 3, 2].',
      int32_zeros: 'The value 0 as int32 fills shape [10, 6]; the type comes from value.',
      int32_shape_zero: 'A size of 0 gives a tensor of shape [0], without elements.',
    },
  },
  zh: {
    summary: '按给定的形状生成一个张量，所有元素都是同一个值。',
    details: [
      '输入列出输出各轴的大小：[2, 3] 生成形状为 [2, 3] 的张量。填充值是属性 value 中唯一的那个元素，输出的元素类型与 value 相同；不给 value 时，用 float32 的 0 填充。',
      '输入为空（形状为 [0]）时得到标量：没有轴，只有一个元素。只要有一个大小为 0，就得到空张量：[4, 0] 生成形状为 [4, 0]、没有元素的张量。',
      '填充值按位复制，因此 NaN 和 -0 都保持原样。任何版本都不支持 string 和复数类型。',
      '以下情况会报错：大小为负数，包括 -1（它在这里没有特殊含义）；输入不是 int64，或者不是恰好一个轴；value 没有元素，或者多于一个元素。输出大到内存放不下时也会报错，最迟在读取元素时。',
    ],
    inputs: { input: '输出各轴的大小，每个轴一个：int64 张量，形状为 [轴数]，不能有负数。' },
    outputs: { output: '形状由输入给出的张量，元素类型与 value 相同；没有 value 时为 float32。' },
    attributes: { value: '填充值：恰好含一个元素的张量，形状通常为 [1]；省略时为 float32 的 0。' },
    versions: {
      9: '最初的版本：可以生成 bool、float16、float32、float64 以及 8 到 64 位的整数。',
      20: '新增 bfloat16 和四种 8 位浮点类型：float8e4m3fn、float8e4m3fnuz、float8e5m2 和 float8e5m2fnuz。',
      21: '新增 4 位整数类型 int4 和 uint4。',
      23: '新增 4 位浮点类型 float4e2m1。',
      24: '新增元素类型 float8e8m0：用 8 位表示 2 的幂。',
      25: '新增 2 位整数类型 int2 和 uint2。',
    },
    examples: {
      float_ones: '用 float32 的 1 填满形状 [4, 3, 2]。',
      int32_zeros: '用 int32 的 0 填满形状 [10, 6]；元素类型由 value 决定。',
      int32_shape_zero: '大小为 0，得到形状为 [0]、没有元素的张量。',
    },
  },
};
