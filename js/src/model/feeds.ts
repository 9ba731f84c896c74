import { invalidArgument } from '../basics/error.js';
import { isList } from '../basics/lists.js';
import { isPlainObject } from '../basics/plain.js';
import { show } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import { FeedForm } from '../calls/bindings.generated.js';
import type { Context } from '../calls/context.js';
import type { Memory } from '../calls/memory.js';
import {
  freeAll,
  type Given,
  handleOf,
  isTensorLike,
  type Literal,
  literalOfArray,
  makeAll,
  noTensor,
  ofInput,
  readTensor,
  toBigints,
  typeOfArray,
} from '../tensor/elements.js';
import { flattenLists, type NestedLike } from '../tensor/nested.js';
import { isTensor } from '../tensor/tensor.js';
import { type Dtype, dtypeOf, type IntegerArray, type TensorLike } from '../tensor/types.js';

/**
 * The values that an input of a model takes: a tensor, or values that get the element type which the model declares. Values are one
 * number, bigint, boolean or string, a typed array, or lists within lists.
 *
 * Lists within lists have the dims of their levels. A flat list, a typed array and a single value take the declared dims, as far
 * as these leave one way to do so: one size may be open.
 */
export type FeedLike =
  | TensorLike
  | NestedLike<number | bigint | boolean | string | IntegerArray | Float32Array | Float64Array>
  | ({ readonly [Symbol.toStringTag]: 'Float16Array' } & ArrayBufferView);

const dtypeCalled = (name: string): Dtype => dtypeOf(name) as Dtype;

/** The meaning of a tensor where it is fed. @internal */
export function formOf(given: Given): number {
  return isTensor(given) ? FeedForm.tensor : (given.form ?? FeedForm.tensor);
}

/**
 * Reads what is fed: a tensor, or values as a tensor of a type that holds them, from which the core makes one of the declared
 * type. Undefined for anything else. Values other than tensors of this runtime join `literals`.
 *
 * @internal
 */
export function readFeed(context: Context, value: unknown, literals: Literal[]): Given | undefined {
  const tensor = readTensor(context, value, literals);
  if (tensor !== undefined) return tensor;
  const dtype = typeOfArray(value);
  const literal =
    dtype === undefined
      ? readValues(context.memory, value)
      : { ...literalOfArray(context.memory, value as ArrayBufferView, dtype), form: FeedForm.array };
  if (literal !== undefined) literals.push(literal);
  return literal;
}

const isKind = (kind: string) => /^(number|bigint|boolean|string)$/.test(kind);

/**
 * Writes feeds on the page, and calls `use` with their names.
 *
 * @internal
 */
export function withFeeds<R>(
  context: Context,
  feeds: { readonly [name: string]: FeedLike | undefined },
  use: (names: readonly string[]) => R,
): R {
  const { memory } = context;
  if (!isPlainObject(feeds)) throw invalidArgument(`feeds are ${show(feeds)}, wanted an object of tensors by name`);
  const literals: Literal[] = [];
  // Reading runs code of the user's, writing does not: see callOperator.
  const given = Object.keys(feeds).map((name): [string, Given] => {
    const value: unknown = feeds[name];
    const tensor = ofInput(name, () => readFeed(context, value, literals));
    if (tensor === undefined) throw noTensor(`input '${name}' is `, value);
    return [name, tensor];
  });
  try {
    for (const [name, tensor] of given) if (!isTensor(tensor)) ofInput(name, () => makeAll(context, [tensor]));
    memory.begin();
    memory.number(given.length);
    for (const [name, tensor] of given) {
      memory.string(name);
      memory.number(formOf(tensor));
      memory.number(ofInput(name, () => handleOf(tensor)));
    }
    return use(given.map(([name]) => name));
  } finally {
    freeAll(context, literals);
  }
}

function readValues(memory: Memory, value: unknown): Literal | undefined {
  if (!isList(value)) return isKind(typeof value) ? literalOf(memory, [value], []) : undefined;
  let form: number = FeedForm.values;
  const { dims, flat } = flattenLists(value, (list) => {
    if (arrayName(list) !== undefined) form = FeedForm.rows;
  });
  return literalOf(memory, flat, dims, form);
}

/** Values of one kind as a tensor. Numbers may stand among bigints. */
function literalOf(
  memory: Memory,
  flat: readonly unknown[],
  dims: readonly number[],
  form: number = FeedForm.values,
): Literal {
  const hasBigints = flat.some((entry) => typeof entry === 'bigint');
  const kind = hasBigints ? 'bigint' : typeof (flat[0] ?? 0);
  const odd = flat.findIndex((entry) => typeof entry !== kind && !(hasBigints && typeof entry === 'number'));
  if (odd >= 0) throw notOfKind(flat[odd], odd, kind);
  if (!isKind(kind)) throw notOfKind(flat[0], 0, 'number, bigint, boolean or string');
  if (kind === 'string') return { dtype: dtypeCalled('string'), dims, elements: flat as string[], handle: 0, form };
  if (!hasBigints) {
    const dtype = dtypeCalled(kind === 'boolean' ? 'bool' : 'float64');
    return { dtype, dims, elements: flat.map(Number), handle: 0, form };
  }
  const integers = flat as (number | bigint)[];
  const dtype = dtypeCalled(integers.some((entry) => entry >= 2n ** 63n) ? 'uint64' : 'int64');
  const { elements } = literalOfArray(memory, toBigints(dtype, integers), dtype);
  return { dtype, dims, elements, handle: 0, form };
}

function notOfKind(entry: unknown, i: number, kind: string): Error {
  if (isTensorLike(entry)) return invalidArgument('a list of tensors, wanted a tensor or values');
  return invalidArgument(`element ${i} is ${show(entry)}, among values that are each a ${kind}`);
}
