// What is told about Shape.
import { texts } from '../texts.js';
import type { OperatorText } from './operator-text.js';

export const shape = texts<OperatorText>({
  en: {
    summary: "Gives the sizes of a tensor's axes, as a tensor of integers.",
    details: [
      'Only the shape is read, never the elements. A tensor of shape [2, 3, 4] gives the int64 elements 2, 3, 4, a tensor of shape [3]. A scalar has no axes and gives an empty tensor of shape [0].',
      'From version 15 on, start and end choose some of the axes. The axis at start is part of the result, the axis at end is not. Negative numbers count from the end, so -1 is the last axis. For [2, 3, 4], start 1 gives 3, 4; end -1 gives 2, 3; start -1 gives 4.',
      'Numbers outside the axes count as the nearest end: for [2, 3, 4], start -10 is 0 and end 10 is 3. If start is not before end, the result is empty. That is not an error.',
      'Packed types count elements, not bytes: five int4 elements have shape [5]. Errors: start and end before version 15; a type that the version does not list.',
    ],
    inputs: { data: 'The tensor whose shape is asked for; any shape.' },
    outputs: { shape: 'The sizes of the axes chosen: an int64 tensor of shape [number of axes chosen].' },
    attributes: {
      start: 'The first axis to give; negative ones count from the end; 0 if left out.',
      end: 'The axis to stop before; negative ones count from the end; all axes up to the last if left out.',
    },
    versions: {
      1: 'The first version, for 15 types: bool, string, complex64, complex128, float16, float32, float64 and integers of 8 to 64 bits.',
      13: 'The type bfloat16 is new.',
      15: 'start and end are new: they choose some of the axes.',
      19: 'Four 8-bit floats are new: float8e4m3fn, float8e4m3fnuz, float8e5m2 and float8e5m2fnuz.',
      21: 'The 4-bit integers int4 and uint4 are new.',
      23: 'The 4-bit float float4e2m1 is new.',
      24: 'The type float8e8m0 is new: powers of two in 8 bits.',
      25: 'The 2-bit integers int2 and uint2 are new.',
    },
  },
  zh: {
    summary: '以整数张量的形式给出一个张量各轴的大小。',
    details: [
      '只读取形状，不读取元素。形状为 [2, 3, 4] 的张量得到 int64 元素 2、3、4，即一个形状为 [3] 的张量。标量没有轴，得到形状为 [0] 的空张量。',
      '从版本 15 起，可以用 start 和 end 选取一部分轴：从 start 开始，到 end 之前为止。负数从末尾数起，-1 就是最后一个轴。对于 [2, 3, 4]，start 为 1 得到 3、4；end 为 -1 得到 2、3；start 为 -1 得到 4。',
      '超出范围的边界会被截到最近的一端：对于 [2, 3, 4]，start 为 -10 相当于 0，end 为 10 相当于 3。如果 start 不在 end 之前，结果为空，不算错误。',
      '打包存储的类型按元素计数，而不是按字节：5 个 int4 元素的形状是 [5]。以下情况会报错：在版本 15 之前使用 start 或 end；元素类型不在该版本的列表里。',
    ],
    inputs: { data: '要查询形状的张量，形状不限。' },
    outputs: { shape: '所选各轴的大小：int64 张量，形状为 [所选轴数]。' },
    attributes: {
      start: '从哪个轴开始；负数从末尾数起；省略时为 0。',
      end: '到哪个轴之前为止；负数从末尾数起；省略时一直到最后一个轴。',
    },
    versions: {
      1: '最初的版本，支持 15 种元素类型：bool、string、complex64、complex128、float16、float32、float64 以及 8 到 64 位的整数。',
      13: '新增元素类型 bfloat16。',
      15: '新增 start 和 end，用来选取一部分轴。',
      19: '新增四种 8 位浮点类型：float8e4m3fn、float8e4m3fnuz、float8e5m2 和 float8e5m2fnuz。',
      21: '新增 4 位整数类型 int4 和 uint4。',
      23: '新增 4 位浮点类型 float4e2m1。',
      24: '新增元素类型 float8e8m0：用 8 位表示 2 的幂。',
      25: '新增 2 位整数类型 int2 和 uint2。',
    },
  },
});
