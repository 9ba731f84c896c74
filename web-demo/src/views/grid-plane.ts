// The content of a grid: the plane of a tensor's last two axes, or a window of its elements.
import type { Elements, TensorReport } from '../runtime/protocol.js';
import type { GridNames } from '../texts/grids.js';
import type { Language } from '../texts/texts.js';
import { clipped } from '../values/visible.js';
import type { Plane } from './cells.js';
import { indexOf, isRepeat } from './mapping.js';

export interface GridGiven {
  readonly report: TensorReport;
  readonly language: Language;
  /** The name of the grid for screen readers. */
  readonly label: string;
  /** Words for its rows and columns. */
  readonly names?: GridNames | undefined;
  /** Only these elements, in lines of `windowColumns`; without, the whole tensor. */
  readonly window?: Elements | undefined;
}

/** Characters that a cell holds: strings may be of any length. Whoever points at a cell sees more. */
const longestCell = 60;

export const windowColumns = 8;
export const windowRows = 8;

/** An element of a tensor that somebody points at: `position` in row-major order. */
export interface Pointed {
  readonly report: TensorReport;
  readonly position: number;
  readonly elements: Elements;
}

export function elementsOf({ report, window }: GridGiven): Elements {
  return window ?? (report.elements as Elements);
}

export function sizesOf({ report, window }: GridGiven): { rows: number; columns: number } {
  if (window) return { rows: windowRows, columns: windowColumns };
  return { rows: report.dims.at(-2) ?? 1, columns: report.dims.at(-1) ?? 1 };
}

/** The position of the first element of the plane at the indices `outer`. */
export function baseOf(given: GridGiven, outer: readonly number[]): number {
  if (given.window) return given.window.start;
  const { dims } = given.report;
  const { rows, columns } = sizesOf(given);
  return outer.reduce((place, index, axis) => place * (dims[axis] as number) + index, 0) * rows * columns;
}

/** The heading of a row or a column: its index, or words. */
function named(words: string | readonly string[] | undefined, index: number): string {
  if (words === undefined) return String(index);
  return typeof words === 'string' ? `${words} ${index}` : (words[index] ?? String(index));
}

/** The cells of the plane that starts at the position `base`. */
export function planeOf(given: GridGiven, base: number): Plane {
  const { report, window, names } = given;
  const { start, text } = elementsOf(given);
  const { rows, columns } = sizesOf(given);
  const textOf = (cell: number): string => clipped(text[base - start + cell] ?? '', longestCell);
  const place = (position: number): string => `[${indexOf(position, report.dims).join(', ')}]`;
  return {
    ...{ rows, columns },
    columnHeader:
      report.dims.length > 0 ? (column) => (window ? `+${column}` : named(names?.columns, column)) : undefined,
    rowHeader: window
      ? (row) => String(base + row * columns)
      : report.dims.length > 1
        ? (row) => named(names?.rows, row)
        : undefined,
    text: textOf,
    label: (cell) => `${place(base + cell)} ${textOf(cell)}`,
    isRepeat: (cell) => isRepeat(base + cell, report),
  };
}
