// Parts of several pictures: a drawing with its caption, a board alone, an arrow, bars.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorReport } from '../runtime/protocol.js';
import { type Board, boardAt, extentOf } from './board.js';
import { numbersIn, short } from './values.js';

/** A drawing of a size, which shrinks where there is less room. */
export function figure(caption: unknown, width: number, height: number, content: unknown): TemplateResult {
  const box = `-2 -2 ${width + 4} ${height + 4}`;
  return html`<div class="pic-figure">
    ${caption === nothing ? nothing : html`<p class="pic-caption">${caption}</p>`}
    <svg class=${width > 400 ? 'pic-drawing pic-wide' : 'pic-drawing'} viewBox=${box} width=${width + 4} height=${height + 4}>${content}</svg>
  </div>`;
}

/** A board with a caption. */
export function boardFigure(caption: unknown, board: Board, over: unknown = nothing): TemplateResult {
  const { width, height } = extentOf(board);
  return figure(caption, width, height, svg`${boardAt(board, 0, 0)}${over}`);
}

/** The name of a tensor and the part of it that is drawn: `X [0, 1, :, :]`. */
export function planeCaption({ name, dims }: TensorReport, outer: readonly number[]): TemplateResult {
  const index = dims.map((_, axis) => outer[axis] ?? ':').join(', ');
  return html`<code>${visible(name)}</code> [${index}]`;
}

/** A figure behind a sign, which goes with it to a new line. */
export const behind = (sign: string, content: unknown): TemplateResult =>
  html`<div class="pic-behind"><span class="pic-sign">${sign}</span>${content}</div>`;

export const line = (name: string, x1: number, y1: number, x2: number, y2: number): TemplateResult =>
  svg`<line class=${name} x1=${x1} y1=${y1} x2=${x2} y2=${y2} />` as TemplateResult;

export const words = (name: string, x: number, y: number, text: unknown): TemplateResult =>
  svg`<text class=${name} x=${x} y=${y}>${text}</text>` as TemplateResult;

/** A curved arrow from one point down to another. */
export function arrow(x1: number, y1: number, x2: number, y2: number, name = 'pic-arrow'): TemplateResult {
  const middle = (y1 + y2) / 2;
  const tip = y2 > y1 ? -7 : 7;
  const path = `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2 + tip}`;
  return svg`<path class=${name} d=${path} /><path class="pic-tip" d=${`M${x2} ${y2}l-4.5 ${tip}h9z`} />` as TemplateResult;
}

export interface Bars {
  readonly texts: readonly string[];
  /** The positions of the bars among `texts`. */
  readonly positions: readonly number[];
  readonly name: string;
  /** The positions of the bars that stand out. */
  readonly chosen?: readonly number[];
  /** Lines across, with words. */
  readonly levels?: readonly { readonly value: number; readonly label: string }[];
  /** A band across, such as the spread around a mean. */
  readonly band?: readonly [number, number] | undefined;
  /** The least range of the axis. */
  readonly within?: readonly [number, number];
  readonly width?: number;
}

const barsHeight = 150;
const labelRoom = 18;

/** Bars from zero on, each with its number where there is room. */
export function bars(caption: unknown, given: Bars): TemplateResult {
  const { positions, texts, levels = [], band } = given;
  const all = numbersIn(texts);
  const values = positions.map((position) => all[position] as number);
  const finite = [...values, ...levels.map(({ value }) => value), ...(band ?? [])].filter(Number.isFinite);
  const [low, high] = [
    Math.min(0, ...(given.within ?? []), ...finite),
    Math.max(0, ...(given.within ?? []), ...finite),
  ];
  const span = high - low || 1;
  const step = given.width ?? Math.max(6, Math.min(50, 560 / values.length));
  const width = step * values.length;
  const y = (value: number): number => labelRoom + (1 - (value - low) / span) * barsHeight;
  const bar = (value: number, i: number): TemplateResult => {
    const position = positions[i] as number;
    const finiteValue = Number.isFinite(value) ? value : value > 0 ? high : low;
    const [top, bottom] = [y(Math.max(0, finiteValue)), y(Math.min(0, finiteValue))];
    const kind = given.chosen?.includes(position) ? 'pic-bar pic-bar-chosen' : 'pic-bar';
    const isAbove = value >= 0 || Number.isNaN(value);
    return svg`<g data-place=${`${given.name}:${position}`}>
      <rect class="pic-room" x=${i * step} y="0" width=${step} height=${barsHeight + 2 * labelRoom} />
      <rect class=${kind} x=${i * step + step * 0.12} y=${top} width=${step * 0.76} height=${Math.max(1, bottom - top)} />
      ${step >= 30 ? words('pic-small', (i + 0.5) * step, isAbove ? top - 6 : bottom + 13, short(texts[position] ?? '')) : nothing}
    </g>` as TemplateResult;
  };
  const room = levels.length > 0 ? 96 : 0;
  return figure(
    caption,
    width + room,
    barsHeight + 2 * labelRoom,
    svg`${band ? svg`<rect class="pic-band" x="0" y=${y(band[1])} width=${width} height=${y(band[0]) - y(band[1])} />` : nothing}
      ${line('pic-axis', 0, y(0), width, y(0))}
      ${values.map(bar)}
      ${levels.map(({ value, label }) => svg`${line('pic-level', 0, y(value), width + 4, y(value))}${words('pic-label', width + 8, y(value) + 4, label)}`)}`,
  );
}
