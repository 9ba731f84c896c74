// What is told about Identity.
import type { OperatorWords } from './operator-text.js';

export const identity: OperatorWords = {
  group: 'convert',
  aliases: ['np.copy', 'torch.nn.Identity', 'torch.clone', 'tf.identity', 'copy', 'pass through'],
  en: {
    summary: 'Gives its input unchanged: the same type, the same shape, the same elements.',
    details: [
      'It computes nothing. In a model it gives a value a second name, or takes the place of a step that was removed.',
      'Any shape will do: a tensor of shape [2, 3] stays [2, 3], a scalar stays a scalar, and an empty tensor of shape [0, 3] stays empty. Elements stay the same bit for bit, NaN and -0 included. Broadloom lets input and output share their memory until one of them needs its own.',
      'Later versions of ONNX also let sequences and optional values through. Broadloom runs tensors only. A model with other values is an error.',
      'Errors: a type that the version does not list, such as int4 before version 21.',
    ],
    inputs: { input: 'A tensor of any shape.' },
    outputs: { output: 'The same tensor: type, shape and elements of the input.' },
    attributes: {},
    versions: {
      1: 'The first version, for 15 types: bool, string, complex64, complex128, float16, float32, float64 and integers of 8 to 64 bits.',
      13: 'The type bfloat16 is new.',
      14: 'ONNX allows sequences of tensors as well; nothing changes for tensors.',
      16: 'ONNX allows optional values as well; nothing changes for tensors.',
      19: 'Four 8-bit floats are new: float8e4m3fn, float8e4m3fnuz, float8e5m2 and float8e5m2fnuz.',
      21: 'The 4-bit integers int4 and uint4 are new.',
      23: 'The 4-bit float float4e2m1 is new.',
      24: 'The type float8e8m0 is new: powers of two in 8 bits.',
      25: 'The 2-bit integers int2 and uint2 are new.',
    },
  },
  zh: {
    summary: '原样输出输入：元素类型、形状和元素都不变。',
    details: [
      '它不做任何计算。在模型里，它用来给一个值起第二个名字，或者填补被移除的步骤留下的位置。',
      '形状不限：形状为 [2, 3] 的张量仍是 [2, 3]，标量仍是标量，形状为 [0, 3] 的空张量仍为空。元素逐位相同，包括 NaN 和 -0。在 Broadloom 中，输入和输出共用内存，直到其中一方需要自己的一份。',
      'ONNX 的较新版本还允许序列（sequence）和可选值（optional）。Broadloom 只运行张量，含有其他类型的值的模型会报错。',
      '以下情况会报错：元素类型不在该版本的列表里，例如版本 21 之前的 int4。',
    ],
    inputs: { input: '任意形状的张量。' },
    outputs: { output: '同一个张量：元素类型、形状和元素都与输入相同。' },
    attributes: {},
    versions: {
      1: '最初的版本，支持 15 种元素类型：bool、string、complex64、complex128、float16、float32、float64 以及 8 到 64 位的整数。',
      13: '新增元素类型 bfloat16。',
      14: 'ONNX 从此也允许张量的序列；对张量没有变化。',
      16: 'ONNX 从此也允许可选值；对张量没有变化。',
      19: '新增四种 8 位浮点类型：float8e4m3fn、float8e4m3fnuz、float8e5m2 和 float8e5m2fnuz。',
      21: '新增 4 位整数类型 int4 和 uint4。',
      23: '新增 4 位浮点类型 float4e2m1。',
      24: '新增元素类型 float8e8m0：用 8 位表示 2 的幂。',
      25: '新增 2 位整数类型 int2 和 uint2。',
    },
  },
};
