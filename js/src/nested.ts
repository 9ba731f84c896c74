import { invalidArgument } from './error.js';
import { isList, lengthOfList } from './lists.js';
import { show } from './show.js';
import type { Tensor } from './tensor.js';
import { lengthOf } from './typed-arrays.js';
import type { DataType, Dtype } from './types.js';

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

/** A value, or lists within lists that have as many levels as a tensor has axes. */
export type Nested<V> = V | Nested<V>[];

/** The same for what is only read. */
export type NestedLike<V> = V | readonly NestedLike<V>[];

const mostAxes = 255;

/** The elements as values. @internal */
export function itemsOf<T extends DataType>(tensor: Tensor<T>, { kind, array }: Dtype): ItemOf<T>[] {
  const areValues = kind === 'string' || kind === 'complex' || array.startsWith('Big');
  const values = (areValues ? tensor.data : tensor.unpack()) as ArrayLike<number | bigint | string>;
  if (kind === 'complex')
    return Array.from({ length: tensor.size }, (_, i) => [values[2 * i], values[2 * i + 1]]) as ItemOf<T>[];
  return (kind === 'boolean' ? Array.from(values, Boolean) : Array.from(values)) as ItemOf<T>[];
}

/** Lists within lists, of values in row-major order. @internal */
export function nest<V>(values: readonly V[], dims: readonly number[]): Nested<V> {
  let next = 0;
  const level = (axis: number): Nested<V> =>
    axis === dims.length ? (values[next++] as V) : Array.from({ length: dims[axis] as number }, () => level(axis + 1));
  return level(0);
}

/**
 * The dims and the flat list of lists within lists. A complex number takes two entries of an innermost list. One value is a
 * scalar.
 *
 * @internal
 */
export function flatten(data: unknown, dtype: Dtype): { readonly dims: readonly number[]; readonly data: unknown } {
  if (ArrayBuffer.isView(data)) return { dims: [lengthOfTyped(data, dtype)], data };
  if (!isList(data)) return { dims: [], data: [data] };
  const dims: number[] = [];
  for (let first: unknown = data; isList(first); first = first[0]) {
    if (dims.length === mostAxes) throw invalidArgument(`data has more than ${mostAxes} levels of lists`);
    dims.push(lengthOfList(first, 'data'));
  }
  const flat: unknown[] = [];
  const add = (list: unknown, axis: number, place: string) => {
    if (!isList(list) || lengthOfList(list, `data${place}`) !== dims[axis])
      throw invalidArgument(
        `data${place} is ${show(list)}, wanted ${dims[axis]} entries as data${'[0]'.repeat(axis)} has`,
      );
    for (let i = 0; i < (dims[axis] as number); i++) {
      const entry = list[i];
      if (axis + 1 < dims.length) add(entry, axis + 1, `${place}[${i}]`);
      else if (isList(entry))
        throw invalidArgument(
          `data${place}[${i}] is ${show(entry)}, wanted a value as data${'[0]'.repeat(dims.length)} is`,
        );
      else flat.push(entry);
    }
  };
  add(data, 0, '');
  if (dtype.kind === 'complex') dims.push(pairsOf(dims.pop() as number));
  return { dims, data: flat };
}

function lengthOfTyped(data: ArrayBufferView, dtype: Dtype): number {
  if (dtype.bits < 8)
    throw invalidArgument(`dims are undefined: packed bytes of ${dtype.name} do not say how many elements there are`);
  const length = lengthOf(data);
  return dtype.kind === 'complex' ? pairsOf(length) : length;
}

function pairsOf(entries: number): number {
  if (entries % 2 === 0) return entries / 2;
  throw invalidArgument(`a complex number takes two entries of a list, and there are ${entries}`);
}
