import { invalidArgument, OnnxError } from '../basics/error.js';
import { isList, lengthOfList, readIntegers, readStrings } from '../basics/lists.js';
import { show } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import type { Context } from '../calls/context.js';
import type { Memory, Source } from '../calls/memory.js';
import { handleOfTensor, isTensor, settle, type Tensor } from './tensor.js';
import { typeAdvice } from './type-names.js';
import { type DataType, type Dtype, dtypeOf, dtypes, type TensorLike } from './types.js';

/**
 * The parts of a tensor, read from the user's value: from here on no code of the user's runs, which could change it, free
 * other tensors or call the runtime.
 */
export interface Literal {
  readonly dtype: Dtype;
  readonly dims: readonly number[];
  /** Bytes in the type's own layout with their number of entries, or values, or strings. */
  readonly elements: { readonly source: Source; readonly length: number } | readonly number[] | readonly string[];
  /** The handle of the tensor that `makeAll` makes for a call; 0 before and after the call. */
  handle: number;
  /** The form in which it is fed (feeds.ts); absent for a tensor. */
  readonly form?: number;
}

/** A tensor of a call: one of the runtime, or what is copied in for the call. */
export type Given = Tensor | Literal;

/** Arrays that hold the same bytes as the one in the type table. */
const alsoTaken: { readonly [type: string]: string } = { uint8: 'Uint8ClampedArray', float16: 'Float16Array' };

export function checkedDtype(type: unknown): Dtype {
  const dtype = dtypeOf(type);
  if (dtype !== undefined) return dtype;
  const isName = typeof type !== 'object' && type !== undefined;
  const advice = isName
    ? typeAdvice(type)
    : ": the first argument is a type's name, as in tensor('float32', data, dims)";
  throw new OnnxError('UNSUPPORTED_TYPE', `${show(type)} is not an ONNX element type${advice}`);
}

export function readDims(dims: unknown): number[] {
  if (!isList(dims)) throw invalidArgument(`dims are ${show(dims)}, wanted a list of sizes such as [2, 3]`);
  return readIntegers(dims, 'dims');
}

/**
 * Reads a tensor that is given by its parts. Wrong elements are refused here, and in `makeTensor`. `numberOf` tells what
 * the entries of a list of numbers stand for.
 */
export function readLiteral(
  memory: Memory,
  type: unknown,
  dims: unknown,
  data: unknown,
  numberOf: (entry: unknown) => unknown = asItIs,
): Literal {
  const dtype = checkedDtype(type);
  return { dtype, dims: readDims(dims), elements: readElements(memory, dtype, data, numberOf), handle: 0 };
}

function asItIs(entry: unknown): unknown {
  return entry;
}

function readElements(
  memory: Memory,
  dtype: Dtype,
  data: unknown,
  numberOf: (entry: unknown) => unknown,
): Literal['elements'] {
  if (ArrayBuffer.isView(data)) return readTypedArray(memory, dtype, data);
  if (!Array.isArray(data)) throw invalidArgument(`data is ${show(data)}, wanted ${wantedData(dtype)}`);
  if (dtype.kind === 'string') return readStrings(data);
  const values = readValues(dtype, data, numberOf);
  if (values.some((value) => typeof value === 'bigint')) return readTypedArray(memory, dtype, toBigints(dtype, values));
  return values as number[];
}

/** The name of a typed array, such as `an Int8Array`. */
function withArticle(name: unknown): string {
  return `a${String(name).startsWith('I') ? 'n' : ''} ${name}`;
}

function wantedData(dtype: Dtype): string {
  if (dtype.kind === 'string') return 'a list of strings';
  return `${withArticle(dtype.array)} or a list of ${dtype.array.startsWith('Big') ? 'bigints or numbers' : 'numbers'}`;
}

function readTypedArray(memory: Memory, dtype: Dtype, data: ArrayBufferView): Literal['elements'] {
  // Both names are checked, the tag and the real type: a polyfill of Float16Array is a Uint16Array with another tag.
  for (const name of [(data as { [Symbol.toStringTag]?: unknown })[Symbol.toStringTag], arrayName(data)]) {
    if (name !== dtype.array && name !== alsoTaken[dtype.name])
      throw invalidArgument(`${dtype.name} elements are in ${withArticle(name)}, wanted ${wantedData(dtype)}`);
  }
  return sourceOf(memory, data);
}

function sourceOf(memory: Memory, data: ArrayBufferView): Extract<Literal['elements'], { length: number }> {
  return { source: memory.sourceOf(data, 'the elements'), length: lengthOf(data) };
}

const typesOfArrays = new Map<string, DataType>([
  ...dtypes.map(({ name, array }): [string, DataType] => [array, name]).reverse(),
  ...Object.entries(alsoTaken).map(([type, array]): [string, DataType] => [array, type as DataType]),
]);

/** The type whose elements are the numbers of a typed array: float32 of a Float32Array. Undefined for what is none. */
export function typeOfArray(array: unknown): Dtype | undefined {
  return dtypeOf(typesOfArrays.get(arrayName(array) as string));
}

/** A typed array as a tensor with one axis. */
export function literalOfArray(memory: Memory, array: ArrayBufferView, dtype: Dtype): Literal {
  return { dtype, dims: [lengthOf(array)], elements: sourceOf(memory, array), handle: 0 };
}

function cannotHold(i: number, value: unknown, dtype: Dtype): OnnxError {
  const advice = isList(value) ? ': with dims, elements are one flat list' : '';
  return invalidArgument(`element ${i} is ${show(value)}${reasonFor(value, dtype.name)}${advice}`);
}

/** Why a value cannot be an element of a type. @internal */
export function reasonFor(value: unknown, type: string): string {
  const [least, end] = type === 'int64' ? [-(2 ** 63), 2 ** 63] : [0, 2 ** 64];
  const isWithin = typeof value === 'number' && Number.isInteger(value) && value >= least && value < end;
  return isWithin && /^u?int64$/.test(type)
    ? ': numbers from 2^53 on may be rounded, wanted a bigint'
    : `, which ${type} cannot hold`;
}

/** A copy of a list of numbers; for 64-bit integers, they may be bigints. */
function readValues(
  dtype: Dtype,
  data: readonly unknown[],
  numberOf: (entry: unknown) => unknown,
): (number | bigint)[] {
  const length = lengthOfList(data, 'data');
  const values: (number | bigint)[] = [];
  for (let i = 0; i < length; i++) {
    const value = numberOf(data[i]);
    if (typeof value === 'number') values.push(value);
    else if (typeof value === 'boolean' && dtype.kind === 'boolean') values.push(value ? 1 : 0);
    else if (typeof value !== 'bigint') throw cannotHold(i, value, dtype);
    else if (dtype.array.startsWith('Big')) values.push(value);
    else if (Number.isSafeInteger(Number(value))) values.push(Number(value));
    else throw cannotHold(i, value, dtype);
  }
  return values;
}

/** Integers in an array of int64 or uint64. */
export function toBigints(dtype: Dtype, values: readonly (number | bigint)[]): BigInt64Array | BigUint64Array {
  const array = dtype.name === 'int64' ? new BigInt64Array(values.length) : new BigUint64Array(values.length);
  values.forEach((value, i) => {
    const exact = typeof value === 'bigint' ? value : Number.isSafeInteger(value) ? BigInt(value) : undefined;
    if (exact !== undefined) array[i] = exact;
    if (array[i] !== exact) throw cannotHold(i, value, dtype);
  });
  return array;
}

/** Makes a tensor. It is the result that `context` takes next. Nothing of it stays when it is refused. */
export function makeTensor({ memory }: Context, { dtype, dims, elements }: Literal): void {
  const { glue } = memory;
  memory.begin();
  memory.numbers(dims);
  if ('source' in elements) {
    const { source, length } = elements;
    memory.check(glue.createTensor(dtype.id, length));
    memory.take(); // how many tensors
    const handle = memory.take();
    if (!memory.copyIn(glue.tensorBytes(handle), source)) {
      glue.disposeTensor(handle);
      throw invalidArgument('the elements were detached while the call was read');
    }
    if (dtype.kind === 'boolean' || dtype.bits < 8) memory.check(glue.checkTensor(handle));
    memory.rewind();
  } else if (dtype.kind === 'string') {
    memory.stringList(elements as readonly string[]);
    memory.check(glue.createStrings());
  } else {
    memory.numbers(elements as readonly number[]);
    memory.check(glue.encodeTensor(dtype.id));
  }
}

export function isTensorLike(value: unknown): value is TensorLike {
  return typeof value === 'object' && value !== null && 'type' in value && 'dims' in value && 'data' in value;
}

/** The error of something else in the place of a tensor. `what` says where, and ends in `is `. */
export function noTensor(what: string, value: unknown): OnnxError {
  const advice = isList(value)
    ? ': a list does not say its type, ops.tensor(type, list, dims) does'
    : typeof value === 'object' && value !== null && 'toMessage' in value
      ? ": a copy of a tensor's properties has no elements, toMessage() has"
      : missingFields(value);
  return invalidArgument(`${what}${show(value)}, wanted a tensor${advice}`);
}

/** The names that an object with `data` lacks. Other libraries say `dtype` and `shape`. */
function missingFields(value: unknown): string {
  if (typeof value !== 'object' || value === null || !('data' in value)) return '';
  const missing = ['type', 'dims'].filter((name) => !(name in value)).map((name) => `no '${name}'`);
  return `: { type, dims, data }, and this has ${missing.join(' and ')}`;
}

/** Reads a tensor; undefined for any other value. A tensor that is not of this runtime joins `literals`. */
export function readTensor(context: Context, value: unknown, literals: Literal[]): Given | undefined {
  if (isTensor(value) && settle(context, value)) return value;
  if (!isTensorLike(value)) return undefined;
  const literal = readLiteral(context.memory, value.type, value.dims, value.data);
  literals.push(literal);
  return literal;
}

/** Makes tensors of literals. `freeAll` frees them, also when some could not be made. */
export function makeAll(context: Context, literals: readonly Literal[]): void {
  for (const literal of literals) {
    makeTensor(context, literal);
    literal.handle = context.takeHandle();
  }
}

/** The handle of what was read, once `makeAll` made what had to be made. Fails for a tensor that was disposed of meanwhile. */
export function handleOf(given: Given): number {
  return isTensor(given) ? handleOfTensor(given) : given.handle;
}

/** Reads, makes or takes the tensor of a model's input, whose name joins the error. */
export function ofInput<R>(name: string, use: () => R): R {
  try {
    return use();
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error; // of the user's getters
    throw new OnnxError(error.code, `input '${name}': ${error.message}`, error);
  }
}

export function freeAll({ memory }: Context, literals: readonly Literal[]): void {
  for (const literal of literals) {
    if (literal.handle !== 0) memory.glue.disposeTensor(literal.handle);
    literal.handle = 0;
  }
}

/** Makes a tensor of zeros or empty strings, which the page then has. @internal */
export function makeEmpty({ memory }: Context, type: unknown, dims: unknown): void {
  const dtype = checkedDtype(type);
  const sizes = readDims(dims);
  memory.begin();
  memory.numbers(sizes);
  memory.check(memory.glue.createTensor(dtype.id, -1));
}
