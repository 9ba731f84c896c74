export type Point = readonly [x: number, y: number];

/** A rectangle in any direction: its middle, the direction of its width, and its sizes. */
export interface Rectangle {
  readonly middle: Point;
  readonly direction: Point;
  readonly width: number;
  readonly height: number;
}

const cross = (a: Point, b: Point, c: Point) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** The corners of the convex hull, in turn. */
function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (ordered: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of ordered) {
      while (chain.length > 1 && cross(chain.at(-2) as Point, chain.at(-1) as Point, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const hull = [...half(sorted), ...half([...sorted].reverse())];
  return hull.length === 0 ? sorted.slice(0, 1) : hull;
}

/** The rectangle of the smallest area around points: one of its sides lies on one of their hull. */
export function smallestRectangle(points: readonly Point[]): Rectangle {
  const hull = hullOf(points);
  let best: Rectangle | undefined;
  for (const [i, from] of hull.entries()) {
    const to = hull[(i + 1) % hull.length] as Point;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const direction: Point = length === 0 ? [1, 0] : [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
    const rectangle = rectangleAlong(hull, direction);
    if (best === undefined || rectangle.width * rectangle.height < best.width * best.height) best = rectangle;
  }
  return best as Rectangle;
}

/** The rectangle around points whose width has a direction. */
function rectangleAlong(points: readonly Point[], [x, y]: Point): Rectangle {
  const [along, across] = [[x, y] as Point, [-y, x] as Point].map((axis) => {
    const places = points.map((point) => point[0] * axis[0] + point[1] * axis[1]);
    return [Math.min(...places), Math.max(...places)] as const;
  }) as [readonly [number, number], readonly [number, number]];
  const [u, v] = [(along[0] + along[1]) / 2, (across[0] + across[1]) / 2];
  return {
    middle: [u * x - v * y, u * y + v * x],
    direction: [x, y],
    width: along[1] - along[0],
    height: across[1] - across[0],
  };
}

/** The rectangle whose sides lie further out by a distance. */
export const grown = (rectangle: Rectangle, distance: number): Rectangle => ({
  ...rectangle,
  width: rectangle.width + 2 * distance,
  height: rectangle.height + 2 * distance,
});

/** The corners, clockwise from the upper one of the two at the left. */
export function cornersOf({ middle, direction, width, height }: Rectangle): Point[] {
  const [x, y] = [(direction[0] * width) / 2, (direction[1] * width) / 2];
  const [p, q] = [(-direction[1] * height) / 2, (direction[0] * height) / 2];
  const at = (u: number, v: number): Point => [middle[0] + u * x + v * p, middle[1] + u * y + v * q];
  const corners = [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)].sort((a, b) => a[0] - b[0]);
  const [topLeft, bottomLeft] = corners.slice(0, 2).sort((a, b) => a[1] - b[1]) as [Point, Point];
  const [topRight, bottomRight] = corners.slice(2).sort((a, b) => a[1] - b[1]) as [Point, Point];
  return [topLeft, topRight, bottomRight, bottomLeft];
}

/** Sums of parts of a map's rows. Each row is added up once, when it is first asked for: parts of many boxes may overlap. */
export class RowSums {
  readonly #sums = new Map<number, Float64Array>();

  constructor(
    readonly map: ArrayLike<number>,
    readonly width: number,
    readonly height: number,
  ) {}

  /** The sum of the elements of row `y` from column `from` to column `to`, both included. */
  between(y: number, from: number, to: number): number {
    let sums = this.#sums.get(y);
    if (sums === undefined) {
      sums = new Float64Array(this.width + 1);
      for (let x = 0; x < this.width; x++) sums[x + 1] = (sums[x] as number) + (this.map[y * this.width + x] as number);
      this.#sums.set(y, sums);
    }
    if (Number.isFinite(sums[this.width])) return (sums[to + 1] as number) - (sums[from] as number);
    // An element that is not finite may lie outside of the part.
    let sum = 0;
    for (let x = from; x <= to; x++) sum += this.map[y * this.width + x] as number;
    return sum;
  }
}

/**
 * The mean of the elements of a map within four corners, those on the sides among them. Corners lose their fractions, as OpenCV's
 * `fillPoly` wants it.
 */
export function meanWithin(sums: RowSums, corners: readonly Point[]): number {
  const origin = ([0, 1] as const).map((axis) => Math.max(0, Math.floor(Math.min(...corners.map((one) => one[axis])))));
  const points = corners.map(([x, y]): Point => [cutOff(x, origin[0] as number), cutOff(y, origin[1] as number)]);
  const first = Math.min(...points.map(([, y]) => y));
  const rows = Math.max(...points.map(([, y]) => y)) - first + 1;
  const [from, to] = [new Float64Array(rows).fill(Number.POSITIVE_INFINITY), new Float64Array(rows).fill(-1)];
  for (const [i, start] of points.entries())
    walk(start, points[(i + 1) % points.length] as Point, (x, y) => {
      const row = y - first;
      from[row] = Math.min(from[row] as number, x);
      to[row] = Math.max(to[row] as number, x);
    });
  let [sum, count] = [0, 0];
  for (let row = Math.max(0, -first); row < Math.min(rows, sums.height - first); row++) {
    const [left, right] = [Math.max(0, from[row] as number), Math.min(sums.width - 1, to[row] as number)];
    if (left > right) continue;
    sum += sums.between(first + row, left, right);
    count += right + 1 - left;
  }
  return count === 0 ? 0 : sum / count;
}

/** A place of a corner that rounding left just below an integer is that integer. */
const cutOff = (place: number, origin: number) => origin + Math.trunc(place - origin + 1e-4);

/** Visits the pixels of a line: one in each column, or in each row where it is steep. */
function walk([fromX, fromY]: Point, [toX, toY]: Point, visit: (x: number, y: number) => void): void {
  const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY));
  for (let i = 0; i <= steps; i++) {
    const part = steps === 0 ? 0 : i / steps;
    visit(Math.round(fromX + part * (toX - fromX)), Math.round(fromY + part * (toY - fromY)));
  }
}
