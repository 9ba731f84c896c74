// A plot over two axes with round numbers.
import { nothing, svg, type TemplateResult } from 'lit-html';
import { type Scale, shareOf, ticksOf } from '../stage/curve-scale.js';
import { figure, line, words } from './parts.js';
import { short } from './values.js';

export type { Scale };

export interface Plot {
  readonly across: Scale;
  readonly up: Scale;
  readonly width?: number;
  readonly height?: number;
  readonly names?: readonly [across: string, up: string];
  /** Only whole numbers along the axis across. */
  readonly isWhole?: boolean;
}

/** From numbers to the drawing. */
export interface Places {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

const [left, bottom, top] = [52, 34, 14];

/** The scale of some numbers, with a little room around them. */
export function scaleOf(values: readonly number[], room = 0.08): Scale {
  const finite = values.filter(Number.isFinite);
  const [low, high] = finite.length > 0 ? [Math.min(...finite), Math.max(...finite)] : [0, 1];
  const extra = high > low ? (high - low) * room : Math.abs(high) / 2 || 1;
  return { from: low - extra, to: high + extra };
}

export function plot(caption: unknown, given: Plot, content: (places: Places) => unknown): TemplateResult {
  const { across, up, width = 560, height = 220, names, isWhole } = given;
  const x = (value: number): number => left + shareOf(value, across) * width;
  const y = (value: number): number => top + (1 - shareOf(value, up)) * height;
  const columns = ticksOf(across, Math.max(3, width / 80))
    .filter((value) => !isWhole || Number.isInteger(value))
    .map(
      (value) => svg`${line(value === 0 ? 'pic-axis' : 'pic-tick', x(value), top, x(value), top + height)}
      ${words('pic-label pic-middle', x(value), top + height + 16, short(value))}`,
    );
  const rows = ticksOf(up, Math.max(2, height / 45)).map(
    (value) => svg`${line(value === 0 ? 'pic-axis' : 'pic-tick', left, y(value), left + width, y(value))}
      ${words('pic-label pic-end', left - 6, y(value) + 4, short(value))}`,
  );
  return figure(
    caption,
    left + width + 8,
    top + height + bottom,
    svg`${columns}${rows}${content({ x, y })}
      ${names ? svg`${words('pic-label pic-end', left + width, top + height + 30, names[0])}${words('pic-label', 0, 10, names[1])}` : nothing}`,
  );
}

/** A polyline through points, with gaps where one is not finite. */
export function polyline(points: readonly (readonly [number, number])[]): string {
  let isOpen = false;
  return points
    .map(([x, y]) => {
      const isPoint = Number.isFinite(x) && Number.isFinite(y);
      const step = isPoint ? `${isOpen ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}` : '';
      isOpen = isPoint;
      return step;
    })
    .join('');
}

export const dot = (name: string, x: number, y: number, radius: number, place?: string): TemplateResult =>
  svg`<circle class=${name} cx=${x} cy=${y} r=${radius} data-place=${place ?? nothing} />` as TemplateResult;
