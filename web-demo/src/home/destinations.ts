// Everything that the search of the first page leads to: operators, pages, models, presets of "Prepare", guides. Loaded when
// somebody searches.
import operators, { guides } from 'virtual:aliases';
import presets from 'virtual:presets';
import { guideAddress } from '../documents.js';
import { foreignOf, homeOperator, type SearchRow } from '../facts.js';
import { samples } from '../models/samples.js';
import { draftToLink, firstDraft } from '../prepare/draft.js';
import { fieldsOfOptions, presetGroups } from '../prepare/options.js';
import { hashOf } from '../router.js';
import { type FoundRow, searchAmong } from '../search.js';
import { samples as simplifySamples } from '../simplify/samples.js';
import { placeTexts, presetTexts } from '../texts/home.js';
import { modelsTexts } from '../texts/models.js';
import { simplifyTexts } from '../texts/simplify.js';
import { siteTexts } from '../texts/site.js';
import type { Language } from '../texts/texts.js';

export interface Destination extends SearchRow {
  readonly kind: 'operator' | 'foreign' | 'page' | 'sample' | 'preset' | 'guide';
  readonly address: string;
  /** The name in each language. */
  readonly names: { readonly [L in Language]: string };
}

interface Told {
  readonly names: Destination['names'];
  readonly aliases?: readonly string[];
  readonly summary?: Destination['summary'];
}

/** A row in the words of both languages: a name of one is an alias in the other. */
function row(
  kind: Destination['kind'],
  address: string,
  { names, aliases = [], summary = ['', ''] }: Told,
): Destination {
  const { en, zh } = names;
  return { ...{ kind, address, names, summary, group: '' }, name: en, aliases: en === zh ? aliases : [zh, ...aliases] };
}

const pageRows = (['operator', 'try', 'models', 'prepare', 'simplify', 'benchmark'] as const).map((page) => {
  const [en, zh] = [placeTexts.en[page], placeTexts.zh[page]];
  return row('page', hashOf(page === 'operator' ? { page, operator: homeOperator } : { page }), {
    names: { en: siteTexts.en.pages[page], zh: siteTexts.zh.pages[page] },
    aliases: [en, zh].flatMap((text) => text?.words.split(', ') ?? []),
    summary: [en?.summary ?? '', zh?.summary ?? ''],
  });
});

const operatorRows = operators.map((one): Destination => {
  const kind = foreignOf(one.name) === undefined ? 'operator' : 'foreign';
  const address = hashOf({ page: kind, operator: one.name });
  return { ...one, kind, address, names: { en: one.name, zh: one.name } };
});

/** The names of samples, by language. */
const sampleNames = (texts: { readonly en: object; readonly zh: object }, name: string): Destination['names'] => ({
  en: (texts.en as { [name: string]: string })[name] ?? name,
  zh: (texts.zh as { [name: string]: string })[name] ?? name,
});

function sampleRows(): Destination[] {
  const [models, simplified] = [modelsTexts, simplifyTexts];
  const own = Object.entries(samples).map(([name, { file }]) =>
    row('sample', hashOf({ page: 'models', model: name }), {
      names: sampleNames({ en: models.en.sampleNames, zh: models.zh.sampleNames }, name),
      aliases: [file],
    }),
  );
  const others = simplifySamples.map(({ name, file }) =>
    row('sample', hashOf({ page: 'simplify', model: name }), {
      names: sampleNames({ en: simplified.en.sampleNames, zh: simplified.zh.sampleNames }, name),
      aliases: [file.slice(file.lastIndexOf('/') + 1)],
    }),
  );
  return [...own, ...others];
}

const presetRows = [...presetGroups(presets.images)].map(([name, alike]) => {
  const image = fieldsOfOptions(presets.images[name] ?? {});
  const link = draftToLink({ ...firstDraft, image });
  return row('preset', link === '' ? hashOf({ page: 'prepare' }) : `${hashOf({ page: 'prepare' })}/${link}`, {
    names: { en: alike.join(', '), zh: alike.join(', ') },
    aliases: alike,
    summary: [presetTexts.en(alike.join(', ')), presetTexts.zh(alike.join(', '))],
  });
});

const guideRows = guides.map(({ name, note, headings }) =>
  row('guide', guideAddress(name), { names: { en: name, zh: name }, aliases: headings, summary: [note, note] }),
);

export const destinations: readonly Destination[] = [
  ...pageRows,
  ...operatorRows,
  ...sampleRows(),
  ...presetRows,
  ...guideRows,
];

/** The destinations that a text means, the likeliest first. */
export const searchEverything: (text: string) => FoundRow<Destination>[] = searchAmong(destinations);
