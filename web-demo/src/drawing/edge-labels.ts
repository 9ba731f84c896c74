// The texts of edges, as many as have room.
import { labelPoint } from './edges.js';
import type { Spot } from './picture.js';

export interface PlacedLabel {
  readonly text: string;
  /** The middle of its box. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const height = 14;
const padding = 3;
const longest = 40;
/** Labels are looked for in cells of this size, so that each is compared with few others. */
const cell = 200;

const overlaps = (a: PlacedLabel, b: PlacedLabel): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** The labels of the edges that are seen. One that would lie over another is left out. */
export function edgeLabels(
  spots: readonly Spot[],
  edges: Uint32Array,
  texts: readonly string[],
  isSeen: (from: Spot, to: Spot) => boolean,
  widthOf: (text: string) => number,
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const cells = new Map<string, PlacedLabel[]>();
  for (const [i, full] of texts.entries()) {
    const [from, to] = [spots[edges[2 * i] as number] as Spot, spots[edges[2 * i + 1] as number] as Spot];
    if (full === '' || !isSeen(from, to)) continue;
    const text = full.length > longest ? `${full.slice(0, longest)}…` : full;
    const label = { text, ...labelPoint(from, to), width: widthOf(text) + 2 * padding, height };
    const [column, row] = [Math.floor(label.x / cell), Math.floor(label.y / cell)];
    const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(`${column + dx} ${row + dy}`) ?? []));
    if (near.some((other) => overlaps(label, other))) continue;
    placed.push(label);
    const key = `${column} ${row}`;
    const own = cells.get(key);
    if (own === undefined) cells.set(key, [label]);
    else own.push(label);
  }
  return placed;
}
