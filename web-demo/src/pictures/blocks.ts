// Tensors of any rank as blocks of cells: planes of the last two axes below each other, with gaps between them.
import { svg, type TemplateResult } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import { cell } from './board.js';
import { product, short } from './values.js';

const gap = 12;
/** The room of a caption above a block. */
export const captionRoom = 22;

/** The most cells of a block, and of a row. */
const mostCells = 160;
const mostColumns = 16;

export const fits = ({ dims, size }: TensorReport): boolean => size <= mostCells && (dims.at(-1) ?? 1) <= mostColumns;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The corner of the cell of an element, from the corner of its block. */
export function cornerOf({ dims }: Pick<TensorReport, 'dims'>, position: number): Point {
  const columns = dims.at(-1) ?? 1;
  const row = Math.floor(position / columns);
  const plane = Math.floor(row / (dims.at(-2) ?? 1));
  return { x: (position % columns) * cell.width, y: captionRoom + row * cell.height + plane * gap };
}

export function blockSize({ dims }: Pick<TensorReport, 'dims'>): { readonly width: number; readonly height: number } {
  const columns = dims.at(-1) ?? 1;
  const rows = product(dims.slice(0, -1));
  const planes = product(dims.slice(0, -2));
  return { width: columns * cell.width, height: captionRoom + rows * cell.height + (planes - 1) * gap };
}

/** The colour of an element, by its place among all: what came first stays apart from what came last. */
export function tint(position: number, count: number): string {
  const share = count > 1 ? Math.round((100 * position) / (count - 1)) : 0;
  return `color-mix(in oklab, var(--warm-soft) ${share}%, var(--accent-soft))`;
}

/** A cell with a number. */
export function numberCell(
  { x, y }: Point,
  text: string,
  place: string,
  fill: string,
  name = 'pic-box',
): TemplateResult {
  return svg`<g data-place=${place}>
    <rect class=${name} x=${x} y=${y} width=${cell.width} height=${cell.height} fill=${fill} />
    <text class="pic-number" x=${x + cell.width / 2} y=${y + cell.height / 2}>${short(text)}</text>
  </g>` as TemplateResult;
}
