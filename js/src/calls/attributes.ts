import { invalidArgument, type OnnxError } from '../basics/error.js';
import { isList, lengthOfList } from '../basics/lists.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';
import { type Given, handleOf, type Literal, readDims, readTensor } from '../tensor/elements.js';
import type { Attributes, SparseTensorLike } from '../tensor/types.js';
import { AttributeKind } from './bindings.generated.js';
import { attributesInstead } from './call-advice.js';
import type { Context } from './context.js';
import type { Memory } from './memory.js';

/** An attribute that was read: no code of the user's runs when it is written. */
export interface Argument {
  readonly name: string;
  readonly kind: (typeof AttributeKind)[keyof typeof AttributeKind];
  readonly value: number | bigint | string | Given | readonly (number | bigint | string)[];
  readonly sparse?: { readonly indices: Given | undefined; readonly dims: readonly number[] };
}

const none: readonly Argument[] = [];

/** Reads the attributes of a call of `operator`. Tensors that are not of this runtime join `literals`. */
export function readAttributes(
  context: Context,
  operator: string,
  opset: number,
  attributes: Attributes | null | undefined,
  literals: Literal[],
): readonly Argument[] {
  if (attributes == null) return none;
  if (!isPlainObject(attributes)) throw noAttributes(context, operator, opset, attributes);
  let read: Argument[] | undefined;
  for (const name of Object.keys(attributes)) {
    const value = attributes[name];
    if (value === undefined) continue;
    const argument = readAttribute(context, name, value, literals);
    // Most calls have one: an array made with its only element is 150 bytes smaller than one that it is pushed to.
    if (read === undefined) read = [argument];
    else read.push(argument);
  }
  return read ?? none;
}

function noAttributes({ memory }: Context, operator: string, opset: number, given: unknown): OnnxError {
  return invalidArgument(`attributes are ${show(given)}, ${attributesInstead(memory, operator, opset, given)}`);
}

function readAttribute(context: Context, name: string, value: unknown, literals: Literal[]): Argument {
  if (typeof value === 'number') return { name, kind: AttributeKind.number, value };
  if (typeof value === 'boolean') return { name, kind: AttributeKind.boolean, value: Number(value) };
  if (typeof value === 'bigint') return { name, kind: AttributeKind.bigint, value: checkedBigint(name, value) };
  if (typeof value === 'string') return { name, kind: AttributeKind.string, value };
  const tensor = readTensor(context, value, literals);
  if (tensor !== undefined) return { name, kind: AttributeKind.tensor, value: tensor };
  return isList(value) ? readList(name, value) : readSparse(context, name, value, literals);
}

function readSparse(context: Context, name: string, value: unknown, literals: Literal[]): Argument {
  const { values, indices, dims } = (value ?? {}) as Partial<SparseTensorLike>;
  const tensor = readTensor(context, values, literals);
  if (tensor === undefined || !isList(dims)) {
    throw invalidArgument(
      `attribute '${name}' is ${show(value)}, wanted a number, a string, a list of them or a tensor`,
    );
  }
  const places = readTensor(context, indices, literals);
  if (places === undefined && indices != null)
    throw invalidArgument(`attribute '${name}': indices are ${show(indices)}, wanted an int64 tensor`);
  return { name, kind: AttributeKind.sparse, value: tensor, sparse: { indices: places, dims: readDims(dims) } };
}

function readList(name: string, list: ArrayLike<unknown>): Argument {
  const length = lengthOfList(list, `attribute '${name}'`);
  const areStrings = length > 0 && typeof list[0] === 'string';
  const value: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const item = list[i];
    if (areStrings ? typeof item !== 'string' : typeof item !== 'number' && typeof item !== 'bigint')
      throw invalidArgument(`attribute '${name}': entry ${i} is ${show(item)}, wanted a list of numbers or of strings`);
    value.push(item);
  }
  if (areStrings) return { name, kind: AttributeKind.strings, value: value as string[] };
  const numbers = value as (number | bigint)[];
  // Numbers and bigints side by side are a list of numbers, as long as these hold every value.
  const bigints = numbers.filter((item) => typeof item === 'bigint');
  const asNumbers = bigints.length < numbers.length && bigints.every((item) => Number.isSafeInteger(Number(item)));
  if (asNumbers || numbers.length === 0) return { name, kind: AttributeKind.numbers, value: numbers.map(Number) };
  const odd = numbers.find((item) => typeof item === 'number' && !Number.isSafeInteger(item));
  if (odd !== undefined)
    throw invalidArgument(`attribute '${name}' has ${odd} beside integers from 2^53: no list of ONNX holds both`);
  return { name, kind: AttributeKind.bigints, value: numbers.map((item) => checkedBigint(name, BigInt(item))) };
}

function checkedBigint(name: string, value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value)
    throw invalidArgument(`attribute '${name}' is ${value}n, which int64 cannot hold`);
  return value;
}

export function writeAttribute(memory: Memory, { name, kind, value, sparse }: Argument): void {
  memory.string(name);
  memory.number(kind);
  if (Array.isArray(value)) {
    memory.number(value.length);
    for (const item of value) writeValue(memory, item);
  } else if (typeof value === 'object') {
    memory.number(handleOf(value as Given));
  } else {
    writeValue(memory, value);
  }
  if (sparse !== undefined) {
    memory.number(sparse.indices === undefined ? 0 : handleOf(sparse.indices));
    memory.numbers(sparse.dims);
  }
}

function writeValue(memory: Memory, value: unknown): void {
  if (typeof value === 'number') memory.number(value);
  else if (typeof value === 'bigint') memory.bigint(value);
  else memory.string(value as string);
}
