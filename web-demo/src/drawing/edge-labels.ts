// The texts of edges, as many as have room.
import { labelPoint } from './edges.js';
import type { Flow } from './flat-graph.js';
import type { Spot } from './picture.js';

export interface PlacedLabel {
  /** The number of its edge. */
  readonly edge: number;
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

/** Texts for values in the place of those that they have, by name. */
export type FlowTexts = ReadonlyMap<string, string>;

/** The text of an edge: its first value, and the number of further ones. */
function textOf([first, ...more]: readonly Flow[], texts: FlowTexts | undefined): string {
  const text = texts?.get(first?.name ?? '') ?? first?.text ?? '';
  const short = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return more.length === 0 ? short : `${short} +${more.length}`.trim();
}

/** The labels of the visible edges. A label that would overlap another is left out, except the label of edge `first`. */
export function edgeLabels(
  spots: readonly Spot[],
  edges: Uint32Array,
  flows: readonly (readonly Flow[])[],
  isSeen: (from: Spot, to: Spot) => boolean,
  widthOf: (text: string) => number,
  first?: number,
  texts?: FlowTexts,
): PlacedLabel[] {
  const placed: PlacedLabel[] = [];
  const cells = new Map<string, PlacedLabel[]>();
  const place = (edge: number): void => {
    const [from, to] = [spots[edges[2 * edge] as number] as Spot, spots[edges[2 * edge + 1] as number] as Spot];
    if (!isSeen(from, to)) return;
    const text = textOf(flows[edge] ?? [], texts);
    if (text === '') return;
    const label = { edge, text, ...labelPoint(from, to), width: widthOf(text) + 2 * padding, height };
    const [column, row] = [Math.floor(label.x / cell), Math.floor(label.y / cell)];
    const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(`${column + dx} ${row + dy}`) ?? []));
    if (near.some((other) => overlaps(label, other))) return;
    placed.push(label);
    const key = `${column} ${row}`;
    const own = cells.get(key);
    if (own === undefined) cells.set(key, [label]);
    else own.push(label);
  };
  if (first !== undefined) place(first);
  for (let edge = 0; edge < flows.length; edge++) if (edge !== first) place(edge);
  return placed;
}

/** The edge whose label is at a point of the picture. */
export function edgeAt(labels: readonly PlacedLabel[], x: number, y: number): number | undefined {
  return labels.find((one) => Math.abs(one.x - x) <= one.width / 2 && Math.abs(one.y - y) <= one.height / 2 + padding)
    ?.edge;
}
