// What a simplification tells when it is done: where the bytes of the file are, and the report.
import type { Context } from './context.js';
import type { ValueInfo } from './model.js';
import { takeList, takeType } from './model-nodes.js';
import {
  type DynamicSize,
  type KeptGraph,
  type ModelSummary,
  passNames,
  type SimplifyReport,
} from './simplify-types.js';

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

const causes = ['size', 'rank', 'value', 'made'] as const;

interface Cause {
  readonly kind: (typeof causes)[number];
  readonly value: string;
  readonly operator: string;
  readonly node: string;
  readonly axis: number;
  readonly rank: number;
  readonly name: string;
}

/** As source text. */
function quoted(name: string): string {
  return `'${name.replace(/[\\']/g, '\\$&')}'`;
}

function fixOf({ kind, value, axis, rank, name }: Cause): string | null {
  if (kind === 'made') return null;
  const key = quoted(value);
  if (kind === 'value') return `values: { ${key}: ... }`;
  if (kind === 'size' && name) return `dims: { ${quoted(name)}: ... }`;
  const sizes = Array.from({ length: rank }, (_, i) => (i === axis ? '...' : 'null'));
  return `shapes: { ${key}: [${kind === 'rank' ? '...' : sizes.join(', ')}] }`;
}

function reasonOf(operator: string, isKnown: boolean, cause: Cause | null): string {
  const what = operator === 'Loop' ? 'its trip count' : 'its condition';
  if (operator === 'Scan') return 'a Scan is never written out';
  if (isKnown) return 'its trip count is known: unroll writes it out, if it never ends early and is within the limits';
  if (cause === null) return `${what} is not known before a run`;
  const fix = fixOf(cause);
  const advice = fix === null ? '' : `; ${fix} fixes it`;
  if (cause.kind === 'value') return `${what} follows from what the input '${cause.value}' holds${advice}`;
  if (cause.kind === 'made')
    return `${what} is made by ${cause.operator} (${cause.node}), which tells only when it runs`;
  const size = cause.name ? `the size '${cause.name}'` : cause.axis < 0 ? 'the rank' : `size ${cause.axis}`;
  return `${what} follows from ${size} of the input '${cause.value}'${advice}`;
}

/** Reads what describeSimplification wrote: the pieces of the file, and the report. @internal */
export function takeResult({ memory }: Context): Result {
  const number = () => memory.take();
  const string = () => memory.takeString();
  const list = <R>(take: () => R): R[] => takeList(memory, take);
  const pieces = list((): Piece => {
    const address = number();
    const offset = number();
    const length = number();
    return address === 0 ? { location: '', offset, length } : memory.copyOut(address, length);
  });
  const bytesBefore = number();
  const bytesAfter = number();
  const summary = (bytes: number): ModelSummary => {
    const operators = list(() => {
      const domain = string();
      const name = string();
      return [domain ? `${domain}.${name}` : name, number()] as const;
    }).sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      nodes: operators.reduce((sum, [, count]) => sum + count, 0),
      operators: Object.fromEntries(operators),
      bytes,
    };
  };
  const before = summary(bytesBefore);
  const after = summary(bytesAfter);
  const passes = passNames.map((name) => ({ name, count: number() })).filter(({ count }) => count > 0);
  const tooLarge = number();
  const cause = (): Cause => {
    const kind = causes[number()] as Cause['kind'];
    return {
      kind,
      value: string(),
      operator: string(),
      node: string(),
      axis: number(),
      rank: number(),
      name: string(),
    };
  };
  const dynamic = list((): DynamicSize => {
    const one = cause();
    const isMade = one.kind === 'made';
    return {
      from: isMade ? 'operator' : 'input',
      value: one.value,
      operator: isMade ? one.operator : null,
      node: isMade ? one.node : null,
      axis: one.axis < 0 ? null : one.axis,
      name: one.name || null,
      nodes: number(),
      shapeNodes: number(),
      fix: fixOf(one),
    };
  });
  const kept = list((): KeptGraph => {
    const operator = string();
    const node = string();
    const state = number();
    const one = state === 1 ? cause() : null;
    return { operator, node, reason: reasonOf(operator, state === 2, one), fix: one && fixOf(one) };
  });
  const warnings = list(string);
  if (tooLarge > 0)
    warnings.push(
      `${tooLarge} nodes with constant inputs were left: their results are too large (maxGrowth), or take too long`,
    );
  const files = [...new Set(list(string))].sort();
  const names = list(string);
  const value = (): ValueInfo => ({ name: string(), ...takeType(memory, names) });
  const inputs = list(value);
  const outputs = list(value);
  return { pieces, report: { before, after, passes, dynamic, kept, warnings, files, inputs, outputs } };
}
