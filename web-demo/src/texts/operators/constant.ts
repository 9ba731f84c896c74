// What is told about Constant.
import type { OperatorWords } from './operator-text.js';

export const constant: OperatorWords = {
  group: 'make',
  aliases: ['np.array', 'torch.tensor', 'tf.constant', 'literal', 'parameter'],
  en: {
    summary: 'Gives a tensor that is written into the model itself; it needs no input.',
    details: [
      'The result comes from one attribute, so it is the same in every run. From version 11 on there are several attributes to choose from. Exactly one of them must be given: none, or two, is an error.',
      'value holds a whole tensor of any shape, a scalar (shape []) or an empty tensor included. value_int, value_float and value_string give a scalar; value_ints, value_floats and value_strings give a list of n elements with shape [n], and n may be 0.',
      'sparse_value lists only some elements: n values and their n places. Places are either positions in row-major order (indices of shape [n]) or one coordinate per axis (indices of shape [n, number of axes]). All other elements are 0, or the empty text for string. With shape [2, 3], values 5 and 7 at positions 1 and 5 give [[0, 5, 0], [0, 0, 7]].',
      'Errors: sparse indices that are out of range or not strictly ascending (so none may occur twice); a sparse tensor that is a scalar or has an axis of size 0; a type that the version does not list, such as int64 in version 1.',
    ],
    inputs: {},
    outputs: { output: 'The tensor that the attribute describes.' },
    attributes: {
      value: 'A tensor of any shape; its type and shape are those of the output.',
      sparse_value:
        'A sparse tensor: the shape of the output (at least one axis, no size 0), n values of shape [n], and their int64 indices of shape [n] or [n, number of axes].',
      value_float: 'One number; the output is a float32 scalar of shape [].',
      value_floats: 'A list of n numbers; the output is float32 of shape [n].',
      value_int: 'One integer; the output is an int64 scalar of shape [].',
      value_ints: 'A list of n integers; the output is int64 of shape [n].',
      value_string: 'One text; the output is a string scalar of shape [].',
      value_strings: 'A list of n texts; the output is string of shape [n].',
    },
    versions: {
      1: 'The first version: value is required, and its type is float16, float32 or float64.',
      9: 'value may also be bool, string, complex64, complex128 or an integer of 8 to 64 bits.',
      11: 'sparse_value is new: exactly one of value and sparse_value is given.',
      12: 'Numbers, texts and lists of them can be given directly: value_int, value_ints, value_float, value_floats, value_string, value_strings.',
      13: 'The type bfloat16 is new.',
      19: 'Four 8-bit floats are new: float8e4m3fn, float8e4m3fnuz, float8e5m2 and float8e5m2fnuz.',
      21: 'The 4-bit integers int4 and uint4 are new.',
      23: 'The 4-bit float float4e2m1 is new.',
      24: 'The type float8e8m0 is new: powers of two in 8 bits.',
      25: 'The 2-bit integers int2 and uint2 are new.',
    },
    examples: { default: 'A 5 × 5 float32 tensor, as it stands in the attribute value.' },
  },
  zh: {
    summary: '输出一个直接写在模型里的张量，不需要任何输入。',
    details: [
      '结果由一个属性给出，因此每次运行都相同。从版本 11 起有多个属性可选，必须且只能给出其中一个：一个都不给，或者给了两个，都会报错。',
      'value 是一个完整的张量，形状不限，可以是标量（形状为 []），也可以是空张量。value_int、value_float、value_string 得到标量；value_ints、value_floats、value_strings 得到 n 个元素的列表，形状为 [n]，n 可以为 0。',
      'sparse_value 只列出一部分元素：n 个值以及它们的 n 个位置。位置有两种写法：按行优先顺序的序号（indices 的形状为 [n]），或者每个轴一个坐标（indices 的形状为 [n, 轴数]）。其余元素都是 0，string 类型则为空字符串。例如形状为 [2, 3]，在序号 1 和 5 处放入 5 和 7，结果是 [[0, 5, 0], [0, 0, 7]]。',
      '以下情况会报错：稀疏索引越界，或者没有严格递增（所以也不能重复）；稀疏张量是标量，或者有大小为 0 的轴；元素类型不在该版本的列表里，例如版本 1 的 int64。',
    ],
    inputs: {},
    outputs: { output: '属性所描述的张量。' },
    attributes: {
      value: '任意形状的张量；输出的元素类型和形状与它相同。',
      sparse_value:
        '稀疏张量：包括输出的形状（至少一个轴，且没有大小为 0 的轴）、形状为 [n] 的 n 个值，以及形状为 [n] 或 [n, 轴数] 的 int64 索引。',
      value_float: '一个数；输出是 float32 标量，形状为 []。',
      value_floats: 'n 个数的列表；输出为 float32，形状为 [n]。',
      value_int: '一个整数；输出是 int64 标量，形状为 []。',
      value_ints: 'n 个整数的列表；输出为 int64，形状为 [n]。',
      value_string: '一个字符串；输出是 string 标量，形状为 []。',
      value_strings: 'n 个字符串的列表；输出为 string，形状为 [n]。',
    },
    versions: {
      1: '最初的版本：必须给出 value，元素类型只能是 float16、float32 或 float64。',
      9: 'value 还可以是 bool、string、complex64、complex128 以及 8 到 64 位的整数。',
      11: '新增 sparse_value：value 和 sparse_value 必须给出且只能给出一个。',
      12: '可以直接给出数、字符串或它们的列表：value_int、value_ints、value_float、value_floats、value_string、value_strings。',
      13: '新增元素类型 bfloat16。',
      19: '新增四种 8 位浮点类型：float8e4m3fn、float8e4m3fnuz、float8e5m2 和 float8e5m2fnuz。',
      21: '新增 4 位整数类型 int4 和 uint4。',
      23: '新增 4 位浮点类型 float4e2m1。',
      24: '新增元素类型 float8e8m0：用 8 位表示 2 的幂。',
      25: '新增 2 位整数类型 int2 和 uint2。',
    },
    examples: { default: '一个 5 × 5 的 float32 张量，与属性 value 中写的完全一样。' },
  },
};
