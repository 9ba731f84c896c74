// Signals of tools/extract/sound-references.py, and numbers that it made of them.
import { readFileSync } from 'node:fs';

export const signals = {
  noise(count: number): Float32Array {
    let state = 1;
    return new Float32Array(count).map(() => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 31 - 1;
    });
  },
  tones: (count: number) =>
    new Float32Array(count).map((_, i) => 0.5 * Math.sin(0.17 * i) + 0.2 * Math.sin(1.3 * i + 1)),
  impulse: (count: number) => new Float32Array(count).map((_, i) => (i === Math.floor(count / 3) ? 1 : 0)),
  silence: (count: number) => new Float32Array(count),
};

/** The result of a definition: its dims, and every `step`-th of its elements. */
export interface Reference {
  signal: keyof typeof signals;
  count: number;
  dims: number[];
  step: number;
  values: number[];
}

export interface References {
  resample: (Reference & { rates: [number, number] })[];
  logMel: (Reference & { preset: string })[];
  fbank: (Reference & { options: { [name: string]: unknown } })[];
}

export const references: References = JSON.parse(
  readFileSync(new URL('../../data/sound.json', import.meta.url), 'utf8'),
);

/** The largest distance between elements and those of a reference. NaN counts as infinitely far. */
export function distance(elements: Float32Array, { step, values }: Reference): number {
  return values.reduce((most, value, i) => {
    const apart = Math.abs((elements[i * step] as number) - value);
    return apart <= most ? most : Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  }, 0);
}
