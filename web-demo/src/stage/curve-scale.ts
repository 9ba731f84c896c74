// Numbers of a curve to places in its picture.

export interface Scale {
  readonly from: number;
  readonly to: number;
}

/** The share of the way from one end to the other, 0 to 1 within. */
export function shareOf(value: number, { from, to }: Scale): number {
  return to === from ? 0.5 : (value - from) / (to - from);
}

/** The values that are drawn: all, or the middle ones where a few are very far away, such as near a pole. */
export function heightOf(values: readonly number[]): Scale {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const [least = 0, greatest = 0] = [sorted[0], sorted.at(-1)];
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, high] = [at(0.05), at(0.95)];
  const isFar = high > low && greatest - least > 8 * (high - low);
  const [from, to] = isFar ? [low - (high - low) / 4, high + (high - low) / 4] : [least, greatest];
  const room = to === from ? Math.abs(to) / 2 || 1 : (to - from) * 0.06;
  return { from: from - room, to: to + room };
}

/** Round numbers within a scale, about as many as wanted. */
export function ticksOf({ from, to }: Scale, wanted: number): number[] {
  const slack = 1e-9; // ends are rarely as round as they read
  const rough = ((to - from) / wanted) * (1 - slack);
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = unit * ([1, 2, 5].find((factor) => factor * unit >= rough) ?? 10);
  const first = Math.ceil(from / step - slack);
  const count = Math.floor(to / step + slack) - first + 1;
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

/** The path of a curve in a square of side 100, with gaps where values are not finite or leave the picture on both sides. */
export function pathOf(values: readonly number[], scale: Scale): string {
  const last = values.length - 1;
  const side = (value: number): number => Math.sign(Math.max(value - scale.to, 0) - Math.max(scale.from - value, 0));
  const limit = (share: number): number => Math.min(Math.max(share, -1), 2); // far outside, but not too far to be drawn
  let isOpen = false;
  let path = '';
  values.forEach((value, i) => {
    const before = values[i - 1] ?? value;
    const isJump = side(value) * side(before) < 0;
    if (!Number.isFinite(value)) {
      isOpen = false;
      return;
    }
    const [x, y] = [(100 * i) / last, 100 * (1 - limit(shareOf(value, scale)))];
    path += `${isOpen && !isJump ? 'L' : 'M'}${x.toFixed(2)} ${y.toFixed(2)}`;
    isOpen = true;
  });
  return path;
}
