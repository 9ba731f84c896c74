// The result of a simplification as the core describes it: where the bytes of the file are, and the report.
import type { Context } from '../calls/context.js';
import { nameSizes } from '../model/nodes.js';
import type { ValueInfo } from '../model/value-info.js';
import type { DynamicSize, KeptGraph, ModelSummary, SimplifyFix, SimplifyPass, SimplifyReport } from './types.js';

/** A part of the model's file, of a chunk, or of a file beside the model. @internal */
export interface Wanted {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A piece of the result. */
type Piece = Uint8Array<ArrayBuffer> | Wanted;

/** @internal */
export interface Result {
  readonly pieces: readonly Piece[];
  readonly report: SimplifyReport;
}

interface Cause {
  readonly kind: 'size' | 'rank' | 'value' | 'made';
  readonly value: string;
  readonly operator: string;
  readonly node: string;
  readonly axis: number;
  readonly name: string;
}

/** The result of describeSimplification. A piece is an address or 0, an offset in the file or of a chunk, and a length. */
interface Description {
  readonly pieces: readonly [address: number, offset: number, length: number][];
  readonly before: Summary;
  readonly after: Summary;
  readonly passes: readonly SimplifyPass[];
  readonly tooLarge: number;
  readonly sizes: readonly { readonly cause: Cause; readonly nodes: number; readonly shapeNodes: number }[];
  readonly graphs: readonly {
    readonly operator: string;
    readonly node: string;
    readonly isKnown: boolean;
    readonly cause?: Cause | null;
  }[];
  readonly warnings: string[];
  readonly files: readonly string[];
  readonly names: readonly string[];
  readonly inputs: readonly ValueInfo[];
  readonly outputs: readonly ValueInfo[];
}

interface Summary {
  readonly bytes: number;
  readonly operators: readonly [domain: string, name: string, count: number][];
}

function fixOf({ kind, value, name }: Cause, inputs: readonly ValueInfo[]): SimplifyFix | null {
  if (kind === 'made') return null;
  if (kind === 'value') return { values: { [value]: null } };
  if (kind === 'size' && name) return { dims: { [name]: null } };
  return { shapes: { [value]: inputs.find((input) => input.name === value)?.dims ?? null } };
}

function reasonOf(operator: string, isKnown: boolean, cause: Cause | null): string {
  const what = operator === 'Loop' ? 'its trip count' : 'its condition';
  if (operator === 'Scan') return 'a Scan is never written out';
  if (isKnown) return 'its trip count is known: unroll writes it out, if it never ends early and is within the limits';
  if (cause === null) return `${what} is not known before a run`;
  if (cause.kind === 'value') return `${what} follows from what the input '${cause.value}' holds`;
  if (cause.kind === 'made')
    return `${what} is made by ${cause.operator} (${cause.node}), which tells only when it runs`;
  const size = cause.name ? `the size '${cause.name}'` : cause.axis < 0 ? 'the rank' : `size ${cause.axis}`;
  return `${what} follows from ${size} of the input '${cause.value}'`;
}

function summaryOf({ bytes, operators }: Summary): ModelSummary {
  const counts = operators
    .map(([domain, name, count]) => [domain ? `${domain}.${name}` : name, count] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return { nodes: counts.reduce((sum, [, count]) => sum + count, 0), operators: Object.fromEntries(counts), bytes };
}

function dynamicOf(
  { cause, nodes, shapeNodes }: Description['sizes'][number],
  inputs: readonly ValueInfo[],
): DynamicSize {
  const { kind, value, operator, node, axis, name } = cause;
  const isMade = kind === 'made';
  return {
    from: isMade ? 'operator' : 'input',
    value,
    operator: isMade ? operator : null,
    node: isMade ? node : null,
    axis: axis < 0 ? null : axis,
    name: name || null,
    nodes,
    shapeNodes,
    fix: fixOf(cause, inputs),
  };
}

function keptOf(
  { operator, node, isKnown, cause = null }: Description['graphs'][number],
  inputs: readonly ValueInfo[],
): KeptGraph {
  const fix = cause && fixOf(cause, inputs);
  const axis = fix && cause && cause.axis >= 0 ? cause.axis : null;
  return { operator, node, reason: reasonOf(operator, isKnown, cause), axis, fix };
}

/**
 * Reads what describeSimplification wrote: the pieces of the file, and the report.
 *
 * @param hasExternal - whether files beside the model were given
 * @internal
 */
export function takeResult({ memory }: Context, hasExternal: boolean): Result {
  const { pieces, before, after, passes, tooLarge, sizes, graphs, warnings, files, names, inputs, outputs } =
    memory.takeJson<Description>();
  if (tooLarge > 0)
    warnings.push(
      `${tooLarge} nodes with constant inputs were left: their results are too large (maxGrowth), or take too long`,
    );
  const locations = [...new Set(files)].sort();
  if (!hasExternal)
    for (const file of locations) warnings.push(`the external data '${file}' was not given: nothing is computed of it`);
  for (const value of [...inputs, ...outputs]) nameSizes(value, names);
  return {
    pieces: pieces.map(([address, offset, length]) =>
      address === 0 ? { location: '', offset, length } : memory.copyOut(address, length),
    ),
    report: {
      before: summaryOf(before),
      after: summaryOf(after),
      passes,
      dynamic: sizes.map((size) => dynamicOf(size, inputs)),
      kept: graphs.map((graph) => keptOf(graph, inputs)),
      warnings,
      files: locations,
      inputs,
      outputs,
    },
  };
}
