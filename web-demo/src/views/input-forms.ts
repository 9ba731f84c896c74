// The inputs of a call as forms: one form for each input of the chosen version, and any number of forms for a variadic input.
import type { Operator, OperatorVersion, ParameterRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { typeChoices } from '../choices.js';
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';
import { firstInput, inputRows, isVariadic, parameterName, withInput, withOneMore, withoutOne } from '../inputs.js';
import { change, current, edit, type State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { problemAt } from './field.js';
import { reasonAgainst } from './reason.js';
import { tensorEditor } from './tensor-editor.js';
import './input-forms.css';

export function inputForms(state: State): TemplateResult {
  const { call, language } = state;
  const operator = operatorOf(call.operator);
  const version = operator && (versionOf(operator, call.opset) ?? operator.versions[0]);
  if (operator === undefined || version === undefined || version.inputs.length === 0) {
    return html`<p class="muted">${tryTexts[language].noInputs}</p>`;
  }
  const rows = inputRows(version, call);
  return html`${rows.map((row, i) => inputForm(state, operator, version, row, i))}
  ${isVariadic(version) ? addButton(state, version) : nothing}`;
}

/** Changes the call as it is by then: a file may have been read since its form was shown. */
function update({ call }: State, next: (now: CallDraft) => CallDraft, what: string): void {
  const now = current().call;
  if (now.operator === call.operator) edit({ call: next(now) }, what);
}

const addId = 'input:add';

function addButton(state: State, version: OperatorVersion): TemplateResult {
  const add = (): void => update(state, (now) => withOneMore(now, version), addId);
  return html`<p>
    <button class="button quiet" type="button" id=${addId} @click=${add}>
      + ${tryTexts[state.language].add(version.inputs.at(-1)?.name ?? '')}
    </button>
  </p>`;
}

function removeButton(state: State, name: string, index: number): TemplateResult {
  const remove = (): void => {
    update(state, (now) => withoutOne(now, index), `input:${index}:remove`);
    document.getElementById(addId)?.focus(); // the button has gone, or belongs to another input
  };
  return html`<button class="button quiet remove" type="button" data-input=${index} @click=${remove}>
    ${tryTexts[state.language].remove(name)}
  </button>`;
}

function inputForm(
  state: State,
  operator: Operator,
  version: OperatorVersion,
  row: ParameterRow,
  index: number,
): TemplateResult {
  const { call, language, problem } = state;
  const draft = call.inputs[index] ?? null;
  const place = `input:${index}`;
  const name = parameterName(version.inputs, index);
  const types = typeChoices(operator, call.opset, 'inputs', index).map((choice) => ({
    type: choice.value,
    reason: reasonAgainst(state, choice),
  }));
  const set = (next: (now: TensorDraft) => TensorDraft | null, what: string): void =>
    update(
      state,
      (now) => withInput(now, version, index, next(now.inputs[index] ?? firstInput(now, version, index))),
      what,
    );
  const given = html`<label class="given">
    <input
      type="checkbox"
      id=${`${place}:given`}
      .checked=${live(draft !== null)}
      @change=${(event: Event) =>
        set((now) => ((event.target as HTMLInputElement).checked ? now : null), `${place}:given`)}
    />
    ${tryTexts[language].give(name)}
  </label>`;
  const isOneOfSeveral = row.option === 'Variadic' && call.inputs.length > version.inputs.length;
  return html`<div class="card">
    ${row.option === 'Optional' || draft === null ? given : nothing}
    ${
      draft === null
        ? problemAt(problem, place)
        : tensorEditor(state, {
            ...{ place, label: name, draft, types, problem },
            onEdit: set,
            onProblem: (found) => change({ problem: found }),
          })
    }
    ${isOneOfSeveral ? removeButton(state, name, index) : nothing}
  </div>`;
}
