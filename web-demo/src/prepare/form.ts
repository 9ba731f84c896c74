// The steps as a form: a preset, and a field for each option.

import presets from 'virtual:presets';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { canRedo, canUndo, edit, redo, type State, undo } from '../state.js';
import { type PrepareTexts, prepareTexts } from '../texts/prepare.js';
import { field, problemAt } from '../views/field.js';
import {
  type ImageField,
  type ImageFields,
  imageWords,
  type SoundField,
  type SoundFields,
  soundWords,
} from './draft.js';
import { fieldsOfOptions, presetGroups, presetOf } from './options.js';
import { currentSession } from './session.js';

/** The fields in the order of the steps. */
const imageFields: readonly ImageField[] = [
  ...(['resize', 'fit', 'position', 'filter', 'antialias', 'crop', 'fill'] as const),
  ...(['channels', 'layout', 'type', 'scale', 'mean', 'std'] as const),
];
const soundFields: readonly SoundField[] = ['rate', 'features', 'seconds', 'bins'];

type Words = { readonly [name: string]: readonly string[] };
type Texts = { readonly [name: string]: string };

interface FieldGiven {
  readonly t: PrepareTexts;
  readonly name: ImageField | SoundField;
  readonly text: string;
  readonly words: Words;
  readonly change: (text: string) => void;
}

function oneField({ t, name, text, words, change }: FieldGiven): TemplateResult {
  const { problem } = currentSession();
  const choices = words[name];
  const hint = (t.hints as Texts)[name];
  return html`<div class=${`prepare-field prepare-${name}`}>
    ${field({
      ...{ id: `prepare:${name}`, label: t.fields[name], problem },
      ...(hint !== undefined && choices === undefined && { hint }),
      control: ({ id, invalid, describedBy }) =>
        choices === undefined
          ? html`<input
              id=${id}
              class="mono"
              type="text"
              autocomplete="off"
              spellcheck="false"
              aria-invalid=${invalid}
              aria-describedby=${describedBy}
              .value=${live(text)}
              @input=${(event: Event) => change((event.target as HTMLInputElement).value)}
            />`
          : html`<select
              id=${id}
              aria-invalid=${invalid}
              aria-describedby=${describedBy}
              @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}
            >
              ${choices.map((word) => html`<option value=${word} .selected=${live(word === text)}>${(t.words as Texts)[word] ?? word}</option>`)}
            </select>`,
    })}
  </div>`;
}

const groups = [...presetGroups(presets.images)];

function presetField(state: State, t: PrepareTexts): TemplateResult {
  const chosen = presetOf(state.prepare.image, presets.images);
  const choose = (event: Event): void => {
    const options = presets.images[(event.target as HTMLSelectElement).value];
    if (options === undefined) return;
    edit({ prepare: { ...state.prepare, image: fieldsOfOptions(options) } }, 'prepare:preset');
  };
  return html`<div class="field">
    <label for="prepare:preset">${t.preset}</label>
    <select id="prepare:preset" @change=${choose}>
      <option value="" .selected=${live(chosen === undefined)} ?disabled=${chosen !== undefined}>${t.ownSteps}</option>
      ${groups.map(([name, names]) => html`<option value=${name} .selected=${live(name === chosen)}>${names.join(', ')}</option>`)}
    </select>
  </div>`;
}

/** Whether a field of a sound has an effect. */
function isWanted(name: SoundField, { features }: SoundFields): boolean {
  return name !== 'bins' || features === 'fbank';
}

export function stepsForm(state: State): TemplateResult {
  const t = prepareTexts[state.language];
  const { prepare } = state;
  const { media, image, sound } = prepare;
  const setImage = (name: ImageField) => (text: string) =>
    edit({ prepare: { ...prepare, image: { ...image, [name]: text } as ImageFields } }, `prepare:${name}`);
  const setSound = (name: SoundField) => (text: string) =>
    edit({ prepare: { ...prepare, sound: { ...sound, [name]: text } as SoundFields } }, `prepare:${name}`);
  const fields =
    media === 'image'
      ? imageFields.map((name) => oneField({ t, name, text: image[name], words: imageWords, change: setImage(name) }))
      : soundFields
          .filter((name) => isWanted(name, sound))
          .map((name) => oneField({ t, name, text: sound[name], words: soundWords, change: setSound(name) }));
  return html`<section class="card prepare-form" aria-labelledby="prepare-steps">
    <h2 id="prepare-steps">${t.steps}</h2>
    <div class="prepare-head">
      ${media === 'image' ? presetField(state, t) : nothing}
      <button class="button quiet" type="button" id="prepare-undo" ?disabled=${!canUndo()} @click=${undo}>${t.undo}</button>
      <button class="button quiet" type="button" id="prepare-redo" ?disabled=${!canRedo()} @click=${redo}>${t.redo}</button>
    </div>
    <div class="prepare-fields">${fields}</div>
    ${media === 'image' ? html`<p class="muted">${t.formula}</p>` : nothing}
    <div role="status">${problemAt(currentSession().problem, 'prepare')}</div>
  </section>`;
}
