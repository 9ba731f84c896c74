// A tensor as a form: type, dims, and values that are typed, pasted, generated or dropped as a file.
import type { DataType } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { visible } from '../../../shared/visible.js';
import { areZeros, type Problem, type TensorDraft, type Values, zeros } from '../drafts.js';
import { hashOf } from '../router.js';
import type { State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { findingText } from '../values/list-error.js';
import { hasFiles } from './drops.js';
import { field, problemAt } from './field.js';
import { modelOf, noteOf, readFile, type TensorEditor } from './tensor-input.js';
import { typed } from './typed.js';
import { valuesFields } from './values-fields.js';
import './tensor-editor.css';

type Choice = Values['kind'] | 'zeros';

/** The choices; files and long texts come by themselves. */
const choices: readonly Choice[] = ['text', 'random', 'zeros', 'range'];

function choiceOf(values: Values): Choice {
  return areZeros(values) ? 'zeros' : values.kind;
}

function startOf(choice: Choice, { media, draft }: TensorEditor): Values {
  if (choice === 'random') return { kind: choice, seed: 1 };
  if (choice === 'zeros') return zeros;
  if (choice === 'range') return { kind: choice, start: 0, step: 1 };
  if (choice === 'picture' || choice === 'sound') return media?.start(choice, draft) ?? draft.values;
  return { kind: 'text', text: '' };
}

/** Opens a model that was given in the place of a tensor where models belong. */
function modelOffer({ language }: State, problem: Problem): TemplateResult | typeof nothing {
  const file = modelOf(problem);
  if (file === undefined) return nothing;
  const open = async (): Promise<void> => {
    const { openModel } = await import('../models/session.js');
    void openModel({ name: file.name, source: file });
    location.hash = hashOf({ page: 'models' });
  };
  return html`<p><button class="button quiet" type="button" @click=${() => void open()}>${tryTexts[language].openModel}</button></p>`;
}

export function tensorEditor(state: State, editor: TensorEditor): TemplateResult {
  const { place, label, draft, types, problem, media } = editor;
  const t = tryTexts[state.language];
  const set = (part: Partial<TensorDraft>, what: string): void =>
    editor.onEdit((now) => ({ ...now, ...part }), `${place}:${what}`);
  const choice = choiceOf(draft.values);
  const offered = [...choices, ...(media?.kinds ?? [])];
  const note = noteOf(draft.values);
  return html`<fieldset
    class="tensor-editor"
    @dragover=${(event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault();
    }}
    @drop=${(event: DragEvent) => {
      if (!hasFiles(event)) return; // dragged text belongs to the field
      event.preventDefault();
      void readFile(editor, event.dataTransfer?.files[0]);
    }}
  >
    <legend><span class="mono">${visible(label)}</span></legend>
    ${problemAt(problem, place)} ${problem?.place === place ? modelOffer(state, problem) : nothing}
    <div class="row">
      ${field({
        ...{ id: `${place}:type`, label: t.type, problem },
        control: (attributes) => html`<select
          id=${attributes.id}
          aria-invalid=${attributes.invalid}
          aria-describedby=${attributes.describedBy}
          @change=${(event: Event) => set({ type: (event.target as HTMLSelectElement).value as DataType }, 'type')}
        >
          ${types.map(
            ({ type, reason }) =>
              html`<option value=${type} ?disabled=${reason !== undefined} .selected=${live(type === draft.type)}>
                ${reason === undefined ? type : `${type} (${reason})`}
              </option>`,
          )}
        </select>`,
      })}
      ${field({
        ...{ id: `${place}:dims`, label: t.dims, problem },
        control: (attributes) => html`<input
          id=${attributes.id}
          class="mono"
          autocomplete="off"
          spellcheck="false"
          placeholder=${t.dimsHint}
          aria-invalid=${attributes.invalid}
          aria-describedby=${attributes.describedBy}
          .value=${typed(draft.dims)}
          @input=${(event: Event) => set({ dims: (event.target as HTMLInputElement).value }, 'dims')}
        />`,
      })}
      ${field({
        ...{ id: `${place}:kind`, label: t.givenAs, problem: undefined },
        control: (attributes) => html`<select
          id=${attributes.id}
          @change=${(event: Event) =>
            set({ values: startOf((event.target as HTMLSelectElement).value as Choice, editor) }, 'kind')}
        >
          ${[...offered, ...(offered.includes(choice) ? [] : [choice])].map(
            (value) => html`<option value=${value} .selected=${live(value === choice)}>${t.valueKinds[value]}</option>`,
          )}
        </select>`,
      })}
    </div>
    ${valuesFields(state, editor, set)}
    <p class="muted file-note" role="status">${note && findingText(note, state.language)}</p>
    <div class="files">
      <label class="button quiet">
        ${t.chooseFile}
        <input
          type="file"
          class="visually-hidden"
          accept=${`.npy,.npz,.pb,.json,.csv,.tsv,.txt,image/*${media?.kinds.includes('sound') ? ',audio/*' : ''}`}
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            void readFile(editor, input.files?.[0]).then(() => {
              input.value = ''; // the same file can be chosen again
            });
          }}
        />
      </label>
      <span class="muted">${media?.hint ?? t.fileHint}</span>
    </div>
  </fieldset>`;
}
