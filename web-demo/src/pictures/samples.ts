// A board with the points at which it is sampled.
import { svg, type TemplateResult } from 'lit-html';
import { type Board, extentOf, type Mark, sizesOf } from './board.js';
import { boardFigure } from './parts.js';
import { dot } from './plot.js';
import { countTo } from './values.js';

/** A point in elements: 0 is the middle of the first one. */
export interface Sample {
  readonly row: number;
  readonly column: number;
}

/** The elements that a sample is made of: 1, 2 × 2 or 4 × 4. */
export function neighbours({ row, column }: Sample, rows: number, columns: number, mode: string): Sample[] {
  if (mode === 'nearest') return [{ row: Math.round(row), column: Math.round(column) }];
  const isCubic = mode.includes('cubic');
  const along = (at: number, size: number): number[] => {
    const first = Math.floor(at);
    const all = isCubic ? countTo(4).map((i) => first - 1 + i) : at === first ? [first] : [first, first + 1];
    return [...new Set(all)].filter((one) => one >= 0 && one < size);
  };
  return along(row, rows).flatMap((r) => along(column, columns).map((c) => ({ row: r, column: c })));
}

interface Sampled {
  readonly board: Board;
  readonly read: readonly Sample[];
  readonly samples: readonly (Sample & { readonly place: string; readonly isChosen: boolean })[];
  readonly caption: unknown;
}

/** Small boards have large cells, which leave room for dots. */
function side({ rows, columns, pads = [0, 0, 0, 0] }: Board): number | undefined {
  const [top, left, bottom, right] = pads;
  const most = Math.max(rows + top + bottom, columns + left + right);
  return most <= 10 ? Math.min(84, Math.floor(360 / most)) : undefined;
}

export function sampledBoard({ board: plain, read, samples, caption }: Sampled): TemplateResult {
  const board = { ...plain, side: side(plain) };
  const { width, height } = sizesOf(board);
  const [top, left] = board.pads ?? [0, 0];
  const marks = read.map((one): Mark => ({ ...one, kind: 'lit' }));
  const extent = extentOf(board);
  // A sample far outside stays at the edge of the drawing.
  const x = (column: number): number => Math.min(Math.max((column + 0.5 + left) * width, -8), extent.width + 8);
  const y = (row: number): number => Math.min(Math.max((row + 0.5 + top) * height, -8), extent.height + 8);
  const small = Math.min(4, width / 3);
  const isMany = samples.length > 400;
  const dots = samples
    .filter(({ isChosen }) => isChosen || !isMany)
    .toSorted((one, other) => Number(one.isChosen) - Number(other.isChosen))
    .map(({ row, column, place, isChosen }) =>
      dot(isChosen ? 'pic-point' : 'pic-sample', x(column), y(row), isChosen ? small + 3 : small, place),
    );
  return boardFigure(caption, { ...board, marks: [...marks, ...(board.marks ?? [])] }, svg`${dots}`);
}
