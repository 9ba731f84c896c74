// The attributes of a call as forms, made from the rows: one for each that any version has.
import type { AttributeRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { emptyAttribute, hasEffect, namedType } from '../attributes.js';
import { attributeChoices, type Choice, typeChoices } from '../choices.js';
import type { AttributeDraft, TensorDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';
import { change, current, edit, type State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { field, problemAt } from './field.js';
import { hiddenNote } from './hidden-note.js';
import { reasonAgainst } from './reason.js';
import { tensorEditor } from './tensor-editor.js';
import { typed } from './typed.js';
import './attribute-form.css';

/** Changes an attribute of the call as it is now: a file may have been read since its form was shown. */
function setAttribute(
  { call: shown }: State,
  name: string,
  update: (draft: AttributeDraft | undefined) => AttributeDraft | undefined,
  what: string,
): void {
  const { call } = current();
  if (call.operator !== shown.operator) return;
  const { [name]: now, ...others } = call.attributes;
  const next = update(now);
  edit({ call: { ...call, attributes: next === undefined ? others : { ...call.attributes, [name]: next } } }, what);
}

export function attributeForms(state: State): TemplateResult {
  const { call, language } = state;
  const t = tryTexts[language];
  const operator = operatorOf(call.operator);
  const output = state.reported?.operator === call.operator ? state.report?.outputs[0]?.type : undefined;
  const isShown = ({ value: { name } }: Choice<AttributeRow>): boolean =>
    Object.hasOwn(call.attributes, name) || hasEffect(name, output);
  const choices = operator ? attributeChoices(operator, call.opset).filter(isShown) : [];
  if (choices.length === 0) return html`<p class="muted">${t.noAttributes}</p>`;
  return html`${choices.map((choice) => attributeForm(state, choice))}`;
}

function attributeForm(state: State, choice: Choice<AttributeRow>): TemplateResult {
  const { call, language, problem } = state;
  const t = tryTexts[language];
  const row = choice.value;
  const place = `attribute:${row.name}`;
  const draft = call.attributes[row.name];
  const reason = reasonAgainst(state, choice);
  const absent = row.default === undefined ? t.leftOut : t.standsFor(row.default);
  const note = reason ?? (draft === undefined ? absent : '');
  const toggle = (event: Event): void => {
    const isGiven = (event.target as HTMLInputElement).checked;
    setAttribute(state, row.name, () => (isGiven ? emptyAttribute(row) : undefined), `${place}:given`);
  };
  // One that this version lacks can still be taken away.
  return html`<div class="attribute" data-greyed=${reason !== undefined}>
    <label>
      <input
        type="checkbox"
        id=${`${place}:given`}
        ?disabled=${reason !== undefined && draft === undefined}
        .checked=${live(draft !== undefined)}
        @change=${toggle}
      />
      <span class="mono">${row.name}</span> <span class="muted">${row.type}${note ? `, ${note}` : nothing}</span>
    </label>
    ${draft === undefined ? problemAt(problem, place) : attributeControl(state, row, draft, place)}
  </div>`;
}

function attributeControl(state: State, row: AttributeRow, draft: AttributeDraft, place: string): TemplateResult {
  const { call, problem, language } = state;
  const t = tryTexts[language];
  const set = (next: AttributeDraft, what: string): void => setAttribute(state, row.name, () => next, what);
  const text = (id: string, label: string, value: string, use: (value: string) => AttributeDraft) =>
    field({
      ...{ id, label, problem },
      // Not a single line: strings may have line ends in them, and lists may be long.
      control: (attributes) => html`<textarea
        id=${attributes.id}
        class="mono"
        rows="1"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${attributes.invalid}
        aria-describedby=${attributes.describedBy}
        .value=${typed(value)}
        @input=${(event: Event) => set(use((event.target as HTMLTextAreaElement).value), id)}
      ></textarea>`,
    });
  const operator = operatorOf(call.operator);
  const output = operator && versionOf(operator, call.opset)?.outputs[0];
  // A tensor in an attribute may have the types of the output, unless the output has one type only.
  const types = (operator && output ? typeChoices(operator, call.opset, 'outputs', 0) : []).map((choice) => ({
    type: choice.value,
    reason: reasonAgainst(state, choice),
  }));
  const indexTypes = types.map(({ type }) => ({ type, reason: type === 'int64' ? undefined : t.notIn(t.indices) }));
  const tensor = (
    at: string,
    label: string,
    value: TensorDraft,
    allowed: typeof types,
    use: (
      attribute: AttributeDraft | undefined,
      update: (draft: TensorDraft) => TensorDraft,
    ) => AttributeDraft | undefined,
  ) =>
    tensorEditor(state, {
      ...{ place: at, label, draft: value, types: allowed, problem },
      onEdit: (update, what) => setAttribute(state, row.name, (now) => use(now, update), what),
      onProblem: (found) => change({ problem: found }),
    });
  /** One of some words; what a link brings may be none of them. */
  const select = (value: string, words: readonly { readonly word: string; readonly reason?: string | undefined }[]) =>
    field({
      ...{ id: place, label: row.name, problem },
      control: (attributes) => html`<select
        id=${attributes.id}
        aria-invalid=${attributes.invalid}
        aria-describedby=${attributes.describedBy}
        @change=${(event: Event) => set({ kind: 'text', text: (event.target as HTMLSelectElement).value }, place)}
      >
        ${[...words, ...(words.some(({ word }) => word === value) ? [] : [{ word: value, reason: undefined }])].map(
          ({ word, reason }) =>
            html`<option value=${word} ?disabled=${reason !== undefined} .selected=${live(word === value)}>
              ${reason === undefined ? word : `${word} (${reason})`}
            </option>`,
        )}
      </select>`,
    });
  switch (draft.kind) {
    case 'text':
      if (row.choices)
        return select(
          draft.text,
          row.choices.map((word) => ({ word })),
        );
      if (row.isDataType)
        return select(
          namedType(draft.text)?.name ?? draft.text,
          types.map(({ type, reason }) => ({ word: type, reason })),
        );
      return html`${text(place, row.name, draft.text, (value) => ({ kind: 'text', text: value }))}${hiddenNote(state, draft.text)}`;
    case 'tensor':
      return tensor(place, row.name, draft.tensor, types, (now, update) =>
        now?.kind === 'tensor' ? { ...now, tensor: update(now.tensor) } : now,
      );
    case 'sparse':
      return html`${problemAt(problem, place)}
      ${text(`${place}:dims`, t.sparseDims, draft.dims, (dims) => ({ ...draft, dims }))}
      ${tensor(`${place}:values`, t.values, draft.values, types, (now, update) => (now?.kind === 'sparse' ? { ...now, values: update(now.values) } : now))}
      ${tensor(`${place}:indices`, t.indices, draft.indices, indexTypes, (now, update) => (now?.kind === 'sparse' ? { ...now, indices: update(now.indices) } : now))}`;
  }
}
