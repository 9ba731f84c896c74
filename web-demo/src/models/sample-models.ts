// The models that the site has, by the names that addresses give them.
import { samples as simplifySamples } from '../simplify/samples.js';
import type { Feeds, KeptModel } from './kept.js';
import { samples } from './samples.js';

interface SampleModel {
  readonly file: string;
  /** The first values of its inputs, for a run. */
  readonly feeds?: Feeds;
  /** The first texts of the form that simplifies it. */
  readonly texts?: { readonly [place: string]: string };
}

const all: ReadonlyMap<string, SampleModel> = new Map<string, SampleModel>([
  ...Object.entries(samples).map(([name, { file, feeds }]) => [name, { file: `samples/${file}`, feeds }] as const),
  ...simplifySamples.map(({ name, file, texts }) => [name, { file, texts }] as const),
]);

const addressOf = ({ file }: SampleModel): string => new URL(file, document.baseURI).href;

/** The sample with a name, as a page opens it. */
export function sampleNamed(name: string): KeptModel | undefined {
  const sample = all.get(name);
  if (sample === undefined) return undefined;
  return { name: sample.file.slice(sample.file.lastIndexOf('/') + 1), source: addressOf(sample) };
}

const entryOf = (source: KeptModel['source']) => [...all].find(([, sample]) => addressOf(sample) === source);

export function nameOfSample(source: KeptModel['source']): string | undefined {
  return entryOf(source)?.[0];
}

/** The values that a page begins with for a sample; none for other models. */
export function beginningOf({ source }: KeptModel): Pick<SampleModel, 'feeds' | 'texts'> {
  return entryOf(source)?.[1] ?? {};
}
