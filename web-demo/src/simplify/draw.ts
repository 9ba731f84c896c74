// One side of a picture on a canvas: what the view shows of it, and no more.
import { nodeHeight } from './layout.js';
import { type Fate, fateOf, longestLabel, type Picture, type Side, type Spot } from './picture.js';

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
  readonly fontFamily: string;
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
  | 'fillRect'
  | 'strokeRect'
  | 'fillText'
  | 'setLineDash'
  | 'fillStyle'
  | 'strokeStyle'
  | 'lineWidth'
  | 'font'
  | 'textAlign'
  | 'textBaseline'
>;

const fontSize = 13;
/** Labels appear from this height of their letters on, in CSS pixels; borders from this height of nodes on. */
const leastLetters = 6.5;
const leastBorder = 5;
/** Edges are curves from this scale on. */
const leastCurve = 0.3;

function edgePath(brush: Brush, from: Spot, to: Spot, isCurve: boolean): void {
  const start = from.y + nodeHeight / 2;
  const end = to.y - nodeHeight / 2;
  brush.moveTo(from.x, start);
  if (!isCurve) {
    brush.lineTo(to.x, end);
    return;
  }
  const bend = Math.max(12, Math.min(40, Math.abs(end - start) / 2));
  // An edge that passes nodes of its own column passes at their side.
  const aside = end - start > 2 * nodeHeight + bend && Math.abs(to.x - from.x) < 40 ? from.width / 2 + 50 : 0;
  brush.bezierCurveTo(from.x + aside, start + bend, to.x + aside, end - bend, to.x, end);
}

export function labelOf(spot: Spot, side: Side): string {
  const operator = spot[side]?.operator ?? '';
  return operator.length > longestLabel ? `${operator.slice(0, longestLabel)}…` : operator;
}

/** @param ratio of the device's pixels to those of CSS @param chosen the number of a spot */
export function draw(
  brush: Brush,
  { spots, edges }: Picture,
  side: Side,
  { k, x, y }: View,
  { width, height }: Area,
  ratio: number,
  inks: Inks,
  chosen: number | undefined,
): void {
  brush.setTransform(ratio, 0, 0, ratio, 0, 0);
  brush.clearRect(0, 0, width, height);
  brush.setTransform(ratio * k, 0, 0, ratio * k, ratio * x, ratio * y);
  const left = -x / k;
  const top = -y / k;
  const right = left + width / k;
  const bottom = top + height / k;
  const pixel = 1 / k;

  const isEdgeSeen = (from: Spot, to: Spot): boolean =>
    Math.max(from.y, to.y) + nodeHeight >= top &&
    Math.min(from.y, to.y) - nodeHeight <= bottom &&
    Math.max(from.x, to.x) >= left &&
    Math.min(from.x, to.x) <= right;
  const drawEdges = (isWanted: (from: number, to: number) => boolean): void => {
    const pairs = edges[side];
    brush.beginPath();
    for (let i = 0; i < pairs.length; i += 2) {
      const [from, to] = [pairs[i] as number, pairs[i + 1] as number];
      const [start, end] = [spots[from] as Spot, spots[to] as Spot];
      if (isWanted(from, to) && isEdgeSeen(start, end)) edgePath(brush, start, end, k >= leastCurve);
    }
    brush.stroke();
  };
  brush.setLineDash([]);
  brush.strokeStyle = inks.edge;
  brush.lineWidth = Math.max(1, pixel);
  drawEdges(() => true);
  if (chosen !== undefined) {
    brush.strokeStyle = inks.chosen;
    brush.lineWidth = 2 * Math.max(1, pixel);
    drawEdges((from, to) => from === chosen || to === chosen);
  }

  brush.font = `${fontSize}px ${inks.fontFamily}`;
  brush.textAlign = 'center';
  brush.textBaseline = 'middle';
  const hasBorders = nodeHeight * k >= leastBorder;
  const hasLabels = fontSize * k >= leastLetters;
  spots.forEach((spot, i) => {
    if (spot[side] === undefined) return;
    const [w, h] = [spot.width, Math.max(nodeHeight, pixel)];
    const [nodeLeft, nodeTop] = [spot.x - w / 2, spot.y - h / 2];
    if (nodeLeft > right || nodeLeft + w < left || nodeTop > bottom || nodeTop + h < top) return;
    const fate = fateOf(spot);
    // Without a border, the fill alone tells them apart from the ground.
    brush.fillStyle = hasBorders ? inks.fills[fate] : inks.strokes[fate];
    brush.fillRect(nodeLeft, nodeTop, w, h);
    if (hasBorders || i === chosen) {
      brush.strokeStyle = i === chosen ? inks.chosen : inks.strokes[fate];
      brush.lineWidth = (i === chosen ? 3 : 1) * Math.max(1, pixel);
      brush.setLineDash(fate === 'goes' ? [5, 4] : []);
      brush.strokeRect(nodeLeft, nodeTop, w, h);
    }
    if (!hasLabels) return;
    brush.fillStyle = inks.ink;
    brush.fillText(labelOf(spot, side), spot.x, spot.y + 1);
  });
}

/** The spot at a point of the picture, in its units. */
export function spotAt({ spots }: Picture, side: Side, x: number, y: number): number | undefined {
  const found = spots.findIndex(
    (spot) =>
      spot[side] !== undefined && Math.abs(spot.x - x) <= spot.width / 2 && Math.abs(spot.y - y) <= nodeHeight / 2,
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

/** The view to begin with: the whole if its labels can be read, else the first that stays, at a scale at which they can. */
export function firstView(picture: Picture, area: Area): View {
  const whole = wholeView(picture, area);
  const k = 0.6;
  if (whole.k >= k) return whole;
  const left = picture.spots.filter((spot) => spot.after !== undefined);
  const first = (left.length > 0 ? left : picture.spots).reduce((one, other) => (other.y < one.y ? other : one));
  return { k, x: area.width / 2 - first.x * k, y: Math.min(12, area.height / 4 - first.y * k) };
}
