import { counted } from '../../../shared/counted.js';
import { invalidArgument, OnnxError } from '../basics/error.js';
import { isList, lengthOfList } from '../basics/lists.js';
import { show } from '../basics/show.js';
import { arrayName, lengthOf } from '../basics/typed-arrays.js';
import type { DataType, DataTypeMap, Dtype } from './types.js';

/** One element as a value of JavaScript; of a complex number the real and the imaginary part. */
export type ItemOf<T extends DataType> = T extends 'string'
  ? string
  : T extends 'bool'
    ? boolean
    : T extends 'int64' | 'uint64'
      ? bigint
      : T extends 'complex64' | 'complex128'
        ? [number, number]
        : number;

/** A value, or lists within lists with one level for each axis of a tensor. */
export type Nested<V> = V | Nested<V>[];

/** A `Nested` that is only read. */
export type NestedLike<V> = V | readonly NestedLike<V>[];

const mostAxes = 255;

/** Whether each element is a number of JavaScript's. @internal */
export function areNumbers({ kind, array }: Dtype): boolean {
  return kind !== 'string' && kind !== 'complex' && !array.startsWith('Big');
}

/** A tensor, as far as its elements are read. @internal */
export interface Elements<T extends DataType = DataType> {
  readonly type: T;
  readonly dims: readonly number[];
  readonly size: number;
  readonly data: DataTypeMap[T];
  toArray(): DataTypeMap<ArrayBuffer>[T];
  unpack(): number[];
}

/** The elements in row-major order; of a complex number both parts, of a boolean 0 or 1. @internal */
export function valuesOf(tensor: Elements, dtype: Dtype): ArrayLike<number | bigint | string> {
  if (areNumbers(dtype)) return tensor.unpack();
  // The list of strings may hold anything by now.
  return dtype.kind === 'string' ? tensor.toArray() : tensor.data;
}

/** The elements as values. @internal */
export function itemsOf<T extends DataType>(tensor: Elements<T>, dtype: Dtype): ItemOf<T>[] {
  const { kind } = dtype;
  const values = valuesOf(tensor as unknown as Elements, dtype);
  if (kind === 'complex')
    return Array.from({ length: tensor.size }, (_, i) => [values[2 * i], values[2 * i + 1]]) as ItemOf<T>[];
  return (kind === 'boolean' ? Array.from(values, Boolean) : Array.from(values)) as ItemOf<T>[];
}

/** Empty lists take time and memory, too, but have no elements. */
const mostEmptyLists = 2 ** 20;

/** Lists within lists, of values in row-major order. @internal */
export function nest<V>(values: readonly V[], dims: readonly number[]): Nested<V> {
  const empty = dims.indexOf(0);
  if (empty >= 0 && dims.slice(0, empty).reduce((count, dim) => count * dim, 1) > mostEmptyLists)
    throw new OnnxError('OUT_OF_MEMORY', `toNested: dims [${dims.join(', ')}] are too many lists without elements`);
  let next = 0;
  const level = (axis: number): Nested<V> =>
    axis === dims.length ? (values[next++] as V) : Array.from({ length: dims[axis] as number }, () => level(axis + 1));
  return level(0);
}

/**
 * The dims and the entries of lists within lists. `check` is called with each innermost list, and its place in `data`. Fails for
 * lists of several lengths, and at the first entry that is missing: `holder` cannot hold it.
 *
 * @internal
 */
export function flattenLists(
  data: ArrayLike<unknown>,
  check: (list: ArrayLike<unknown>, place: string) => void,
  holder = 'a tensor',
): { readonly dims: number[]; readonly flat: unknown[] } {
  const dims: number[] = [];
  for (let first: unknown = data; isList(first); first = first[0]) {
    if (dims.length === mostAxes) throw invalidArgument(`data has more than ${mostAxes} levels of lists`);
    dims.push(lengthOfList(first, 'data'));
  }
  const flat: unknown[] = [];
  const add = (list: unknown, axis: number, place: string) => {
    if (!isList(list) || lengthOfList(list, `data${place}`) !== dims[axis])
      throw invalidArgument(
        `data${place} is ${show(list)}, wanted ${counted(dims[axis] as number, 'entry', 'entries')} as data${'[0]'.repeat(axis)} has`,
      );
    const isInnermost = axis + 1 === dims.length;
    if (isInnermost) check(list, place);
    for (let i = 0; i < (dims[axis] as number); i++) {
      const entry = list[i];
      if (!isInnermost) add(entry, axis + 1, `${place}[${i}]`);
      else if (isList(entry))
        throw invalidArgument(
          `data${place}[${i}] is ${show(entry)}, wanted a value as data${'[0]'.repeat(dims.length)} is`,
        );
      else if (entry === undefined)
        throw invalidArgument(`element ${flat.length} is undefined, which ${holder} cannot hold`);
      else flat.push(entry);
    }
  };
  add(data, 0, '');
  return { dims, flat };
}

/**
 * The dims and the flat list of lists within lists. A complex number is a list of two numbers. One value is a scalar.
 *
 * @internal
 */
export function flatten(data: unknown, dtype: Dtype): { readonly dims: readonly number[]; readonly data: unknown } {
  if (arrayName(data) !== undefined) return { dims: [lengthOfTyped(data as ArrayBufferView, dtype)], data };
  if (!isList(data)) return { dims: [], data: [data] };
  const { dims, flat } = flattenLists(
    data,
    (list, place) => {
      if (arrayName(list) === dtype.array && holdsBits(dtype))
        throw invalidArgument(`data${place} is ${show(list)} of bits: unpack() gives values`);
    },
    dtype.name,
  );
  // An empty list holds no number.
  if (dtype.kind === 'complex' && dims.at(-1) !== 0 && dims.pop() !== 2)
    throw invalidArgument('a complex number is a list of two numbers');
  return { dims, data: flat };
}

/** Whether the type's own array holds something else than values. @internal */
export function holdsBits({ kind, bits }: Dtype): boolean {
  return kind === 'mini_float' || bits < 8;
}

function lengthOfTyped(data: ArrayBufferView, dtype: Dtype): number {
  if (dtype.bits < 8) throw invalidArgument(`dims are undefined: packed bytes do not say how many elements there are`);
  const length = lengthOf(data);
  return dtype.kind === 'complex' ? Math.ceil(length / 2) : length;
}

/** With dims of no axes, data may be the one element itself. @internal */
export function elementsOf(data: unknown, dims: unknown): unknown {
  if (typeof data === 'object') return data;
  const isElement = /^(number|bigint|boolean|string)$/.test(typeof data);
  return isElement && (dims as Partial<ArrayLike<unknown>> | null)?.length === 0 ? [data] : data;
}
