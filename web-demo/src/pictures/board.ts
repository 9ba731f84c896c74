// Boards: a plane of elements as cells, or as grey pixels where they are many, with marks over them.
import { nothing, svg, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { countTo, numbersIn, short } from './values.js';

/** The size of a cell with a number. */
export const cell = { width: 46, height: 32 } as const;

/** Longer rows or columns are drawn as pixels. */
const mostCells = 16;
const pixels = 384;

export interface Mark {
  readonly row: number;
  readonly column: number;
  readonly rows?: number;
  readonly columns?: number;
  /** `chosen`: the element that is described; `lit`: what it comes from; `best`: what counts of these; `window`: a frame alone. */
  readonly kind: 'chosen' | 'lit' | 'best' | 'window' | 'faded';
}

export interface Board {
  readonly rows: number;
  readonly columns: number;
  /** The elements in row-major order. */
  readonly texts: readonly string[];
  /** The first element of the plane among `texts`. */
  readonly from?: number;
  /** Cells around the elements that stand for padding: before rows, before columns, after rows, after columns. */
  readonly pads?: readonly [number, number, number, number];
  /** The name of the cells for the pointer: `i0` or `o0`, the number of the input or output. */
  readonly name?: string | undefined;
  readonly marks?: readonly Mark[];
  /** Cells of another size: squares, with numbers in their corners. */
  readonly side?: number | undefined;
  /** Pixels of this size instead of cells. */
  readonly pixel?: number;
}

export interface Sizes {
  readonly width: number;
  readonly height: number;
  readonly isPixels: boolean;
}

const noPads = [0, 0, 0, 0] as const;

/** The size of each cell of a board. */
export function sizesOf({ rows, columns, pads = noPads, side: own, pixel }: Board): Sizes {
  if (pixel !== undefined) return { width: pixel, height: pixel, isPixels: true };
  const [top, left, bottom, right] = pads;
  const most = Math.max(rows + top + bottom, columns + left + right);
  if (own !== undefined) return { width: own, height: own, isPixels: false };
  if (most <= mostCells) return { ...cell, isPixels: false };
  const side = Math.max(4, Math.floor(pixels / most));
  return { width: side, height: side, isPixels: true };
}

/** The width and height of a whole board. */
export function extentOf(board: Board): { readonly width: number; readonly height: number } {
  const { width, height } = sizesOf(board);
  const [top, left, bottom, right] = board.pads ?? noPads;
  return { width: (board.columns + left + right) * width, height: (board.rows + top + bottom) * height };
}

/** Stripes of a cell that holds no element. */
function hatched(x: number, y: number, { width, height }: Sizes): TemplateResult {
  const lines = [0.25, 0.75, 1.25, 1.75].map((share) => {
    const [x1, y1] = share <= 1 ? [share * width, 0] : [width, (share - 1) * height];
    const [x2, y2] = share <= 1 ? [0, share * height] : [(share - 1) * width, height];
    return `M${x + x1} ${y + y1}L${x + x2} ${y + y2}`;
  });
  return svg`<rect class="pic-pad" x=${x} y=${y} width=${width} height=${height} /><path class="pic-hatch" d=${lines.join('')} />` as TemplateResult;
}

function pads(board: Board, sizes: Sizes): TemplateResult[] {
  const [top, left, bottom, right] = board.pads ?? noPads;
  const { rows, columns } = board;
  const isPad = (row: number, column: number): boolean => row < 0 || column < 0 || row >= rows || column >= columns;
  return countTo(rows + top + bottom).flatMap((r) =>
    countTo(columns + left + right).flatMap((c) =>
      isPad(r - top, c - left) ? [hatched(c * sizes.width, r * sizes.height, sizes)] : [],
    ),
  );
}

/** Grey between black for the least and white for the greatest of all texts. */
function grey(value: number, least: number, greatest: number): string {
  const level = greatest > least ? Math.round((255 * (value - least)) / (greatest - least)) : 128;
  return Number.isFinite(level) ? `rgb(${level},${level},${level})` : 'none';
}

function cells(board: Board, sizes: Sizes): TemplateResult[] {
  const { rows, columns, texts, from = 0, name } = board;
  const [top, left] = board.pads ?? noPads;
  const { width, height, isPixels } = sizes;
  const finite = isPixels ? numbersIn(texts).filter(Number.isFinite) : [];
  const [least, greatest] = [Math.min(...finite), Math.max(...finite)];
  return countTo(rows * columns).map((i) => {
    const x = ((i % columns) + left) * width;
    const y = (Math.floor(i / columns) + top) * height;
    const place = name === undefined ? nothing : `${name}:${from + i}`;
    const text = texts[from + i] ?? '';
    if (isPixels) {
      const fill = grey(numbersIn(texts)[from + i] as number, least, greatest);
      return svg`<rect class="pic-pixel" data-place=${place} x=${x} y=${y} width=${width} height=${height} fill=${fill} />` as TemplateResult;
    }
    return svg`<g data-place=${place}><rect class="pic-cell" x=${x} y=${y} width=${width} height=${height} />
      <text class=${board.side ? 'pic-corner' : 'pic-number'} x=${board.side ? x + 5 : x + width / 2} y=${board.side ? y + 14 : y + height / 2}>${short(text)}</text></g>` as TemplateResult;
  });
}

function markOf(board: Board, mark: Mark): TemplateResult {
  const { width, height } = sizesOf(board);
  const [top, left] = board.pads ?? noPads;
  return svg`<rect
    class=${`pic-mark pic-${mark.kind}`}
    x=${(mark.column + left) * width}
    y=${(mark.row + top) * height}
    width=${(mark.columns ?? 1) * width}
    height=${(mark.rows ?? 1) * height}
    rx="3"
  />` as TemplateResult;
}

/** A board as a part of a drawing, its corner at a point. Elements are drawn once; marks with each moment. */
export function boardAt(board: Board, x: number, y: number): TemplateResult {
  const sizes = sizesOf(board);
  const { rows, columns, texts, from, name, side } = board;
  return svg`<g transform=${`translate(${x} ${y})`}>
    ${guard([texts, from, rows, columns, name, side, String(board.pads)], () => svg`${pads(board, sizes)}${cells(board, sizes)}`)}
    ${(board.marks ?? []).map((mark) => markOf(board, mark))}
  </g>` as TemplateResult;
}
