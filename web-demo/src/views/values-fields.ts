// The values of a tensor as fields: a text, or the numbers of a rule.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { TensorDraft, Values } from '../drafts.js';
import { change, type State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { readPasted } from '../values/parse.js';
import { field, problemAt } from './field.js';
import type { TensorEditor } from './tensor-editor.js';

/**
 * A number is left as it is typed, with the beginnings that are none yet, such as `-`. Links may bring NaN and infinities,
 * which fields of numbers cannot show.
 */
function shownNumber(id: string, value: number): string {
  const focused = document.activeElement;
  if (focused instanceof HTMLInputElement && focused.id === id) return focused.value;
  return Number.isFinite(value) ? String(value) : '';
}

export function valuesFields(
  state: State,
  { place, draft, problem, onEdit }: TensorEditor,
  set: (part: Partial<TensorDraft>, what: string) => void,
): TemplateResult {
  const t = tryTexts[state.language];
  const { values } = draft;
  const number = (name: string, label: string, value: number, use: (value: number) => Values) =>
    field({
      ...{ id: `${place}:${name}`, label, problem: undefined },
      control: ({ id }) => html`<input
        id=${id}
        type="number"
        step="any"
        .value=${live(shownNumber(`${place}:${name}`, value))}
        @input=${(event: Event) => {
          const typed = (event.target as HTMLInputElement).valueAsNumber;
          if (!Number.isNaN(typed)) set({ values: use(typed) }, name);
        }}
        @blur=${() => change({})}
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
      return html`<p class="mono">${t.file(values.name, values.bytes.length)}</p>
        ${problemAt(problem, `${place}:values`)}`;
    case 'text':
      return field({
        ...{ id: `${place}:values`, label: t.values, hint: t.valuesHint, problem },
        control: (attributes) => html`<textarea
          id=${attributes.id}
          rows="2"
          autocomplete="off"
          spellcheck="false"
          aria-invalid=${attributes.invalid}
          aria-describedby=${attributes.describedBy}
          .value=${live(values.text)}
          @input=${(event: Event) =>
            set({ values: { kind: 'text', text: (event.target as HTMLTextAreaElement).value } }, 'values')}
          @paste=${(event: ClipboardEvent) => {
            const pasted = pastedDraft(draft, event);
            if (pasted !== undefined) onEdit(pasted, `${place}:pasted`);
          }}
        ></textarea>`,
      });
    default:
      return nothing as never;
  }
}

/** An array that replaces all that stood in the field brings its dims, and its type if it names one. */
function pastedDraft(draft: TensorDraft, event: ClipboardEvent): TensorDraft | undefined {
  const area = event.target as HTMLTextAreaElement;
  if (area.selectionEnd - area.selectionStart < area.value.length) return undefined;
  try {
    const pasted = readPasted(event.clipboardData?.getData('text/plain') ?? '');
    if (pasted === undefined) return undefined;
    event.preventDefault();
    const { type = draft.type, dims, text } = pasted;
    return { type, dims: dims.join(', '), values: { kind: 'text', text } };
  } catch {
    return undefined; // pasted as it is: what is wrong with it will be said at the field
  }
}
