// The initializers of two models, compared element by element.
import type { AnyTensor, Model, ModelInitializer, OnnxError } from 'broadloom';

/** A thing of both models. */
export interface Change<T> {
  readonly a: T;
  readonly b: T;
}

/** An initializer as far as models are compared. */
export interface WeightLook {
  readonly name: string;
  /** The graph that has it; empty for the main one. */
  readonly graph: string;
  readonly type: string;
  readonly dims: readonly number[];
  /** The hash of the elements, if it was asked for; null if they are in a file that could not be read. */
  readonly sha256: string | null;
}

/** How far the elements of two initializers differ. */
export interface Distance {
  readonly differing: number;
  readonly elements: number;
  /** The largest difference, and the largest one as a part of the value in A. Null for strings, and where it is not finite. */
  readonly absolute: number | null;
  readonly relative: number | null;
}

/** `distance` is null where types or dims differ. */
export type WeightChange = Change<WeightLook> & { readonly distance: Distance | null };

export interface WeightsDiff {
  readonly a: number;
  readonly b: number;
  readonly equal: number;
  readonly onlyA: readonly WeightLook[];
  readonly onlyB: readonly WeightLook[];
  readonly changed: readonly WeightChange[];
  /** The weights of either model whose elements could not be read. */
  readonly unread: readonly WeightLook[];
}

export type Data = AnyTensor['data'];

/** A text that stands for elements. */
export type Digest = (data: Data) => string;

function using<R>(initializer: ModelInitializer, work: (tensor: AnyTensor) => R): R {
  const tensor = initializer.read();
  try {
    return work(tensor);
  } finally {
    tensor.dispose();
  }
}

/** The look of an initializer; its elements are read if there is a digest to make. */
function lookOf(initializer: ModelInitializer, digest: Digest | undefined): WeightLook {
  const { name, graph, type, dims } = initializer;
  const look = { name, graph, type, dims };
  if (digest === undefined) return { ...look, sha256: null };
  try {
    return { ...look, sha256: using(initializer, ({ data }) => digest(data)) };
  } catch (error) {
    if ((error as OnnxError).code !== 'INVALID_MODEL') throw error;
    return { ...look, sha256: null };
  }
}

/** Whether elements have the same bytes. */
function areSame(a: Data, b: Data): boolean {
  if (Array.isArray(a) || Array.isArray(b)) return JSON.stringify(a) === JSON.stringify(b);
  if (a.byteLength !== b.byteLength) return false;
  const isWide = [a, b].every(({ byteOffset, byteLength }) => (byteOffset | byteLength) % 4 === 0);
  const words = (data: Exclude<Data, string[]>) =>
    isWide
      ? new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4)
      : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const [one, other] = [words(a), words(b)];
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** As numbers where they are; bits of narrow types become their values. */
function valuesOf(tensor: AnyTensor): ArrayLike<number | bigint | string> {
  const areValues = /^(float(32|64)|u?int(8|16|32|64)|complex\d+|string)$/.test(tensor.type);
  return areValues ? tensor.data : tensor.unpack();
}

function distanceOf(a: AnyTensor, b: AnyTensor): Distance {
  const before = valuesOf(a);
  const after = valuesOf(b);
  let differing = 0;
  let absolute = 0;
  let relative = 0;
  for (let i = 0; i < before.length; i++) {
    const one = before[i] as number | bigint | string;
    const other = after[i] as number | bigint | string;
    if (Object.is(one, other)) continue;
    differing++;
    const distance =
      typeof one === 'bigint' && typeof other === 'bigint' ? Number(one - other) : Number(one) - Number(other);
    absolute = Math.max(absolute, Math.abs(distance));
    relative = Math.max(relative, Math.abs(distance) / Math.abs(Number(one)));
  }
  const told = (value: number) => (a.type !== 'string' && Number.isFinite(value) ? value : null);
  return { differing, elements: before.length, absolute: told(absolute), relative: told(relative) };
}

const isSameKind = (a: ModelInitializer, b: ModelInitializer) => a.type === b.type && a.dims.join() === b.dims.join();

/** How far apart the elements of two initializers are; `unread` where some are in a file that is not there. */
function compare(a: ModelInitializer, b: ModelInitializer): Distance | 'same' | 'unread' {
  try {
    return using(a, (mine) => using(b, (its) => (areSame(mine.data, its.data) ? 'same' : distanceOf(mine, its))));
  } catch (error) {
    if ((error as OnnxError).code !== 'INVALID_MODEL') throw error;
    return 'unread';
  }
}

/** Compares the initializers of two models by their names. */
export function diffWeights(a: Model, b: Model, digest?: Digest): WeightsDiff {
  const key = ({ graph, name }: ModelInitializer) => JSON.stringify([graph, name]);
  const before = new Map(a.initializers.map((one) => [key(one), one]));
  const after = new Map(b.initializers.map((one) => [key(one), one]));
  const look = (one: ModelInitializer): WeightLook => lookOf(one, digest);
  const changed: WeightChange[] = [];
  const unread: WeightLook[] = [];
  let equal = 0;
  for (const [name, one] of before) {
    const other = after.get(name);
    if (other === undefined) continue;
    const found = isSameKind(one, other) ? compare(one, other) : null;
    if (found === 'same') equal++;
    else if (found === 'unread') unread.push(look(one));
    else changed.push({ a: look(one), b: look(other), distance: found });
  }
  const only = (all: Map<string, ModelInitializer>, others: Map<string, ModelInitializer>): WeightLook[] =>
    [...all].filter(([name]) => !others.has(name)).map(([, one]) => look(one));
  return {
    a: before.size,
    b: after.size,
    equal,
    onlyA: only(before, after),
    onlyB: only(after, before),
    changed,
    unread,
  };
}
