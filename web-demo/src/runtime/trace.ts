// Which elements of the inputs each element of the outputs is computed from: found by calls in which one element is another one.
import type { Runtime, Tensor } from 'broadloom';
import { typeRow } from '../facts.js';
import type { Trace } from './protocol.js';

/** More elements than these are not traced: each takes a few calls. */
const mostElements = 128;
const mostOutputs = 1024;

type Value = string | number;
type Run = (inputs: readonly (Tensor | null)[]) => Tensor[];

/** Other values in the place of one, unlike each other: a small change alone may be rounded off, or lose against a maximum. */
function othersOf(type: Tensor['type'], value: Value): Value[] {
  const { kind, bits } = typeRow(type);
  if (kind === 'boolean') return [Number(value) === 0 ? 1 : 0];
  if (kind === 'string') return [`${value}~`];
  const number = Number(value);
  if (!Number.isFinite(number)) return [1];
  if (kind === 'signed_integer' || kind === 'unsigned_integer') return [number + 1, number - 1];
  const far = bits <= 8 ? 4 : 1000;
  return [number + far, number - far, number / 2 + 0.375];
}

/** The input with another element in one place; undefined where its type has no such value. */
function withElement(ops: Runtime, input: Tensor, position: number, value: Value): Tensor | undefined {
  const { type, dims, data } = input.toJSON() as { type: Tensor['type']; dims: number[]; data: readonly Value[] };
  const changed = data.map((one, i) => (i === position ? value : one));
  try {
    return ops.fromMessage({ type, dims, data: changed } as never);
  } catch {
    return undefined;
  }
}

/** The results where they have the dims of `wanted`; undefined for a call that is refused, or gives others. */
function sameCall(run: Run, inputs: readonly (Tensor | null)[], wanted: readonly Tensor[]): Tensor[] | undefined {
  try {
    const outputs = run(inputs);
    return outputs.every(({ dims }, i) => String(dims) === String(wanted[i]?.dims)) ? outputs : undefined;
  } catch {
    return undefined;
  }
}

const textsOf = (tensor: Tensor): string[] => (tensor.toJSON() as { readonly data: readonly Value[] }).data.map(String);

/**
 * The input without zeros, where it has floating-point elements: a product with zero is zero, whatever the other factor
 * is. Undefined where it has none.
 */
function withoutZeros(ops: Runtime, input: Tensor | null): Tensor | undefined {
  if (input === null || !typeRow(input.type).kind.includes('float')) return undefined;
  const { type, dims, data } = input.toJSON() as { type: Tensor['type']; dims: number[]; data: readonly Value[] };
  if (data.every((value) => Number(value) !== 0)) return undefined;
  return ops.fromMessage({ type, dims, data: data.map((value) => (Number(value) === 0 ? 0.75 : value)) } as never);
}

interface Base {
  readonly inputs: readonly (Tensor | null)[];
  readonly outputs: readonly Tensor[];
}

/** Inputs whose numbers are places in other inputs. No product has them as factors, and other places have other elements. */
const places = new Set(['boxes', 'grid', 'offset', 'roi', 'rois', 'scales']);

/** The call itself, and the same with inputs that have no zeros, where it gives the same dims. */
function basesOf(ops: Runtime, base: Base, names: readonly string[], run: Run): Base[] {
  const others = base.inputs.map((input, i) => (places.has(names[i] ?? '') ? undefined : withoutZeros(ops, input)));
  if (others.every((input) => input === undefined)) return [base];
  const inputs = base.inputs.map((input, i) => others[i] ?? input);
  const outputs = sameCall(run, inputs, base.outputs);
  return outputs ? [base, { inputs, outputs }] : [base];
}

/** The trace of a call whose inputs have these names; undefined for a large one. Call it in a scope. */
export function traceCall(
  ops: Runtime,
  names: readonly string[],
  inputs: readonly (Tensor | null)[],
  outputs: readonly Tensor[],
  run: Run,
): Trace | undefined {
  const count = inputs.reduce((sum, input) => sum + (input?.size ?? 0), 0);
  const isLarge = count > mostElements || outputs.some(({ size }) => size > mostOutputs);
  if (isLarge || inputs.some((input) => input && typeRow(input.type).kind === 'complex')) return undefined;
  const found: Set<number>[][][] = outputs.map(({ size }) =>
    Array.from({ length: size }, () => inputs.map(() => new Set<number>())),
  );
  for (const base of basesOf(ops, { inputs, outputs }, names, run)) {
    const before = base.outputs.map(textsOf);
    inputs.forEach((input, i) => {
      for (let position = 0; position < (input?.size ?? 0); position++) {
        ops.scope(() => {
          for (const result of resultsWithout(ops, base, i, position, run))
            addChanged(found, before, result, i, position);
        });
      }
    });
  }
  return found.map((places) => places.map((sources) => sources.map((set) => [...set].sort((a, b) => a - b))));
}

/** The outputs of the call with others in the place of one element of an input. */
function resultsWithout(
  ops: Runtime,
  { inputs, outputs }: Base,
  input: number,
  position: number,
  run: Run,
): Tensor[][] {
  const tensor = inputs[input] as Tensor;
  const value = (tensor.toJSON() as { data: readonly Value[] }).data[position] as Value;
  return othersOf(tensor.type, value).flatMap((other) => {
    const replaced = withElement(ops, tensor, position, other);
    const results = replaced && sameCall(run, inputs.toSpliced(input, 1, replaced), outputs);
    return results ? [results] : [];
  });
}

/** Notes the elements of the results that are others than before. */
function addChanged(
  found: readonly (readonly (readonly Set<number>[])[])[],
  before: readonly (readonly string[])[],
  results: readonly Tensor[],
  input: number,
  position: number,
): void {
  results.forEach((result, output) => {
    textsOf(result).forEach((text, place) => {
      if (text !== before[output]?.[place]) found[output]?.[place]?.[input]?.add(position);
    });
  });
}
