// "Try it": a call as forms on one side, what comes of it on the other, and below what can be taken away.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { opsetChoices } from '../choices.js';
import { defaultDraft } from '../default-draft.js';
import { indexOf, loadOperators, operatorOf, versionOf } from '../facts.js';
import { tryHash } from '../router.js';
import { unanswered } from '../runtime/client.js';
import type { Found } from '../search.js';
import { canRedo, canUndo, change, current, edit, redo, type State, undo } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { tryTexts } from '../texts/try.js';
import { announcement } from '../views/announcement.js';
import { attributeForms } from '../views/attribute-form.js';
import { Combobox } from '../views/combobox.js';
import { problemAt } from '../views/field.js';
import { inputForms } from '../views/input-forms.js';
import { staleFrame } from '../views/stale.js';
import { takePanel } from '../views/take-panel.js';
import { outcomeView } from '../views/viewer.js';
import './try.css';

/** Goes to the exports, which are far below on a small screen. */
function goToExport(): void {
  const heading = document.getElementById('export');
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}

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
        ${state.report === undefined ? nothing : html`<button class="button quiet" id="to-export" @click=${goToExport}>${operatorPageTexts[state.language].getCode}</button>`}
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
        ${resultNote(state)}
      </div>
      <p class="visually-hidden" role="status">${announcement(state)}</p>
      ${problemAt(state.problem, 'call')} ${resultView(state)}
      ${state.report === undefined ? nothing : html`<h2 id="export" tabindex="-1">${t.export}</h2>${takePanel(state)}`}
    </div>
  </div>`;
}

/** Says of the result that is shown that it is an older one. */
function resultNote({ language, problem, report, isLate }: State): TemplateResult | typeof nothing {
  const t = tryTexts[language];
  if (report === undefined || !(problem || isLate)) return nothing;
  return html`<p class="muted">${isLate ? t.computing : t.refused}</p>`;
}

function resultView(state: State): TemplateResult {
  const { language, problem, report } = state;
  const t = tryTexts[language];
  if (report === undefined) return html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`;
  return staleFrame(state, outcomeView(state, report));
}

/** Begins with another operator, once it is known. */
async function chooseOperator(name: string, opset: number): Promise<void> {
  const before = current().call;
  try {
    await loadOperators([name]);
    if (current().call === before) edit({ call: defaultDraft(name, opset) }, 'operator');
  } catch (error) {
    change(unanswered(error));
  }
}

/** The operators that run, found by any of their names. */
const operators = new Combobox<Found>({
  id: 'operator',
  load: async () => {
    const { searchOperators } = await import('../search.js');
    return (text) => searchOperators(text).filter(({ name }) => indexOf(name) !== undefined);
  },
  addressOf: ({ name }) => tryHash(name),
  take: ({ name }) => void chooseOperator(name, current().call.opset),
});

function option({ name, alias }: Found): TemplateResult {
  return html`<span class="search-name">${name}</span>${alias === undefined ? nothing : html`<small>${alias}</small>`}`;
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
      <span class="label" aria-hidden="true">${t.operator}</span>
      ${operators.view({ label: t.operator, value: call.operator, describedBy: 'chosen-version', texts: t.search, option })}
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
