// A field of a call on the page of its operator.
import type { AttributeRow } from 'broadloom';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { namedType } from '../attributes.js';
import type { CallDraft } from '../drafts.js';
import { current, edit, type State } from '../state.js';
import type { OperatorText } from '../texts/operator-text.js';
import { stageTexts } from '../texts/stage.js';
import { colonOf } from '../texts/texts.js';
import { tryTexts } from '../texts/try.js';
import { type ControlAttributes, field } from '../views/field.js';
import { typed } from '../views/typed.js';
import { callOf, fieldText, withField } from './calls.js';
import { choicesOf, ownLabel, rowOf } from './own-fields.js';
import type { StageField } from './stages.js';

/** @param words - of the operator, for the sentence of an attribute */
export function fieldView(
  { language, problem }: State,
  call: CallDraft,
  part: StageField,
  words?: OperatorText,
): TemplateResult {
  const t = stageTexts[language];
  const label = t.operators[call.operator]?.[part.id] ?? ownLabel(call, part);
  const text = fieldText(call, part);
  if (text === undefined) return html`<p class="muted">${label}${colonOf(language)}${t.elsewhere}</p>`;
  const hint = 'name' in part ? words?.attributes[part.name] : undefined;
  const described = { id: part.id, label, problem, ...(hint !== undefined && { hint }) };
  const change = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    edit({ call: withField(callOf(current()) ?? call, part, value) }, part.id);
  };
  const row = rowOf(call, part);
  const isLeftOut = part.kind === 'list' && !call.inputs[part.input];
  const choices = row && choicesOf(call, row);
  if (choices) return field({ ...described, control: choiceControl(row, choices, text, change) });
  return field({
    ...described,
    control: (attributes) => html`<input
      id=${attributes.id}
      placeholder=${row?.default ?? (isLeftOut ? tryTexts[language].leftOut : '')}
      class="mono"
      ?data-list=${part.kind === 'list' || part.kind === 'tensor'}
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${attributes.invalid}
      aria-describedby=${attributes.describedBy}
      .value=${typed(text)}
      @input=${change}
    />`,
  });
}

/** One of the words that an attribute takes. The default, or else a dash where it may be left out, leaves it out. */
function choiceControl(
  row: AttributeRow,
  choices: readonly string[],
  chosen: string,
  change: (event: Event) => void,
): (attributes: ControlAttributes) => TemplateResult {
  const text = (row.isDataType && namedType(chosen)?.name) || chosen;
  const given = String(row.default ?? '');
  const absent = (row.isDataType && namedType(given)?.name) || given;
  const words = new Set([...(row.required || choices.includes(absent) ? [] : [absent]), ...choices, text || absent]);
  return ({ id, invalid, describedBy }) => html`<select
    id=${id}
    aria-invalid=${invalid}
    aria-describedby=${describedBy}
    @change=${change}
  >
    ${[...words].map(
      (word) =>
        html`<option value=${word === absent ? '' : word} .selected=${live(word === (text || absent))}>${word || '–'}</option>`,
    )}
  </select>`;
}
