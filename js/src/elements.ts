import type { Context } from './context.js';
import { invalidArgument, OnnxError } from './error.js';
import { show } from './memory.js';
import { Tensor } from './tensor.js';
import { type Dtype, dtypeOf, type TensorLike } from './types.js';

/** Arrays that hold the same bytes as the one in the type table. */
const alsoTaken: { readonly [type: string]: string } = { uint8: 'Uint8ClampedArray', float16: 'Float16Array' };

export function checkedDtype(type: unknown): Dtype {
  const dtype = dtypeOf(type);
  if (dtype === undefined) throw new OnnxError('UNSUPPORTED_TYPE', `${show(type)} is no ONNX element type`);
  return dtype;
}

function writeDims(context: Context, dims: readonly number[]): void {
  if (typeof dims?.length !== 'number' || typeof dims === 'string') {
    throw invalidArgument(`dims are ${show(dims)}, wanted a list of sizes such as [2, 3]`);
  }
  context.memory.begin();
  context.memory.integers(dims, 'dims');
}

/** Makes a tensor whose elements are zero, or empty strings. It is the result that `context` takes next. */
export function makeEmpty(context: Context, dtype: Dtype, dims: readonly number[]): void {
  const { memory } = context;
  writeDims(context, dims);
  memory.check(memory.glue.createTensor(dtype.id, -1));
}

/**
 * Makes a tensor of copied elements. It is the result that `context` takes next. Wrong elements are refused before
 * anything is allocated for them, or what was is freed.
 */
export function makeTensor(context: Context, dtype: Dtype, dims: readonly number[], data: unknown): void {
  if (ArrayBuffer.isView(data)) makeFromTypedArray(context, dtype, dims, data);
  else if (!Array.isArray(data)) throw invalidArgument(`data is ${show(data)}, wanted ${wantedData(dtype)}`);
  else if (dtype.kind === 'string') makeFromStrings(context, dims, data);
  else if (dtype.array.startsWith('Big') && data.some((value) => typeof value === 'bigint')) {
    makeFromTypedArray(context, dtype, dims, toBigints(dtype, data));
  } else makeFromNumbers(context, dtype, dims, data);
}

function wantedData(dtype: Dtype): string {
  if (dtype.kind === 'string') return 'a list of strings';
  return `a ${dtype.array} or a list of ${dtype.array.startsWith('Big') ? 'bigints or numbers' : 'numbers'}`;
}

function makeFromTypedArray(context: Context, dtype: Dtype, dims: readonly number[], data: ArrayBufferView): void {
  const { memory } = context;
  const tag = (data as { [Symbol.toStringTag]?: string })[Symbol.toStringTag];
  if (tag !== dtype.array && tag !== alsoTaken[dtype.name]) {
    throw invalidArgument(`${dtype.name} elements are in a ${tag}, wanted ${wantedData(dtype)}`);
  }
  writeDims(context, dims);
  const source = memory.sourceOf(data);
  memory.check(memory.glue.createTensor(dtype.id, (data as Uint8Array).length));
  const handle = context.takeHandle();
  memory.copyIn(memory.glue.tensorBytes(handle), source());
  if (dtype.kind === 'boolean' || dtype.bits < 8) memory.check(memory.glue.checkTensor(handle));
  memory.rewind();
}

function makeFromNumbers(context: Context, dtype: Dtype, dims: readonly number[], data: readonly unknown[]): void {
  const { memory } = context;
  writeDims(context, dims);
  memory.number(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (typeof value === 'number') memory.number(value);
    else if (typeof value === 'boolean' && dtype.kind === 'boolean') memory.number(value ? 1 : 0);
    else if (typeof value === 'bigint' && Number.isSafeInteger(Number(value))) memory.number(Number(value));
    else throw invalidArgument(`element ${i} is ${show(value)}, which ${dtype.name} cannot hold`);
  }
  memory.check(memory.glue.encodeTensor(dtype.id));
}

function toBigints(dtype: Dtype, data: readonly unknown[]): BigInt64Array | BigUint64Array {
  const signed = dtype.name === 'int64';
  const array = signed ? new BigInt64Array(data.length) : new BigUint64Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    const exact = typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
    if (exact !== undefined) array[i] = exact;
    if (array[i] !== exact) throw invalidArgument(`element ${i} is ${show(value)}, which ${dtype.name} cannot hold`);
  }
  return array;
}

function makeFromStrings(context: Context, dims: readonly number[], data: readonly unknown[]): void {
  const { memory } = context;
  writeDims(context, dims);
  memory.number(data.length);
  for (let i = 0; i < data.length; i++) {
    const value = data[i];
    if (typeof value !== 'string') throw invalidArgument(`element ${i} is ${show(value)}, which string cannot hold`);
    memory.string(value);
  }
  memory.check(memory.glue.createStrings());
}

export function isTensorLike(value: unknown): value is TensorLike {
  if (value instanceof Tensor) return true;
  return typeof value === 'object' && value !== null && 'type' in value && 'dims' in value && 'data' in value;
}

/**
 * The handle of a tensor for a call. That of a tensor of this runtime is its own; anything else with the three fields is
 * copied in, and its handle joins `temporaries`, which the caller frees.
 */
export function handleOf(context: Context, value: TensorLike, temporaries: number[]): number {
  const own = value instanceof Tensor ? Tensor.handleIn(context, value as Tensor) : 0;
  if (own !== 0) return own;
  makeTensor(context, checkedDtype(value.type), value.dims, value.data);
  const handle = context.takeHandle();
  temporaries.push(handle);
  return handle;
}

export function freeAll(context: Context, temporaries: readonly number[]): void {
  for (const handle of temporaries) context.memory.glue.disposeTensor(handle);
}
