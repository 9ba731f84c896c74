// The way from node to node by keys.
import type { Point } from './edges.js';
import type { Picture, Side, Spot } from './picture.js';

export type Direction = 'up' | 'down' | 'left' | 'right';

const distance = (spot: Spot, { x, y }: Point): number => Math.hypot(spot.x - x, spot.y - y);

function nearest(picture: Picture, spots: Iterable<number>, to: Point): number | undefined {
  let best: number | undefined;
  for (const spot of spots) {
    const isNearer =
      best === undefined || distance(picture.spots[spot] as Spot, to) < distance(picture.spots[best] as Spot, to);
    if (isNearer) best = spot;
  }
  return best;
}

function allOf({ spots }: Picture, side: Side): number[] {
  return [...spots.keys()].filter((i) => spots[i]?.[side] !== undefined);
}

/** The spots that one takes from, or those that take from it. */
function linked({ edges }: Picture, side: Side, spot: number, isUp: boolean): number[] {
  const pairs = edges[side];
  const found: number[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const [from, to] = [pairs[i] as number, pairs[i + 1] as number];
    if ((isUp ? to : from) === spot) found.push(isUp ? from : to);
  }
  return found;
}

/** The edges of a spot: those that leave it, then those that reach it, each from left to right. */
export function edgesOf({ spots, edges }: Picture, side: Side, spot: number): number[] {
  const pairs = edges[side];
  const found: { readonly edge: number; readonly isEnd: boolean; readonly x: number }[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const [from, to] = [pairs[i] as number, pairs[i + 1] as number];
    if (from !== spot && to !== spot) continue;
    const isEnd = to === spot;
    found.push({ edge: i / 2, isEnd, x: spots[isEnd ? from : to]?.x ?? 0 });
  }
  return found.sort((a, b) => Number(a.isEnd) - Number(b.isEnd) || a.x - b.x).map(({ edge }) => edge);
}

/** The next spot in the row. */
function beside(picture: Picture, side: Side, spot: Spot, isLeft: boolean): number | undefined {
  const inRow = allOf(picture, side).filter((i) => {
    const other = picture.spots[i] as Spot;
    return (
      Math.abs(other.y - spot.y) < spot.height / 2 + other.height / 2 && (isLeft ? other.x < spot.x : other.x > spot.x)
    );
  });
  return nearest(picture, inRow, spot);
}

/**
 * Up to the nearest node that the chosen one takes from, down to the nearest that takes from it, or beside it in its row.
 * Without a chosen one, that which is nearest to the middle.
 */
export function nextSpot(
  picture: Picture,
  side: Side,
  chosen: number | undefined,
  direction: Direction,
  middle: Point,
): number | undefined {
  const spot = chosen === undefined ? undefined : picture.spots[chosen];
  if (chosen === undefined || spot === undefined) return nearest(picture, allOf(picture, side), middle);
  if (direction === 'up' || direction === 'down')
    return nearest(picture, linked(picture, side, chosen, direction === 'up'), spot);
  return beside(picture, side, spot, direction === 'left');
}
