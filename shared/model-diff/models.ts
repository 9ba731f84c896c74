// The differences between two models, as data.
import type { Model, TypeInfo, ValueInfo } from 'broadloom';
import { typeAndDims } from '../type-and-dims.js';
import { compareNodes, type NodeLook } from './nodes.js';
import { type Change, type Digest, diffWeights, type WeightsDiff } from './weights.js';

export interface ListDiff<T> {
  readonly onlyA: readonly T[];
  readonly onlyB: readonly T[];
  readonly changed: readonly Change<T>[];
}

export interface ValuesDiff extends ListDiff<ValueInfo> {
  /** Whether those that both have stand in another order. */
  readonly reordered: boolean;
}

export interface ModelDiff {
  /** Null where it is the same. */
  readonly opset: Change<number | null> | null;
  readonly inputs: ValuesDiff;
  readonly outputs: ValuesDiff;
  /** How many nodes of each operator, where that differs. */
  readonly operators: readonly { domain: string; operator: string; a: number; b: number }[];
  readonly nodes: ListDiff<NodeLook> & Change<number> & { readonly equal: number };
  readonly weights: WeightsDiff;
  /** The files' words about the models, where these differ: opsets, producer, properties. */
  readonly metadata: readonly (Change<unknown> & { readonly key: string })[];
  readonly warnings: Omit<ListDiff<string>, 'changed'>;
}

function diffValues(a: readonly ValueInfo[], b: readonly ValueInfo[]): ValuesDiff {
  const before = new Map(a.map((value) => [value.name, value]));
  const after = new Map(b.map((value) => [value.name, value]));
  const text = (info: TypeInfo) => typeAndDims(info);
  const common = [...before.keys()].filter((name) => after.has(name));
  const order = [...after.keys()].filter((name) => before.has(name));
  const pairs = common.map((name) => ({ a: before.get(name) as ValueInfo, b: after.get(name) as ValueInfo }));
  return {
    onlyA: a.filter(({ name }) => !after.has(name)),
    onlyB: b.filter(({ name }) => !before.has(name)),
    changed: pairs.filter((pair) => text(pair.a) !== text(pair.b)),
    reordered: common.some((name, i) => name !== order[i]),
  };
}

function diffOperators(a: readonly NodeLook[], b: readonly NodeLook[]): ModelDiff['operators'] {
  const rows = new Map<string, { domain: string; operator: string; a: number; b: number }>();
  const count = (nodes: readonly NodeLook[], side: 'a' | 'b') => {
    for (const { domain, operator } of nodes) {
      const key = `${domain && `${domain}.`}${operator}`;
      const row = rows.get(key) ?? { domain, operator, a: 0, b: 0 };
      row[side]++;
      rows.set(key, row);
    }
  };
  count(a, 'a');
  count(b, 'b');
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([, row]) => row).filter((row) => row.a !== row.b);
}

function diffMetadata(a: Model, b: Model): ModelDiff['metadata'] {
  const text = (value: unknown) => JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
  const keys = Object.keys(a.metadata) as (keyof Model['metadata'])[];
  const rows = keys.map((key) => ({ key, a: a.metadata[key], b: b.metadata[key] }));
  return rows.filter((row) => text(row.a) !== text(row.b));
}

/** How elements are told that are too many to be shown: equal texts are equal elements. */
export interface Digests {
  readonly ofAttribute: Digest;
  /** Absent where texts of weights are not wanted. */
  readonly ofWeight?: Digest;
}

/** Compares models, which must not be disposed of yet. */
export function diffModels(
  a: Model,
  b: Model,
  { ofAttribute, ofWeight }: Digests,
  nodes = compareNodes(a.nodes, b.nodes, ofAttribute),
): ModelDiff {
  return {
    opset: a.opset === b.opset ? null : { a: a.opset, b: b.opset },
    inputs: diffValues(a.inputs, b.inputs),
    outputs: diffValues(a.outputs, b.outputs),
    operators: diffOperators(nodes.a, nodes.b),
    nodes: {
      a: nodes.a.length,
      b: nodes.b.length,
      equal: nodes.pairs.length - nodes.changed.length,
      onlyA: nodes.onlyA,
      onlyB: nodes.onlyB,
      changed: nodes.changed,
    },
    weights: diffWeights(a, b, ofWeight),
    metadata: diffMetadata(a, b),
    warnings: {
      onlyA: a.warnings.filter((warning) => !b.warnings.includes(warning)),
      onlyB: b.warnings.filter((warning) => !a.warnings.includes(warning)),
    },
  };
}

/** Whether nothing differs. */
export function isEqual({ opset, inputs, outputs, nodes, weights, metadata, warnings }: ModelDiff): boolean {
  const isEmpty = ({
    onlyA,
    onlyB,
    changed = [],
  }: Omit<ListDiff<unknown>, 'changed'> & { changed?: readonly unknown[] }) =>
    onlyA.length + onlyB.length + changed.length === 0;
  const isOrdered = !inputs.reordered && !outputs.reordered;
  const isSameFile = opset === null && metadata.length === 0;
  return isSameFile && isOrdered && [inputs, outputs, nodes, weights, warnings].every(isEmpty);
}
