// The values of a tensor as a form: a text, the numbers of a rule, or what a file is called.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorDraft, Values } from '../drafts.js';
import type { State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { field, problemAt } from './field.js';
import { hiddenNote } from './hidden-note.js';
import { pasteText, type TensorEditor } from './tensor-input.js';
import { typed } from './typed.js';

/** The fields of the values of a tensor; `set` changes a part of its draft, and names the field. */
export function valuesFields(
  state: State,
  editor: TensorEditor,
  set: (part: Partial<TensorDraft>, what: string) => void,
): TemplateResult {
  const t = tryTexts[state.language];
  const { place, draft, problem } = editor;
  const { values } = draft;
  // Links may bring NaN and infinities, which fields of numbers cannot show.
  const number = (name: string, label: string, value: number, use: (value: number) => Values) =>
    field({
      ...{ id: `${place}:${name}`, label, problem: undefined },
      control: ({ id }) => html`<input
        id=${id}
        type="number"
        step="any"
        .value=${typed(Number.isFinite(value) ? String(value) : '')}
        @input=${(event: Event) => {
          const typed = (event.target as HTMLInputElement).valueAsNumber;
          if (!Number.isNaN(typed)) set({ values: use(typed) }, name);
        }}
      />`,
    });
  switch (values.kind) {
    case 'random':
      return html`<div class="row">
        ${number('seed', t.seed, values.seed, (seed) => ({ kind: 'random', seed }))}
        ${problemAt(problem, `${place}:values`)}
      </div>`;
    case 'range':
      return html`<div class="row">
        ${number('start', t.start, values.start, (start) => ({ ...values, start }))}
        ${number('step', t.step, values.step, (step) => ({ ...values, step }))} ${problemAt(problem, `${place}:values`)}
      </div>`;
    case 'file':
      return html`<p class="mono">${t.file(visible(values.name), values.bytes.length)}</p>
        ${problemAt(problem, `${place}:values`)}`;
    case 'stored':
      return html`<p class="mono">
          ${values.name === undefined ? t.longText(values.size) : t.file(visible(values.name), values.size)}
        </p>
        ${values.beginning === undefined ? nothing : html`<p class="mono muted beginning">${visible(values.beginning)} …</p>`}
        ${problemAt(problem, `${place}:values`)}`;
    case 'text':
      return html`${field({
        ...{ id: `${place}:values`, label: t.values, hint: t.valuesHint, problem },
        control: (attributes) => html`<textarea
          id=${attributes.id}
          rows="2"
          autocomplete="off"
          spellcheck="false"
          aria-invalid=${attributes.invalid}
          aria-describedby=${attributes.describedBy}
          .value=${typed(values.text)}
          @input=${(event: Event) =>
            set({ values: { kind: 'text', text: (event.target as HTMLTextAreaElement).value } }, 'values')}
          @paste=${(event: ClipboardEvent) => pasteText(editor, event)}
        ></textarea>`,
      })}${hiddenNote(state, values.text)}`;
    case 'picture':
    case 'sound':
      return html`${editor.media?.fields(draft, (changed, what) => set({ values: changed }, what))}
        ${problemAt(problem, `${place}:values`)}`;
    default:
      return nothing as never;
  }
}
