// How far two pictures of one size lie apart.
import type { Difference, Pixels } from './protocol.js';

/** How much brighter the picture of the difference is than the difference. */
export const brighter = 8;

/** The level of a colour as it is seen: colours of clear pixels are not. */
function seen({ data }: Pixels, place: number): number {
  return Math.round(((data[place] as number) * (data[place | 3] as number)) / 255);
}

export function differenceOf(one: Pixels, other: Pixels): Difference {
  const { width, height } = one;
  const data = new Uint8ClampedArray(one.data.length);
  let [sum, greatest, differ, differMore] = [0, 0, 0, 0];
  for (let i = 0; i < data.length; i++) {
    if (i % 4 === 3) {
      data[i] = 255;
      continue;
    }
    const distance = Math.abs(seen(one, i) - seen(other, i));
    data[i] = brighter * distance;
    sum += distance;
    greatest = Math.max(greatest, distance);
    if (distance > 0) differ++;
    if (distance > 1) differMore++;
  }
  const levels = Math.max(1, width * height * 3);
  return {
    ...{ mean: sum / levels, greatest, differ: differ / levels, differMore: differMore / levels },
    picture: { data, width, height },
  };
}

/** The gray of each pixel as Pillow's `L` has it, as red, green and blue. */
export function toGray(data: Uint8ClampedArray<ArrayBuffer>): Uint8ClampedArray<ArrayBuffer> {
  const gray = new Uint8ClampedArray(data.length);
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue] = [data[i] as number, data[i + 1] as number, data[i + 2] as number];
    const level = (red * 19595 + green * 38470 + blue * 7471 + 0x8000) >> 16;
    gray.set([level, level, level, data[i + 3] as number], i);
  }
  return gray;
}
