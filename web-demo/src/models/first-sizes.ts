// The sizes that axes have to begin with where a model leaves them open.
import type { ValueInfo } from 'broadloom';
import { holdsSamples, pictureLayout } from './media-inputs.js';

/** Height and width of a picture: most networks take multiples of 32. */
const pictureSize = 224;
/** One second for most networks. */
const soundLength = 16_000;
/** The window of detectors of voices, which get the rate as an input. */
const shortSound = 512;

/** An input that holds the rate of samples. */
export function isRate({ name, dims }: ValueInfo): boolean {
  return (dims?.length ?? 2) < 2 && /^(?:sr|fs|sampl\w*_?rate)$/i.test(name);
}

const soundWords = /audio|wave|samples|speech|signal|sound|pcm|input_values/i;

type Dim = number | string | null;

/** The size of an open axis by what its input seems to be. */
function guess(input: ValueInfo, axis: number, hasRate: boolean): number {
  const dims = input.dims ?? [];
  const fromEnd = dims.length - axis;
  const layout = pictureLayout(input);
  if (layout !== undefined) {
    const isChannel = fromEnd === (layout === 'NCHW' ? 3 : 1);
    if (isChannel) return 3;
    return fromEnd <= 3 ? pictureSize : 1;
  }
  if (fromEnd === 1 && holdsSamples(input)) {
    if (hasRate) return shortSound;
    if (soundWords.test(`${input.name} ${dims[axis] ?? ''}`)) return soundLength;
  }
  return 1;
}

/** The sizes of the axes of each input, by its name. Equal names of sizes are equal sizes. */
export function firstSizes(inputs: readonly ValueInfo[]): ReadonlyMap<string, readonly number[]> {
  const named = new Map<string, number>();
  const hasRate = inputs.some(isRate);
  /** A name, or a sum of names and numbers, such as `past_sequence_length + 1`. */
  const namedSize = (name: string, first: () => number): number => {
    const parts = name.split('+').map((part) => part.trim());
    if (parts.length > 1) return parts.reduce((sum, part) => sum + namedSize(part, () => 1), 0);
    if (/^\d{1,9}$/.test(name)) return Number(name);
    const size = named.get(name) ?? (/past/i.test(name) ? 0 : first());
    named.set(name, size);
    return size;
  };
  const sizesOf = (input: ValueInfo): readonly number[] =>
    (input.dims ?? [null]).map((dim: Dim, axis) => {
      if (typeof dim === 'number') return dim;
      const first = (): number => guess(input, axis, hasRate);
      return dim === null ? first() : namedSize(dim, first);
    });
  // Pictures and sounds come first: a name that one of them has means its size.
  const isMedia = (input: ValueInfo): boolean => pictureLayout(input) !== undefined || holdsSamples(input);
  const ordered = [...inputs.filter(isMedia), ...inputs.filter((input) => !isMedia(input))];
  return new Map(ordered.map((input) => [input.name, sizesOf(input)]));
}
