// Where the time of a run goes, as a table.

import type { NodeProfile } from 'broadloom';
import { counted } from '../../shared/counted.js';
import { table } from './output.js';

/** A total, and one line for each node that ran, the slowest first. */
export function profileText(rows: readonly NodeProfile[]): string {
  const ran = rows.filter(({ calls }) => calls > 0);
  const total = ran.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const lines = ran
    .toSorted((a, b) => b.microseconds - a.microseconds)
    .map(({ node, operator, microseconds, bytes, calls, fusedInto }) => [
      shownTime(microseconds),
      `${total > 0 ? ((100 * microseconds) / total).toFixed(1) : '0.0'} %`,
      String(bytes),
      String(calls),
      operator,
      fusedInto === undefined ? node : `${node} (fused into ${fusedInto})`,
    ]);
  const heads = ['microseconds', 'share', 'bytes', 'calls', 'operator', 'node'];
  return `${shownTime(total)} microseconds in ${counted(ran.length, 'node')}\n\n${table([heads, ...lines])}`;
}

function shownTime(microseconds: number): string {
  return microseconds.toFixed(1);
}
