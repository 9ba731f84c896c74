// Facts about a list of nodes.
import type { ModelNode } from 'broadloom';
import { graphsOf } from './model-file.js';

/** The nodes of a list and of the graphs that they hold, each with the place of its graph. */
export function* allNodes(nodes: readonly ModelNode[]): Generator<ModelNode> {
  for (const node of nodes) {
    yield node;
    for (const [, inner] of graphsOf(node)) yield* allNodes(inner);
  }
}

export interface OperatorCount {
  domain: string;
  operator: string;
  version: number | null;
  count: number;
}

export interface Reason {
  reason: string;
  count: number;
  /** The names of the first nodes. */
  nodes: string[];
}

const longestList = 5;

export function countOperators(nodes: readonly ModelNode[]): OperatorCount[] {
  const counts = new Map<string, OperatorCount>();
  for (const { domain, operator, version } of nodes) {
    const key = JSON.stringify([domain, operator, version]);
    const row = counts.get(key) ?? { domain, operator, version, count: 0 };
    row.count++;
    counts.set(key, row);
  }
  return [...counts.values()].sort((a, b) => (operatorName(a) < operatorName(b) ? -1 : 1));
}

export function reasonsOf(nodes: readonly ModelNode[]): Reason[] {
  const reasons = new Map<string, Reason>();
  for (const [i, { name, unsupported }] of nodes.entries()) {
    if (unsupported === null) continue;
    const row = reasons.get(unsupported) ?? { reason: unsupported, count: 0, nodes: [] };
    row.count++;
    if (row.nodes.length < longestList) row.nodes.push(name || `#${i}`);
    reasons.set(unsupported, row);
  }
  return [...reasons.values()].sort((a, b) => b.count - a.count);
}

/** `Expand-13`, `com.microsoft.BiasSplitGelu` */
export function operatorName({
  domain,
  operator,
  version,
}: Pick<ModelNode, 'domain' | 'operator' | 'version'>): string {
  return `${domain && `${domain}.`}${operator}${version === null ? '' : `-${version}`}`;
}
