// A plane of numbers as a picture: one point an element, dark for the least and light for the greatest.
import type { Summary } from '../runtime/protocol.js';

/** Colours of viridis at equal distances: even steps of lightness, so that order shows without telling colours apart. */
const ramp = [
  [68, 1, 84],
  [72, 40, 120],
  [62, 74, 137],
  [49, 104, 142],
  [38, 130, 142],
  [31, 158, 137],
  [53, 183, 121],
  [109, 205, 89],
  [180, 222, 44],
  [253, 231, 37],
] as const;

type Colour = readonly [red: number, green: number, blue: number];

/** The colour of a part between 0 (least) and 1 (greatest). */
export function colourOf(part: number): Colour {
  const place = Math.min(1, Math.max(0, part)) * (ramp.length - 1);
  const below = Math.min(Math.floor(place), ramp.length - 2);
  const rest = place - below;
  const [from, to] = [ramp[below] as Colour, ramp[below + 1] as Colour];
  const mix = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * rest);
  return [mix(0), mix(1), mix(2)];
}

/** The points of a plane as red, green, blue and opacity; what is not finite is left clear. */
export function pointsOf({ plane, least, greatest }: Summary): Uint8ClampedArray<ArrayBuffer> {
  const points = new Uint8ClampedArray(plane.values.length * 4);
  const width = greatest - least;
  plane.values.forEach((value, i) => {
    if (Number.isFinite(value)) points.set([...colourOf(width > 0 ? (value - least) / width : 0.5), 255], 4 * i);
  });
  return points;
}

export function drawHeatmap(canvas: HTMLCanvasElement, summary: Summary): void {
  const { rows, columns } = summary.plane;
  if (rows === 0 || columns === 0) return;
  canvas.width = columns;
  canvas.height = rows;
  canvas.getContext('2d')?.putImageData(new ImageData(pointsOf(summary), columns, rows), 0, 0);
}

/** The colours from least to greatest, as a picture one point high. */
export function drawLegend(canvas: HTMLCanvasElement): void {
  const columns = 256;
  canvas.width = columns;
  canvas.height = 1;
  const points = new Uint8ClampedArray(columns * 4);
  for (let i = 0; i < columns; i++) points.set([...colourOf(i / (columns - 1)), 255], 4 * i);
  canvas.getContext('2d')?.putImageData(new ImageData(points, columns, 1), 0, 0);
}
