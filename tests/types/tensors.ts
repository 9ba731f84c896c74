// Compile-only: elements of tensors, and the types of data. Lines below @ts-expect-error must not compile.
import {
  type DataType,
  type DataTypeMap,
  type DataTypeRow,
  dataTypes,
  type ElementsOf,
  type Nested,
  type Runtime,
  type Tensor,
  type TensorLike,
} from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;

// data has the array type of the table.
holds<Same<Tensor<'float32'>['data'], Float32Array>>();
holds<Same<Tensor<'int64'>['data'], BigInt64Array>>();
holds<Same<Tensor<'uint64'>['data'], BigUint64Array>>();
holds<Same<Tensor<'bool'>['data'], Uint8Array>>();
holds<Same<Tensor<'float16'>['data'], Uint16Array>>();
holds<Same<Tensor<'bfloat16'>['data'], Uint16Array>>();
holds<Same<Tensor<'int4'>['data'], Uint8Array>>();
holds<Same<Tensor<'complex128'>['data'], Float64Array>>();
holds<Same<Tensor<'string'>['data'], string[]>>();
holds<Same<ReturnType<Tensor<'int8'>['toArray']>, Int8Array<ArrayBuffer>>>();
holds<Same<ReturnType<Tensor<'int8'>['unpack']>, number[]>>();
holds<Same<Tensor<'int8'>['dims'], readonly number[]>>();
holds<Same<Tensor<'int8'>['strides'], readonly number[]>>();
holds<Same<DataType, keyof DataTypeMap>>();
holds<Same<DataTypeRow['name'], DataType>>();
holds<Same<(typeof dataTypes)[number], DataTypeRow>>();
holds<Same<(typeof dataTypes)[6]['array'], 'BigInt64Array'>>();
holds<Same<Tensor['type'], DataType>>();

// The type of a tensor follows from its name.
holds<Same<typeof int64, Tensor<'int64'>>>();
const int64 = ops.tensor('int64', [1n], [1]);
int64.data satisfies BigInt64Array;
ops.empty('string', [2]).data satisfies string[];
// @ts-expect-error: int64 elements are bigints
int64.data satisfies Float64Array;
// @ts-expect-error: no such type
ops.tensor('float', [1], [1]);
// @ts-expect-error: no such type
ops.empty('int128', [1]);

// Elements: lists of values, or an array of data's type.
ops.tensor('float32', [1, 2], [2]);
ops.tensor('float32', [1, 2] as const, [2]);
ops.tensor('float32', Float32Array.of(1, 2), [2]);
ops.tensor('int64', [1, 2n, 3], [3]);
ops.tensor('uint64', BigUint64Array.of(1n), [1]);
ops.tensor('bool', [true, 0], [2]);
ops.tensor('bool', Uint8Array.of(1), [1]);
ops.tensor('string', ['a'], [1]);
ops.tensor('uint8', new Uint8ClampedArray(1), [1]);
ops.tensor('int4', [-8, 7], [2]);
ops.tensor('float16', Uint16Array.of(0x3c00), [1]);
declare const half: Uint16Array & { readonly [Symbol.toStringTag]: 'Float16Array' };
ops.tensor('float16', half as { readonly [Symbol.toStringTag]: 'Float16Array' } & ArrayBufferView, [1]);

// @ts-expect-error: another array
ops.tensor('float32', Float64Array.of(1), [1]);
// @ts-expect-error: numbers are not strings
ops.tensor('string', [1], [1]);
// @ts-expect-error: strings are not numbers
ops.tensor('float32', ['1'], [1]);
// @ts-expect-error: bigints are for 64-bit integers
ops.tensor('int32', [1n], [1]);
// @ts-expect-error: booleans are for bool
ops.tensor('int8', [true], [1]);
// @ts-expect-error: an Int32Array is not int64
ops.tensor('int64', Int32Array.of(1), [1]);
// @ts-expect-error: an unsigned array is not int64
ops.tensor('int64', BigUint64Array.of(1n), [1]);
const nested = ops.tensor('int8', [[1, 2]]).toNested();
holds<Same<typeof nested, Nested<number>>>();
ops.tensor('int8', [1]);
ops.tensor('int8', 1);
ops.tensor('bool', [[true], [false]]);
ops.tensor('string', [['a']]);
// @ts-expect-error: numbers are not bools
ops.tensor('int8', [[true]]);
// @ts-expect-error: strings are not numbers
ops.tensor('int8', [['1']]);
// @ts-expect-error: dims are a list
ops.tensor('int8', [1], 1);
// @ts-expect-error: dims are numbers
ops.tensor('int8', [1], ['1']);

// The properties of a tensor are read-only; its elements are not.
int64.data[0] = 2n;
// @ts-expect-error: dims are read-only
int64.dims = [2];
// @ts-expect-error: so are the elements of dims
int64.dims[0] = 2;
// @ts-expect-error: strides are read-only
int64.strides = [1];
// @ts-expect-error: so is the table of types
dataTypes[0].bits = 64;
// @ts-expect-error: type is read-only
int64.type = 'int64';
// @ts-expect-error: data is a getter
int64.data = BigInt64Array.of(1n);
// @ts-expect-error: only a runtime makes tensors
new Tensor();

// A tensor of one type is a Tensor of any type, and a TensorLike.
int64 satisfies Tensor;
int64 satisfies TensorLike;
int64 satisfies TensorLike<'int64'>;
// @ts-expect-error: not of another type
int64 satisfies Tensor<'int32'>;
// @ts-expect-error: not of another type
int64 satisfies TensorLike<'int32'>;

// Generic code over the element type.
export function copy<T extends DataType>(tensor: Tensor<T>): Tensor<T> {
  return ops.tensor(tensor.type, tensor.data as ElementsOf<T>, tensor.dims);
}
export function firstOf(tensor: Tensor): number | bigint | string | undefined {
  return tensor.data[0];
}

// using, with tensors and models.
export function used(file: Uint8Array): number {
  using x = ops.empty('int8', [1]);
  using model = ops.loadModel(file);
  return x.size + model.inputs.length;
}
