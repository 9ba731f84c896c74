// The models that the site has, by the names that addresses give them, in the order in which they are offered.
import { samples as simplifySamples } from '../simplify/samples.js';
import { modelsTexts } from '../texts/models.js';
import { simplifyTexts } from '../texts/simplify.js';
import type { Language } from '../texts/texts.js';
import type { Feeds, KeptModel } from './kept.js';
import { type SampleMedia, type SampleName, sampleMedia, samples } from './samples.js';

interface SampleModel {
  readonly file: string;
  /** The first values of its inputs, for a run. */
  readonly feeds?: Feeds;
  /** The picture or sound of an input, which comes after the model. */
  readonly media?: SampleMedia | undefined;
  /** The first texts of the form that simplifies it. */
  readonly texts?: { readonly [place: string]: string };
}

const names = Object.keys(samples) as SampleName[];

const all: ReadonlyMap<string, SampleModel> = new Map<string, SampleModel>([
  ...simplifySamples.map(
    ({ name, file, texts }) => [name, { file, texts, media: sampleMedia[name] }] as [string, SampleModel],
  ),
  ...names.map((name): [string, SampleModel] => {
    const { file, feeds } = samples[name];
    return [name, { file: `samples/${file}`, feeds, media: sampleMedia[name] }];
  }),
]);

const addressOf = ({ file }: SampleModel): string => new URL(file, document.baseURI).href;

/** The samples with their names in a language: real models first. */
export function offeredSamples(language: Language): { readonly name: string; readonly label: string }[] {
  const labels: { readonly [name: string]: string } = {
    ...simplifyTexts[language].sampleNames,
    ...modelsTexts[language].sampleNames,
  };
  return [...all.keys()].map((name) => ({ name, label: labels[name] ?? name }));
}

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
export function beginningOf({ source }: KeptModel): Pick<SampleModel, 'feeds' | 'media' | 'texts'> {
  return entryOf(source)?.[1] ?? {};
}
