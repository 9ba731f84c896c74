// The lines between nodes.
import { nodeHeight } from './layout.js';
import type { Spot } from './picture.js';

type Pen = Pick<CanvasRenderingContext2D, 'moveTo' | 'lineTo' | 'bezierCurveTo'>;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The ends of a curve, and the points that bend it. */
interface Curve {
  readonly start: Point;
  readonly first: Point;
  readonly second: Point;
  readonly end: Point;
}

/** From the lower side of one spot to the upper side of another. */
function curveOf(from: Spot, to: Spot): Curve {
  const start = { x: from.x, y: from.y + from.height / 2 };
  const end = { x: to.x, y: to.y - to.height / 2 };
  const bend = Math.max(12, Math.min(40, Math.abs(end.y - start.y) / 2));
  // An edge that passes nodes of its own column passes at their side.
  const passes = end.y - start.y > 2 * nodeHeight + bend && Math.abs(to.x - from.x) < 40;
  const aside = passes ? from.width / 2 + 50 : 0;
  return {
    start,
    first: { x: start.x + aside, y: start.y + bend },
    second: { x: end.x + aside, y: end.y - bend },
    end,
  };
}

export function edgePath(pen: Pen, from: Spot, to: Spot, isCurve: boolean): void {
  const { start, first, second, end } = curveOf(from, to);
  pen.moveTo(start.x, start.y);
  if (isCurve) pen.bezierCurveTo(first.x, first.y, second.x, second.y, end.x, end.y);
  else pen.lineTo(end.x, end.y);
}

/** The longest edge whose label stands in its middle. */
const longest = 60;
/** From the start of a longer edge to its label. */
const after = 22;

/** The middle of a short edge; of a long one a point near its start, where no other node is. */
export function labelPoint(from: Spot, to: Spot): Point {
  const { start, first, second, end } = curveOf(from, to);
  const length = end.y - start.y;
  const t = length <= longest ? 0.5 : after / length;
  const s = 1 - t;
  const at = (a: number, b: number, c: number, d: number): number =>
    s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d;
  return {
    x: at(start.x, first.x, second.x, end.x),
    // A curve leaves its start faster than t says.
    y:
      length <= longest
        ? at(start.y, first.y, second.y, end.y)
        : Math.min(start.y + after, at(start.y, first.y, second.y, end.y)),
  };
}
