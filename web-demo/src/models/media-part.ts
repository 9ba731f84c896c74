// The fields of a picture or a sound as the values of an input, and what the model gets of it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { visible } from '../../../shared/visible.js';
import type { PictureValues, SoundValues, TensorDraft, Values } from '../drafts.js';
import { typeRow } from '../facts.js';
import type { State } from '../state.js';
import { mediaTexts } from '../texts/media.js';
import { ListError } from '../values/list-error.js';
import { parseIntegers } from '../values/parse.js';
import { layoutOf } from '../values/plane.js';
import { samplesOf } from '../values/sound-elements.js';
import { field } from '../views/field.js';
import { staleNote } from '../views/stale.js';
import type { Media } from '../views/tensor-input.js';
import { typed } from '../views/typed.js';
import type { TensorInput } from './feeds.js';
import { mediaOf, pictureLayout } from './media-inputs.js';
import './media-preview.js';
import { currentProblem } from './session.js';

const rates = [8000, 16000, 22050, 24000, 32000, 44100, 48000];
const usualRate = 16000;

function dimsOf({ dims }: TensorDraft): readonly number[] {
  try {
    return parseIntegers(dims).map(Number);
  } catch {
    return [];
  }
}

function picture(input: TensorInput, draft: TensorDraft, file?: File): PictureValues {
  if (draft.values.kind === 'picture') return { ...draft.values, file };
  const dims = dimsOf(draft);
  const layout = dims.length < 3 ? (pictureLayout(input) ?? 'NCHW') : layoutOf(dims);
  const scale = typeRow(draft.type).kind.endsWith('integer') ? 'bytes' : 'unit';
  return { kind: 'picture', file, layout, fit: 'stretch', scale };
}

function sound({ values }: TensorDraft, file?: File): SoundValues {
  return values.kind === 'sound' ? { ...values, file } : { kind: 'sound', file, rate: usualRate, start: 0 };
}

async function read(input: TensorInput, file: File, draft: TensorDraft): Promise<Values | undefined> {
  const kinds = mediaOf(input);
  if (kinds.includes('picture') && file.type.startsWith('image/')) {
    const bitmap = await createImageBitmap(file).catch(() => undefined);
    if (bitmap === undefined) throw new ListError('noPicture', `'${file.type}'`);
    bitmap.close();
    return picture(input, draft, file);
  }
  if (!kinds.includes('sound') || !/^(?:audio|video)\//.test(file.type)) return undefined;
  const values = sound(draft, file);
  await samplesOf(file, values.rate);
  return values;
}

type Set = (values: Values, what: string) => void;

function choice<T extends string | number>(
  id: string,
  label: string,
  value: T,
  options: readonly (readonly [value: T, text: string])[],
  choose: (value: T) => void,
): TemplateResult {
  return field({
    ...{ id, label, problem: undefined },
    control: () => html`<select
      id=${id}
      @change=${({ target }: Event) => choose((options[(target as HTMLSelectElement).selectedIndex] as readonly [T, string])[0])}
    >
      ${options.map(([one, text]) => html`<option value=${one} .selected=${live(one === value)}>${text}</option>`)}
    </select>`,
  });
}

function entries<T extends string>(texts: { readonly [value in T]: string }): readonly (readonly [T, string])[] {
  return Object.entries(texts) as [T, string][];
}

function pictureFields(state: State, place: string, values: PictureValues, set: Set): TemplateResult {
  const t = mediaTexts[state.language];
  return html`<div class="row">
    ${choice(`${place}:scale`, t.scale, values.scale, entries(t.scales), (scale) => set({ ...values, scale }, 'scale'))}
    ${choice(`${place}:fit`, t.fit, values.fit, entries(t.fits), (fit) => set({ ...values, fit }, 'fit'))}
    ${choice(`${place}:layout`, t.layout, values.layout, entries(t.layouts), (layout) => set({ ...values, layout }, 'layout'))}
  </div>`;
}

function soundFields(state: State, place: string, values: SoundValues, set: Set): TemplateResult {
  const t = mediaTexts[state.language];
  const options = rates.map((rate) => [rate, t.hertz(rate)] as const);
  const start = (event: Event): void => {
    const typed = (event.target as HTMLInputElement).valueAsNumber;
    if (typed >= 0) set({ ...values, start: typed }, 'from');
  };
  return html`<div class="row">
    ${choice(`${place}:rate`, t.rate, values.rate, options, (rate) => set({ ...values, rate }, 'rate'))}
    ${field({
      ...{ id: `${place}:from`, label: t.start, problem: undefined },
      control: ({ id }) =>
        html`<input id=${id} type="number" min="0" step="any" .value=${typed(String(values.start))} @input=${start}>`,
    })}
  </div>`;
}

/** Pictures and sounds as values of an input; undefined for one that looks like neither. */
export function mediaFor(state: State, place: string, input: TensorInput): Media | undefined {
  const kinds = mediaOf(input);
  if (kinds.length === 0) return undefined;
  const { language } = state;
  const t = mediaTexts[language];
  return {
    ...{ kinds, hint: t.hint(kinds) },
    start: (kind, draft) => (kind === 'picture' ? picture(input, draft) : sound(draft)),
    read: (file, draft) => read(input, file, draft),
    fields: (draft, set) => {
      const { values, dims } = draft;
      if (values.kind !== 'picture' && values.kind !== 'sound') return html``;
      const fields =
        values.kind === 'picture' ? pictureFields(state, place, values, set) : soundFields(state, place, values, set);
      const found = currentProblem();
      const problem = found?.place === place ? found : undefined; // of the file that was given last
      return html`${fields}
        ${values.file === undefined ? nothing : html`<p class="mono media-name">${visible(values.file.name)}</p>`}
        <div data-stale=${problem !== undefined} data-note=${staleNote({ language, problem })}>
          <media-preview .given=${{ values, dims, language }}></media-preview>
        </div>`;
    },
  };
}
