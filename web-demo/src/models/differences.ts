// The differences between two models as rows, and as marks in the drawing of both.
import type { NodeLook } from '../../../shared/model-diff/nodes.js';
import type { FlatGraph } from '../drawing/flat-graph.js';
import type { Pairs } from '../drawing/picture.js';
import { type NodePath, nodeAt } from './graphs.js';
import type { CompareAnswer, ModelReport } from './protocol.js';

/** A node that differs: of A alone, of B alone, or of both. */
export interface DifferenceRow {
  readonly kind: 'onlyA' | 'onlyB' | 'changed';
  readonly a: NodePath | undefined;
  readonly b: NodePath | undefined;
  /** The node, as the newer model that has it tells it. */
  readonly node: NodeLook | { readonly operator: string; readonly name: string };
  /** The parts that differ; an absent text is of a part that is not there. */
  readonly parts: readonly { readonly name: string; readonly a: string | undefined; readonly b: string | undefined }[];
  /** Initializers that it reads and that differ. */
  readonly weights: readonly string[];
}

const operatorOf = ({ domain, operator }: NodeLook): string => (domain === '' ? operator : `${domain}.${operator}`);

function partsOf(a: NodeLook, b: NodeLook): DifferenceRow['parts'] {
  const part = (name: string, one: string, other: string) => (one === other ? [] : [{ name, a: one, b: other }]);
  const names = [...new Set([...Object.keys(a.attributes), ...Object.keys(b.attributes)])].sort();
  const attributes = names.flatMap((name) => {
    const [one, other] = [a.attributes[name], b.attributes[name]];
    return one === other ? [] : [{ name, a: one, b: other }];
  });
  return [
    ...part('operator', operatorOf(a), operatorOf(b)),
    ...attributes,
    ...part('inputs', a.inputs.join(', '), b.inputs.join(', ')),
    ...part('outputs', a.outputs.join(', '), b.outputs.join(', ')),
    ...part('graph', a.graph, b.graph),
  ];
}

/** All nodes that differ: nodes of both models, then of A alone, then of B alone, each in the order of the model. */
export function differenceRows(
  report: ModelReport,
  { diff, pairs, onlyA, onlyB, changed }: CompareAnswer,
): DifferenceRow[] {
  const weights = new Set(diff.weights.changed.map(({ a }) => a.name));
  const weightsOf = (path: NodePath): string[] =>
    (nodeAt(report.nodes, path)?.inputs ?? []).filter((name) => weights.has(name));
  const done = new Set(changed.map(({ a }) => a));
  const rows = diff.nodes.changed.map(({ a, b }, i): DifferenceRow => {
    const paths = changed[i] as { a: NodePath; b: NodePath };
    return { kind: 'changed', ...paths, node: b, parts: partsOf(a, b), weights: weightsOf(paths.a) };
  });
  for (const { a, b } of weights.size === 0 ? [] : pairs) {
    const node = nodeAt(report.nodes, a);
    const own = done.has(a) ? [] : weightsOf(a);
    if (node !== undefined && own.length > 0) rows.push({ kind: 'changed', a, b, node, parts: [], weights: own });
  }
  return [
    ...rows,
    ...diff.nodes.onlyA.map(
      (node, i): DifferenceRow => ({ kind: 'onlyA', a: onlyA[i], b: undefined, node, parts: [], weights: [] }),
    ),
    ...diff.nodes.onlyB.map(
      (node, i): DifferenceRow => ({ kind: 'onlyB', a: undefined, b: onlyB[i], node, parts: [], weights: [] }),
    ),
  ];
}

/** The number of a node of the model's own graph: the node itself, or the one that has its graph. */
const outermost = (path: NodePath): number => Number.parseInt(path, 10);

/** Nodes by their numbers, and ends by their names, as the drawing of one model has them. */
function keysOf({ nodes }: FlatGraph): Map<string, number> {
  return new Map(
    nodes.map(({ look, name }, i) => [look?.end === undefined ? String(look?.number) : `${look.end} ${name}`, i]),
  );
}

/** Which drawn node of A each one of B is, and which of them differ. */
export function drawnPairs(
  a: FlatGraph,
  b: FlatGraph,
  { pairs }: CompareAnswer,
  rows: readonly DifferenceRow[],
): Pairs {
  const [keysA, keysB] = [keysOf(a), keysOf(b)];
  const found: (number | undefined)[] = b.nodes.map(() => undefined);
  for (const pair of pairs) {
    if (pair.a.includes('.') || pair.b.includes('.')) continue;
    const [one, other] = [keysA.get(pair.a), keysB.get(pair.b)];
    if (one !== undefined && other !== undefined) found[other] = one;
  }
  b.nodes.forEach(({ look, name }, i) => {
    if (look?.end !== undefined) found[i] = keysA.get(`${look.end} ${name}`);
  });
  const differing = new Set<number>();
  for (const row of rows) {
    const isInner = [row.a, row.b].some((path) => path?.includes('.'));
    if (row.kind !== 'changed' && !isInner) continue;
    const fromA = row.a === undefined ? -1 : found.indexOf(keysA.get(String(outermost(row.a))));
    const drawn = row.b === undefined ? fromA : keysB.get(String(outermost(row.b)));
    if (drawn !== undefined && drawn >= 0) differing.add(drawn);
  }
  return { found, differing };
}
