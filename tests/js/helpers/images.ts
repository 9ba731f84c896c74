// Images of a seed, as tools/extract/image-references.py makes them, and the results that Python had of them.
import { readFileSync } from 'node:fs';
import type { ImageOptions } from 'broadloom';

export type Kind = 'noise' | 'extremes' | 'slopes';

export interface MadeImage {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
}

interface Seeded {
  readonly seed: number;
  readonly kind: Kind;
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/** Bytes of a linear congruential generator: noise, extremes (0 or 255), or slopes with a little noise. */
export function madeImage({ seed, kind, height, width, channels }: Seeded): MadeImage {
  const data = new Uint8Array(height * width * channels);
  let state = BigInt(seed);
  for (let i = 0; i < data.length; i++) {
    state = (state * 1103515245n + 12345n) % 2n ** 31n;
    const noise = Number((state >> 16n) & 255n);
    const pixel = Math.floor(i / channels);
    const slope = ((pixel % width) * 5 + Math.floor(pixel / width) * 3) % 256;
    data[i] = kind === 'noise' ? noise : kind === 'extremes' ? (noise >> 7) * 255 : slope + (noise >> 5);
  }
  return { data, width, height, channels };
}

const folder = new URL('../../data/', import.meta.url);
const bytes = readFileSync(new URL('images.bin', folder));
type Place = readonly [offset: number, length: number];

/** The bytes of a result. */
export const stored = ([offset, length]: Place): Uint8Array => new Uint8Array(bytes.subarray(offset, offset + length));

export const references: {
  readonly resized: readonly (Seeded & {
    readonly resize: readonly [number, number];
    readonly filter: ImageOptions['filter'];
    readonly to: ImageOptions['channels'];
    readonly pillow: Place;
    readonly opencv: Place;
  })[];
  readonly pipelines: readonly (Seeded & { readonly options: ImageOptions; readonly bytes: Place })[];
} = JSON.parse(readFileSync(new URL('images.json', folder), 'utf8'));
