// The inputs of a call as forms: one for each that the chosen version has.
import type { ParameterRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { typeChoices } from '../choices.js';
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';
import { change, current, edit, type State } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { problemAt } from './field.js';
import { reasonAgainst } from './reason.js';
import { tensorEditor } from './tensor-editor.js';

/** Takes over an edited input. Inputs that share a type constraint have one type. */
function withInput(
  call: CallDraft,
  rows: readonly ParameterRow[],
  index: number,
  draft: TensorDraft | null,
): CallDraft {
  const constraint = rows[index]?.type;
  const inputs = rows.map((row, i) => {
    const input = call.inputs[i] ?? null;
    if (i === index) return draft;
    return input !== null && draft !== null && row.type === constraint ? { ...input, type: draft.type } : input;
  });
  return { ...call, inputs };
}

export function inputForms(state: State): TemplateResult {
  const { call, language, problem } = state;
  const t = tryTexts[language];
  const operator = operatorOf(call.operator);
  const version = operator && (versionOf(operator, call.opset) ?? operator.versions[0]);
  if (operator === undefined || version === undefined || version.inputs.length === 0) {
    return html`<p class="muted">${t.noInputs}</p>`;
  }
  const rows = version.inputs;
  return html`${rows.map((row, i) => {
    const draft = call.inputs[i] ?? null;
    const place = `input:${i}`;
    const types = typeChoices(operator, call.opset, 'inputs', i).map((choice) => ({
      type: choice.value,
      reason: reasonAgainst(state, choice),
    }));
    const set = (next: (now: TensorDraft) => TensorDraft | null, what: string): void => {
      const now = current().call; // a file may have been read since this was shown
      if (now.operator !== call.operator) return;
      edit({ call: withInput(now, rows, i, next(now.inputs[i] ?? start)) }, what);
    };
    const start: TensorDraft = {
      type: types.find(({ reason }) => reason === undefined)?.type ?? 'float32',
      ...{ dims: '2, 3', values: { kind: 'range', start: 0, step: 1 } },
    };
    const given = html`<label class="given">
      <input
        type="checkbox"
        .checked=${live(draft !== null)}
        @change=${(event: Event) => set(() => ((event.target as HTMLInputElement).checked ? start : null), `${place}:given`)}
      />
      ${t.give(row.name)}
    </label>`;
    return html`<div class="card">
      ${row.option === 'Optional' || draft === null ? given : nothing}
      ${
        draft === null
          ? problemAt(problem, place)
          : tensorEditor(state, {
              ...{ place, label: row.name, draft, types, problem },
              onEdit: set,
              onProblem: (found) => change({ problem: found }),
            })
      }
    </div>`;
  })}`;
}
