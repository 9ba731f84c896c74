// Inputs that nobody gives: zeros, or random elements that a seed repeats.
import type { DataType, Runtime, Tensor, ValueInfo } from 'broadloom';
import { didYouMean } from '../../shared/names.js';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { quote, visible } from '../../shared/visible.js';
import { type Call, wholeNumberOf } from './arguments.js';
import { UsageError } from './errors.js';
import { collect, readSizes } from './simplify-options.js';

type Feeds = { readonly [name: string]: Tensor };

/** How missing inputs are made. */
export interface Fill {
  readonly isRandom: boolean;
  readonly seed: number;
  /** Sizes of inputs that --shape gives. */
  readonly shapes: ReadonlyMap<string, readonly number[]>;
}

function readShape(argument: string): [string, readonly number[]] {
  const [name, sizes] = readSizes(argument);
  if (sizes.every((size) => typeof size === 'number')) return [name, sizes as number[]];
  throw new UsageError(`--shape ${quote(argument)}: a run needs numbers, such as --shape x=1,3,224,224`);
}

/** The fill that the options ask for; undefined where every input must be given. */
export function readFill(call: Call): Fill | undefined {
  const isRandom = call.has('random');
  if (isRandom && call.has('zeros')) throw new UsageError('--random and --zeros contradict each other: choose one');
  const seed = wholeNumberOf(call, 'seed');
  if (seed !== undefined && !isRandom) throw new UsageError('--seed is for --random: give --random, too');
  const shapes = new Map(Object.entries(collect(call, 'shape', readShape)));
  if (isRandom || call.has('zeros')) return { isRandom, seed: seed ?? 0, shapes };
  if (shapes.size > 0) throw new UsageError('--shape is for inputs that are made: give --random or --zeros, too');
  return undefined;
}

/** Refuses sizes of inputs that the model does not have, or that are given. */
export function checkShapes({ shapes }: Fill, inputs: readonly ValueInfo[], given: readonly string[]): void {
  const names = inputs.map(({ name }) => name);
  for (const name of shapes.keys()) {
    if (given.includes(name))
      throw new UsageError(`--shape ${quote(name)}: this input is given by --input, and has its sizes`);
    if (!names.includes(name))
      throw new UsageError(
        `--shape ${quote(name)}: the model has no such input${didYouMean(name, names) || `; it has ${names.map(quote).join(', ')}`}`,
      );
  }
}

/** A generator of numbers from 0 up to 1 (mulberry32), whose state is a whole number of 32 bits. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 8) / 2 ** 24; // as many bits as a float32 has
  };
}

/** Floats are from 0 up to 1; integers and booleans are 0 or 1, so that indices and masks made of them exist. */
function randomTensor(ops: Runtime, type: DataType, dims: readonly number[], draw: () => number): Tensor {
  const isComplex = type.startsWith('complex');
  const count = dims.reduce((product, size) => product * size, isComplex ? 2 : 1);
  const isWhole = /^(u?int|bool)/.test(type);
  const values = new Float32Array(count);
  for (let i = 0; i < count; i++) values[i] = isWhole ? Math.floor(2 * draw()) : draw();
  if (type === 'complex128') return ops.tensor(type, Float64Array.from(values), dims) as Tensor;
  if (type === 'complex64') return ops.tensor(type, values, dims) as Tensor;
  return ops.scope(() => {
    const floats = ops.tensor('float32', values, dims);
    return (type === 'float32' ? floats : ops.cast(floats, { to: type })) as Tensor;
  });
}

/** The sizes that names have in the inputs that are there: each name has one. */
function knownSizes(inputs: readonly ValueInfo[], dimsOf: (name: string) => readonly number[] | undefined) {
  const known = new Map<string, number>();
  for (const { name, dims } of inputs)
    for (const [axis, size] of (dimsOf(name) ?? []).entries()) {
      const declared = dims?.[axis];
      if (typeof declared === 'string' && !known.has(declared)) known.set(declared, size);
    }
  return known;
}

/** The dims of an input; what nothing tells is 1, and `assume` is told of it. */
function dimsOf({ name, dims, type }: ValueInfo, known: ReadonlyMap<string, number>, assume: (size: string) => void) {
  if (dims === null)
    throw new UsageError(
      `input ${quote(name)} is ${typeAndDims({ type, dims })}: give its sizes, such as --shape ${visible(name)}=1,3,224,224`,
    );
  return dims.map((size) => {
    const number = typeof size === 'string' ? known.get(size) : size;
    if (typeof number === 'number') return number;
    assume(size === null ? '?' : String(size));
    return 1;
  });
}

/**
 * The inputs that are not given.
 *
 * @returns the tensors, and the names of sizes that nothing tells (`?` for one without a name), which are 1
 */
export function madeInputs(ops: Runtime, fill: Fill, inputs: readonly ValueInfo[], given: Feeds) {
  const isGiven = (name: string) => Object.hasOwn(given, name);
  const known = knownSizes(inputs, (name) => (isGiven(name) ? given[name]?.dims : fill.shapes.get(name)));
  const assumed = new Set<string>();
  const draw = generator(fill.seed);
  const feeds = new Map<string, Tensor>();
  for (const input of inputs) {
    const { name, type } = input;
    if (isGiven(name)) continue;
    if (type === null) throw new UsageError(`input ${quote(name)} declares no type: give it by --input`);
    const dims = fill.shapes.get(name) ?? dimsOf(input, known, (size) => assumed.add(size));
    feeds.set(name, fill.isRandom ? randomTensor(ops, type, dims, draw) : (ops.empty(type, dims) as Tensor));
  }
  return { feeds: Object.fromEntries(feeds), assumed: [...assumed] };
}
