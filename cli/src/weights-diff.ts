// The initializers of two models, compared element by element.
import { createHash } from 'node:crypto';
import type { AnyTensor, Model, ModelInitializer, OnnxError } from 'broadloom';
import type { Change } from './node-pairs.js';

/** An initializer as far as models are compared. */
export interface WeightLook {
  readonly name: string;
  /** The graph that has it; empty for the main one. */
  readonly graph: string;
  readonly type: string;
  readonly dims: readonly number[];
  /** Of its elements; null where they are in a file that could not be read. */
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
  /** Those whose elements could not be read, from either model. */
  readonly unread: readonly WeightLook[];
}

/** A digest of elements in ONNX's own layout. */
export function digestOf(data: AnyTensor['data']): string {
  const hash = createHash('sha256');
  if (Array.isArray(data)) hash.update(JSON.stringify(data));
  else hash.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  return hash.digest('hex');
}

interface Weight extends WeightLook {
  readonly initializer: ModelInitializer;
}

function using<R>(initializer: ModelInitializer, work: (tensor: AnyTensor) => R): R {
  const tensor = initializer.read();
  try {
    return work(tensor);
  } finally {
    tensor.dispose();
  }
}

function weightOf(initializer: ModelInitializer): Weight {
  const { name, graph, type, dims } = initializer;
  let sha256: string | null = null;
  try {
    sha256 = using(initializer, ({ data }) => digestOf(data));
  } catch (error) {
    if ((error as OnnxError).code !== 'INVALID_MODEL') throw error;
  }
  return { name, graph, type, dims, sha256, initializer };
}

const lookOf = ({ name, graph, type, dims, sha256 }: Weight): WeightLook => ({ name, graph, type, dims, sha256 });

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

const isSameKind = (a: WeightLook, b: WeightLook) => a.type === b.type && a.dims.join() === b.dims.join();

/** Compares the initializers of two models by their names. */
export function diffWeights(a: Model, b: Model): WeightsDiff {
  const key = ({ graph, name }: WeightLook) => JSON.stringify([graph, name]);
  const before = new Map(a.initializers.map((one) => weightOf(one)).map((one) => [key(one), one]));
  const after = new Map(b.initializers.map((one) => weightOf(one)).map((one) => [key(one), one]));
  const changed: WeightChange[] = [];
  const unread: WeightLook[] = [];
  let equal = 0;
  for (const [name, one] of before) {
    const other = after.get(name);
    if (other === undefined) continue;
    const isComparable = one.sha256 !== null && other.sha256 !== null;
    if (!isSameKind(one, other)) changed.push({ a: lookOf(one), b: lookOf(other), distance: null });
    else if (!isComparable) unread.push(lookOf(one));
    else if (one.sha256 === other.sha256) equal++;
    else {
      const distance = using(one.initializer, (mine) => using(other.initializer, (its) => distanceOf(mine, its)));
      changed.push({ a: lookOf(one), b: lookOf(other), distance });
    }
  }
  return {
    a: before.size,
    b: after.size,
    equal,
    onlyA: [...before].filter(([name]) => !after.has(name)).map(([, one]) => lookOf(one)),
    onlyB: [...after].filter(([name]) => !before.has(name)).map(([, one]) => lookOf(one)),
    changed,
    unread,
  };
}
