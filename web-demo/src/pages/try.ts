// "Try it": a call as forms on one side, what comes of it on the other, and below what can be taken away.
import type { ParameterRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { opsetChoices, typeChoices } from '../choices.js';
import { defaultDraft } from '../default-draft.js';
import type { CallDraft, TensorDraft } from '../drafts.js';
import { operatorOf, operators, versionOf } from '../facts.js';
import { runCalls } from '../live-call.js';
import { canRedo, canUndo, change, current, edit, redo, type State, undo } from '../state.js';
import { tryTexts } from '../texts/try.js';
import { attributeForms } from '../views/attribute-form.js';
import { problemAt, problemText } from '../views/field.js';
import { reasonAgainst } from '../views/reason.js';
import { takePanel } from '../views/take-panel.js';
import { tensorEditor } from '../views/tensor-editor.js';
import { outcomeView } from '../views/viewer.js';
import './try.css';

runCalls();

export function tryPage(state: State): TemplateResult {
  const t = tryTexts[state.language];
  return html`<div class="try-page">
    <div class="form">
      <h1>${t.title}</h1>
      <p class="muted">${t.intro}</p>
      <div role="status">${state.isLinkDamaged ? html`<p class="problem">${t.damaged}</p>` : nothing}</div>
      <div class="undo">
        <button class="button quiet" id="undo" ?disabled=${!canUndo()} @click=${undo}>↶ ${t.undo}</button>
        <button class="button quiet" id="redo" ?disabled=${!canRedo()} @click=${redo}>↷ ${t.redo}</button>
      </div>
      ${callChoice(state)}
      <h2>${t.inputs}</h2>
      ${inputForms(state)}
      <h2>${t.attributes}</h2>
      ${attributeForms(state)}
    </div>
    <div class="result">
      <div class="result-head">
        <h2>${t.result}</h2>
        ${state.problem && state.report ? html`<p class="muted">${t.refused}</p>` : nothing}
      </div>
      <p class="visually-hidden" role="status">${announcement(state)}</p>
      ${problemAt(state.problem, 'call')} ${resultView(state)}
      ${state.report === undefined ? nothing : html`<h2>${t.take}</h2>${takePanel(state)}`}
    </div>
  </div>`;
}

function announcement({ language, problem, report }: State): string | TemplateResult {
  const t = tryTexts[language];
  if (problem !== undefined) return html`${t.refusedFirst} ${problemText(problem)}`;
  if (report === undefined) return t.waiting;
  const outputs = report.outputs.map(({ type, dims }) => `${type} [${dims.join(', ')}]`);
  return t.done(`${report.operator}-${report.version}`, outputs.join(', '));
}

function resultView(state: State): TemplateResult {
  const { language, problem, report } = state;
  const t = tryTexts[language];
  if (report === undefined) return html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`;
  return html`<div class="outcome" data-stale=${problem !== undefined}>${outcomeView(state, report)}</div>`;
}

function callChoice(state: State): TemplateResult {
  const { call, language } = state;
  const t = tryTexts[language];
  const operator = operatorOf(call.operator);
  const version = operator && versionOf(operator, call.opset);
  const chosen = version
    ? t.chooses(`${call.operator}-${version.sinceVersion}`)
    : t.tooOld(call.operator, operator?.versions[0]?.sinceVersion ?? 1);
  return html`<div class="row">
    <div class="field">
      <label for="operator">${t.operator}</label>
      <select
        id="operator"
        @change=${(event: Event) =>
          edit({ call: defaultDraft((event.target as HTMLSelectElement).value, call.opset) }, 'operator')}
      >
        ${operators.map(
          ({ name }) => html`<option value=${name} .selected=${live(name === call.operator)}>${name}</option>`,
        )}
      </select>
    </div>
    <div class="field">
      <label for="opset">${t.opset}</label>
      <select
        id="opset"
        aria-describedby="chosen-version"
        @change=${(event: Event) =>
          edit({ call: { ...call, opset: Number((event.target as HTMLSelectElement).value) } }, 'opset')}
      >
        ${(operator ? opsetChoices(operator) : []).map(
          ({ value, allowedFrom }) =>
            html`<option value=${value} ?disabled=${allowedFrom !== undefined} .selected=${live(value === call.opset)}>
              ${allowedFrom === undefined ? value : `${value} (${t.tooOld(call.operator, Number(allowedFrom))})`}
            </option>`,
        )}
      </select>
    </div>
    <p class="muted" id="chosen-version">${chosen}</p>
  </div>`;
}

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

function inputForms(state: State): TemplateResult {
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
