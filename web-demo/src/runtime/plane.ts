// A plane of a tensor, thinned to what can be seen.
import type { Runtime, Tensor } from 'broadloom';
import { numberReader } from './patterns.js';
import type { Summary } from './protocol.js';

const largestPlane = 256;

/** The plane at `outer`. Only the elements that are shown are read. */
export function planeOf(ops: Runtime, tensor: Tensor, outer: readonly number[]): Summary['plane'] {
  const { dims } = tensor;
  const [rows, columns] = [dims.at(-2) ?? 1, dims.at(-1) ?? 1];
  const start = dims.slice(0, -2).reduce((place, dim, i) => place * dim + (outer[i] ?? 0), 0) * rows * columns;
  const [shownRows, shownColumns] = [Math.min(rows, largestPlane), Math.min(columns, largestPlane)];
  const valueAt = numberReader(ops, tensor);
  const values = new Float32Array(shownRows * shownColumns);
  for (let r = 0; r < shownRows; r++) {
    const row = start + Math.floor((r * rows) / shownRows) * columns;
    for (let c = 0; c < shownColumns; c++) {
      values[r * shownColumns + c] = valueAt(row + Math.floor((c * columns) / shownColumns));
    }
  }
  return { rows: shownRows, columns: shownColumns, values };
}
