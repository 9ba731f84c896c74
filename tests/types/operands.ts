// Compile-only: numbers as operands, types of several operands, and the types of results. Lines below @ts-expect-error must not
// compile.
import type { AnyTensor, Runtime, Tensor } from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;
declare const f32: Tensor<'float32'>;
declare const i32: Tensor<'int32'>;
declare const i64: Tensor<'int64'>;
declare const u8: Tensor<'uint8'>;
declare const bool: Tensor<'bool'>;
declare const text: Tensor<'string'>;
declare const any: AnyTensor;
declare const unknown: Tensor;

// Operands of one type variable are of one type.
const sum = ops.add(f32, f32);
holds<Same<typeof sum, Tensor<'float32'>>>();
// @ts-expect-error: of two types
ops.add(f32, i32);
// @ts-expect-error: of two types
ops.where(bool, f32, i64);
// @ts-expect-error: of two types
ops.matMul(f32, i32);
// @ts-expect-error: of two types
ops.concat([f32, i32], { axis: 0 });
// @ts-expect-error: of two types
ops.clip(f32, i32, null);
// @ts-expect-error: the condition must be bool
ops.where(f32, f32, f32);
// @ts-expect-error: no version takes strings
ops.add(text, text);

const list: Tensor<'float32'>[] = [];
const joined = ops.concat(list, { axis: 0 });
holds<Same<typeof joined, Tensor<'float32'>>>();
const joinedAny = ops.concat([any] as AnyTensor[], { axis: 0 });
joinedAny satisfies Tensor;

// Tensors whose types are known when the program runs.
ops.add(any, f32);
ops.add(f32, any);
ops.add(unknown, unknown);
ops.gather(any, any);
ops.where(any, f32, any);
ops.concat([any, f32], { axis: 0 });
ops.reshape(f32, any);
ops.topK(unknown, unknown);

// Operands of several types are found wherever they stand.
ops.matMul(f32, any);
ops.conv(any, f32);
ops.pad(f32, [0, 1], any);
ops.sum([f32, unknown]);
const known = ops.add(f32, any);
holds<Same<typeof known, Tensor<'float32'>>>();
declare const part: Tensor<'float32' | 'string'>;
ops.add(part, 1);
// @ts-expect-error: no operand tells the type
ops.add(1, 2);
// @ts-expect-error: an image is a tensor
ops.conv(1, f32);
// @ts-expect-error: neither can be int32
ops.add(part, i32);

// Generic code has numbers as operands, too.
export function joinedWithItself<T extends 'float32' | 'int8'>(x: Tensor<T>): Tensor<T> {
  return ops.concat([x, ops.reshape(x, -1)], { axis: 0 });
}
export function summed<T extends 'float32' | 'float64'>(x: Tensor<T>, axes: Tensor<'int64'>): Tensor<T> {
  return ops.sub(1, ops.reduceSum(ops.matMul(x, x), axes, { keepdims: 0 }));
}
export function mixed<T extends 'float32' | 'string'>(x: Tensor<T>): void {
  // @ts-expect-error: no version takes strings
  ops.relu(x);
}
export function leaky<T extends 'float32' | 'float64'>(x: Tensor<T>): Tensor<T> {
  return ops.where(ops.greater(x, 0), x, ops.mul(x, 0.1));
}
export function sigmoid<T extends 'float16' | 'bfloat16'>(x: Tensor<T>): Tensor<T> {
  return ops.div(1, ops.add(ops.exp(ops.neg(x)), 1));
}
export function either<T extends 'bool' | 'int32'>(x: Tensor<T>): void {
  // @ts-expect-error: true is not an int32
  ops.equal(x, true);
}

// A number has the type of the other operands.
const scaled = ops.mul(f32, 2);
holds<Same<typeof scaled, Tensor<'float32'>>>();
const added = ops.add(1, i64);
holds<Same<typeof added, Tensor<'int64'>>>();
ops.add(i64, 1n);
ops.pow(f32, 2);
ops.clip(f32, 0, 6);
ops.clip(f32, null, 6);
ops.where(bool, f32, 0);
ops.where(bool, 0, f32);
ops.where([true, false], f32, 0);
ops.and(bool, true);
ops.max([f32, 0]);
ops.mul(any, 2);
ops.dequantizeLinear(u8, 0.1, 128);
// @ts-expect-error: true has no element type of numbers
ops.add(f32, true);
// @ts-expect-error: strings do not stand for tensors
ops.add(f32, '2');
// @ts-expect-error: no number is a string
ops.equal(text, 1);
// @ts-expect-error: the first input must be a tensor
ops.relu(5);

// One axis or size needs no list.
ops.reduceSum(f32, 0);
ops.unsqueeze(f32, 0);
ops.topK(f32, 2);
ops.reshape(f32, -1);
ops.slice(f32, 0, 9223372036854775807n);
ops.slice(f32, [0], BigInt64Array.of(9223372036854775807n));
ops.constantOfShape(3);
ops.transpose(f32, { perm: 0 });
ops.reduceSum(f32, 0, { keepdims: true });

// int32 and int64, wherever ONNX takes both.
ops.gather(f32, i32);
ops.gather(f32, i64);
ops.slice(f32, i32, i32);
ops.cumSum(f32, i32);
// @ts-expect-error: indices are integers
ops.gather(f32, f32);
// @ts-expect-error: a shape is int64
ops.reshape(f32, i32);

// Types of results.
const dequantized = ops.dequantizeLinear(u8, f32);
holds<Same<typeof dequantized, Tensor<'float32'>>>();
const eye = ops.eyeLike(i32);
holds<Same<typeof eye, Tensor<'int32'>>>();
const eyeOf = ops.eyeLike(i32, { dtype: 'float16' });
holds<Same<typeof eyeOf, Tensor<'float16'>>>();
const cast = ops.cast(f32, { to: 'int32' });
holds<Same<typeof cast, Tensor<'int32'>>>();
const compared = ops.less(f32, 0);
holds<Same<typeof compared, Tensor<'bool'>>>();

// Ranges.
const integers = ops.range('int64', 0, 5, 1);
holds<Same<typeof integers, Tensor<'int64'>>>();
const reals = ops.range(0, 1, 0.1);
holds<Same<typeof reals, Tensor<'float32'>>>();
const bigints = ops.range(0n, 5n, 1n);
holds<Same<typeof bigints, Tensor<'int64'>>>();
const upTo = ops.range(0, i32, 1);
holds<Same<typeof upTo, Tensor<'int32'>>>();
const counted = ops.range(5);
holds<Same<typeof counted, Tensor<'float32'>>>();
const countedBig = ops.range(5n);
holds<Same<typeof countedBig, Tensor<'int64'>>>();
const countedAs = ops.range('int64', 5);
holds<Same<typeof countedAs, Tensor<'int64'>>>();
const between = ops.range('int16', 2, 5);
holds<Same<typeof between, Tensor<'int16'>>>();
const ofTensor = ops.range(i32);
holds<Same<typeof ofTensor, Tensor<'int32'>>>();
ops.range(2, 5, undefined, { stash_type: 11 }, { opset: 27 });
ops.range(unknown, any, 1);
ops.range(f32, f32, f32, {
  // @ts-expect-error: no such attribute
  stash: 1,
});
ops.range(0, 1, 0.5, {
  // @ts-expect-error: no such attribute
  stash: 1,
});
// @ts-expect-error: of two types
ops.range(f32, i32, 1);
// @ts-expect-error: a limit is missing
ops.range('int64');
// @ts-expect-error: strings have no range
ops.range('string', 0, 5, 1);

// Elements.
const item = i64.item();
holds<Same<typeof item, bigint>>();
const truth = bool.item();
holds<Same<typeof truth, boolean>>();
for (const row of f32) holds<Same<typeof row, Tensor<'float32'>>>();
