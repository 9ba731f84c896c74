// One side of a picture on a canvas: what the view shows of it, and no more.
import { edgeLabels, type FlowTexts, type PlacedLabel } from './edge-labels.js';
import { edgePath } from './edges.js';
import { nodeHeight } from './layout.js';
import { type Fate, fateOf, lineHeight, longestLabel, type Picture, type Side, type Spot, sides } from './picture.js';

/** Where the picture's origin lies, in CSS pixels, and how many of them are one of its units. */
export interface View {
  readonly k: number;
  readonly x: number;
  readonly y: number;
}

export interface Area {
  readonly width: number;
  readonly height: number;
}

export interface Inks {
  readonly ink: string;
  readonly edge: string;
  readonly chosen: string;
  readonly fills: { readonly [F in Fate]: string };
  readonly strokes: { readonly [F in Fate]: string };
  /** The colour of nodes that cannot run. */
  readonly bad: string;
  /** The colour of the times of nodes. */
  readonly heat: string;
  /** The colours of edges' labels, and of the ground under them. */
  readonly small: string;
  readonly ground: string;
  /** By groups of operators, for nodes that stay. */
  readonly groups: { readonly [group: string]: string };
  /** Deeper colours of the groups, for nodes that are too small for a border. */
  readonly deepGroups: { readonly [group: string]: string };
  readonly fontFamily: string;
}

/** The marks of a drawing, by numbers of spots, and of one edge. */
export interface Marks {
  readonly chosen?: number | undefined;
  readonly edge?: number | undefined;
  readonly found?: ReadonlySet<number> | undefined;
  /** The time of a node relative to the slowest one, from 0 to 1. */
  readonly heat?: ReadonlyMap<number, number> | undefined;
  /** Other texts of edges. */
  readonly texts?: FlowTexts | undefined;
}

/** The part of a canvas' context that is used. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | 'setTransform'
  | 'clearRect'
  | 'beginPath'
  | 'moveTo'
  | 'lineTo'
  | 'bezierCurveTo'
  | 'stroke'
  | 'fill'
  | 'fillRect'
  | 'roundRect'
  | 'fillText'
  | 'measureText'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
>;

const fontSize = 13;
const smallFontSize = 11;
/** Labels appear from this height of their letters on, in CSS pixels; borders from this height of nodes on. */
const leastLetters = 6.5;
const leastBorder = 5;
/** Edges are curves from this scale on. */
const leastCurve = 0.3;
const corner = 5;
/** The bar of a node's time, at its lower edge. */
const barHeight = 4;
/** Nodes that are so slow beside the slowest are lit: by their border, or where they have none by their colour. */
const leastHeat = 0.25;

const cut = (text: string): string => (text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text);

export function labelOf(spot: Spot, side: Side): string {
  return cut(spot[side]?.operator ?? '');
}

/** The part of the picture that is seen, in its units. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** A pixel of CSS. */
  readonly pixel: number;
}

function frameOf({ k, x, y }: View, { width, height }: Area): Frame {
  const left = -x / k;
  const top = -y / k;
  return { left, top, right: left + width / k, bottom: top + height / k, pixel: 1 / k };
}

function isEdgeSeen(from: Spot, to: Spot, { left, top, right, bottom }: Frame): boolean {
  return (
    Math.max(from.y + from.height, to.y + to.height) >= top &&
    Math.min(from.y - from.height, to.y - to.height) <= bottom &&
    Math.max(from.x, to.x) >= left &&
    Math.min(from.x, to.x) <= right
  );
}

/** The colour of a node: of its group if it stays and has one, else of its fate. */
function tintOf(spot: Spot, side: Side, groups: Inks['groups'], fates: Inks['fills']): string {
  const fate = fateOf(spot);
  const group = spot[side]?.look?.group;
  const tint = fate === 'stays' && group !== undefined ? groups[group] : undefined;
  return tint ?? fates[fate];
}

/** The box of a node, or of an end of the graph, whose sides are round. */
function drawBox(
  brush: Brush,
  spot: Spot,
  side: Side,
  inks: Inks,
  line: number,
  marks: { isChosen: boolean; isFound: boolean; heat: number },
): void {
  const fate = fateOf(spot);
  const { look } = spot[side] ?? {};
  const { isChosen, isFound, heat } = marks;
  const isBad = look?.isUnsupported === true && fate === 'stays';
  brush.beginPath();
  const radius = look?.end === undefined ? corner : spot.height / 2;
  brush.roundRect(spot.x - spot.width / 2, spot.y - spot.height / 2, spot.width, spot.height, radius);
  brush.fillStyle = tintOf(spot, side, inks.groups, inks.fills);
  brush.fill();
  if (heat > 0) {
    brush.fillStyle = inks.heat;
    const [left, bottom] = [spot.x - spot.width / 2 + corner, spot.y + spot.height / 2 - 1];
    brush.fillRect(left, bottom - barHeight, Math.max(1, (spot.width - 2 * corner) * heat), barHeight);
  }
  const isSlow = heat >= leastHeat;
  brush.strokeStyle = isChosen || isFound ? inks.chosen : isBad ? inks.bad : isSlow ? inks.heat : inks.strokes[fate];
  brush.lineWidth = (isChosen || isSlow ? 3 : isFound || isBad ? 2 : 1) * line;
  brush.setLineDash(fate === 'goes' ? [5, 4] : []);
  brush.stroke();
}

function drawText(brush: Brush, spot: Spot, side: Side, inks: Inks): void {
  const { look } = spot[side] ?? {};
  const top = spot.y - spot.height / 2 + nodeHeight / 2;
  brush.fillStyle = inks.ink;
  brush.font = `${fontSize}px ${inks.fontFamily}`;
  brush.fillText(look?.hasGraphs ? `${labelOf(spot, side)} ⊞` : labelOf(spot, side), spot.x, top + 1);
  if (look?.lines === undefined) return;
  brush.font = `${smallFontSize}px ${inks.fontFamily}`;
  brush.fillStyle = inks.small;
  look.lines.forEach((line, i) => {
    brush.fillText(cut(line), spot.x, top + nodeHeight / 2 + lineHeight * (i + 0.5) - 2);
  });
}

/**
 * @param ratio of the device's pixels to CSS pixels
 * @returns the labels of edges that were drawn
 */
export function draw(
  brush: Brush,
  { spots, edges, flows }: Picture,
  side: Side,
  view: View,
  area: Area,
  ratio: number,
  inks: Inks,
  { chosen, edge, found, heat, texts }: Marks = {},
): readonly PlacedLabel[] {
  const { k, x, y } = view;
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, area.width, area.height);
  brush.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
  const frame = frameOf(view, area);
  const line = Math.max(1, frame.pixel);

  const drawEdges = (isWanted: (from: number, to: number, edge: number) => boolean): void => {
    const pairs = edges[side];
    brush.beginPath();
    for (let i = 0; i < pairs.length; i += 2) {
      const [from, to] = [pairs[i] as number, pairs[i + 1] as number];
      const [start, end] = [spots[from] as Spot, spots[to] as Spot];
      if (isWanted(from, to, i / 2) && isEdgeSeen(start, end, frame)) edgePath(brush, start, end, k >= leastCurve);
    }
    brush.stroke();
  };
  brush.setLineDash([]);
  brush.strokeStyle = inks.edge;
  brush.lineWidth = line;
  drawEdges(() => true);
  if (chosen !== undefined || edge !== undefined) {
    brush.strokeStyle = inks.chosen;
    brush.lineWidth = 2 * line;
    drawEdges((from, to, i) => i === edge || from === chosen || to === chosen);
  }

  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  let labels: readonly PlacedLabel[] = [];
  if (flows[side] !== undefined && smallFontSize * k >= leastLetters) {
    brush.font = `${smallFontSize}px ${inks.fontFamily}`;
    const seen = (from: Spot, to: Spot): boolean => isEdgeSeen(from, to, frame);
    const widthOf = (text: string): number => brush.measureText(text).width;
    labels = edgeLabels(spots, edges[side], flows[side], seen, widthOf, edge, texts);
    for (const label of labels) {
      brush.beginPath();
      brush.roundRect(label.x - label.width / 2, label.y - label.height / 2, label.width, label.height, 3);
      brush.fillStyle = inks.ground;
      brush.fill();
      if (label.edge === edge) brush.stroke(); // as its line, which was the last
      brush.fillStyle = inks.small;
      brush.fillText(label.text, label.x, label.y + 0.5);
    }
  }

  const hasBorders = nodeHeight * k >= leastBorder;
  const hasLabels = fontSize * k >= leastLetters;
  spots.forEach((spot, i) => {
    if (spot[side] === undefined) return;
    const [w, h] = [spot.width, Math.max(spot.height, frame.pixel)];
    const [left, top] = [spot.x - w / 2, spot.y - h / 2];
    if (left > frame.right || left + w < frame.left || top > frame.bottom || top + h < frame.top) return;
    const marks = { isChosen: i === chosen, isFound: found?.has(i) ?? false, heat: heat?.get(i) ?? 0 };
    if (hasBorders || marks.isChosen) {
      drawBox(brush, spot, side, inks, line, marks);
    } else {
      // Without a border, the fill alone tells them apart from the ground.
      const { isUnsupported } = spot[side].look ?? {};
      const plain = marks.heat >= leastHeat ? inks.heat : tintOf(spot, side, inks.deepGroups, inks.strokes);
      brush.fillStyle = marks.isFound ? inks.chosen : isUnsupported ? inks.bad : plain;
      brush.fillRect(left, top, w, h);
    }
    if (hasLabels) drawText(brush, spot, side, inks);
  });
  return labels;
}

/** The spot at a point of the picture, in its units. */
export function spotAt({ spots }: Picture, side: Side, x: number, y: number): number | undefined {
  const found = spots.findIndex(
    (spot) =>
      spot[side] !== undefined && Math.abs(spot.x - x) <= spot.width / 2 && Math.abs(spot.y - y) <= spot.height / 2,
  );
  return found < 0 ? undefined : found;
}

/** The scale at which the whole picture is seen. */
export function wholeScale({ width, height }: Area, area: Area): number {
  return Math.min(1, (area.width - 24) / Math.max(1, width), (area.height - 24) / Math.max(1, height));
}

/** The view that shows the whole. */
export function wholeView(picture: Area, area: Area): View {
  const k = Math.max(1e-4, wholeScale(picture, area));
  return { k, x: (area.width - picture.width * k) / 2, y: (area.height - picture.height * k) / 2 };
}

/**
 * The view to begin with: the whole if its scale is `k` at least, so that labels can be read; else the first spot that both sides
 * have, at `k`, with `top` pixels above it. Two sides that have none in common are seen whole, because no part is sure to show both.
 */
export function firstView(picture: Picture, area: Area, k = 0.6, top = 12): View {
  const whole = wholeView(picture, area);
  if (whole.k >= k) return whole;
  const used = sides.filter((side) => picture.spots.some((spot) => spot[side] !== undefined));
  const common = picture.spots.filter((spot) => used.every((side) => spot[side] !== undefined));
  if (common.length === 0) return whole;
  const first = common.reduce((one, other) => (other.y < one.y ? other : one));
  return { k, x: area.width / 2 - first.x * k, y: Math.min(top, area.height / 4 - first.y * k) };
}
