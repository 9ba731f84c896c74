// The memory of the values between nodes while a model runs, from the bytes that its nodes took and from who reads them.

import { everyNode, type NodePath } from './graphs.js';
import type { ModelReport, ProfileAnswer } from './protocol.js';
import { endsOf, readersOf } from './values-of.js';

/** A node of the model's own graph while it runs. */
export interface MemoryStep {
  readonly path: NodePath;
  readonly microseconds: number;
  /** Bytes of all values that are alive then. */
  readonly bytes: number;
}

interface Made {
  readonly path: NodePath;
  microseconds: number;
  /** Bytes of the outputs of the node, and of the nodes in its graphs. */
  bytes: number;
  calls: number;
}

/** The nodes of the model's own graph, each with what nodes in its graphs took. */
function outermost(report: ModelReport, { nodes }: ProfileAnswer): Made[] {
  const made: Made[] = [];
  for (const [i, { path }] of everyNode(report.nodes).entries()) {
    const row = nodes[i];
    if (row === undefined) continue;
    if (!path.includes('.')) made.push({ path, microseconds: 0, bytes: 0, calls: 0 });
    const own = made.at(-1);
    if (own === undefined) continue;
    own.microseconds += row.microseconds;
    own.bytes += row.bytes;
    if (!path.includes('.')) own.calls = row.calls;
  }
  return made;
}

/**
 * The last node that needs what each node makes. A node that takes no memory gives a view of what it reads, or is computed with
 * the node that reads it: what it reads lives as long as it does.
 */
function lastReaders(report: ModelReport, made: readonly Made[]): number[] {
  const outputs = new Set(endsOf(report, '').outputs.map(({ name }) => name));
  const last = made.map((_, i) => i);
  for (let i = made.length - 1; i >= 0; i--) {
    for (const { name } of report.nodes[i]?.outputs ?? []) {
      if (outputs.has(name)) last[i] = made.length - 1;
      for (const path of readersOf(report, '', name)) {
        const reader = Number.parseInt(path, 10);
        const until = made[reader]?.bytes === 0 ? (last[reader] ?? reader) : reader;
        last[i] = Math.max(last[i] as number, until);
      }
    }
  }
  return last;
}

export function memorySteps(report: ModelReport, answer: ProfileAnswer): readonly MemoryStep[] {
  const made = outermost(report, answer);
  const last = lastReaders(report, made);
  const changes = new Float64Array(made.length + 1);
  for (const [i, { bytes }] of made.entries()) {
    changes[i] = (changes[i] as number) + bytes;
    const end = (last[i] as number) + 1;
    changes[end] = (changes[end] as number) - bytes;
  }
  let bytes = 0;
  const steps = made.map(({ path, microseconds }, i) => {
    bytes += changes[i] as number;
    return { path, microseconds, bytes };
  });
  return steps.filter((_, i) => (made[i] as Made).calls > 0);
}
