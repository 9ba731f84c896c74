// The interactive part of an operator's page: calls to begin with, the fields of a call, and what comes of them.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import { pictureOf } from '../pictures/index.js';
import type { CallReport } from '../runtime/protocol.js';
import { change, type State } from '../state.js';
import type { OperatorText } from '../texts/operator-text.js';
import { stageTexts } from '../texts/stage.js';
import { tryTexts } from '../texts/try.js';
import { announcement } from '../views/announcement.js';
import { problemAt, problemText } from '../views/field.js';
import { lineLayer } from '../views/lines.js';
import { staleFrame } from '../views/stale.js';
import { chosenCard, factsView, inputsView, outputsView, showChosen } from '../views/viewer.js';
import { callOf } from './calls.js';
import { curveRoom } from './curve.js';
import { rangeOf } from './curve-call.js';
import { curveForm } from './curve-form.js';
import { fieldView } from './field-view.js';
import { type FoldedFields, foldedFields } from './folded-fields.js';
import { presetsView } from './presets-view.js';
import type { StageField } from './stages.js';
import './stage.css';

/** A problem that belongs to no field of the stage. */
function otherProblem({ problem }: State, fields: readonly StageField[]): TemplateResult | typeof nothing {
  if (problem === undefined || fields.some(({ id }) => id === problem.place)) return nothing;
  const atCall = problemAt(problem, 'call');
  return atCall === nothing ? html`<p class="problem">${problemText(problem)}</p>` : atCall;
}

/** Whether "More" is open, on the page of whichever operator. */
let isMoreOpen = false;

function keepOpen({ currentTarget }: Event): void {
  isMoreOpen = (currentTarget as HTMLDetailsElement).open;
}

/** The drawings of reasons come when something is refused first. */
let why: typeof import('../why/why-view.js') | undefined;

function whyPart(state: State, call: CallDraft): TemplateResult | typeof nothing {
  if (state.problem === undefined) return nothing;
  if (why !== undefined) return why.whyView(state, call);
  void import('../why/why-view.js').then(
    (part) => {
      why = part;
      change({});
    },
    () => {}, // the message is there without it
  );
  return nothing;
}

/** The fields of the inputs of a call, and why it is refused. */
function inputFields(state: State, call: CallDraft, { shown, more }: FoldedFields): TemplateResult {
  const range = rangeOf(call);
  const inputs = shown.filter((part) => !('name' in part));
  return html`<div class="stage-call">
    ${range ? curveForm(state, call, range) : nothing}
    ${inputs.length === 0 ? nothing : html`<div class="stage-fields">${inputs.map((part) => fieldView(state, call, part))}</div>`}
    ${otherProblem(state, [...shown, ...more])} ${whyPart(state, call)}
  </div>`;
}

/** The name of the fold: it has attributes, optional inputs, or both. */
function moreText({ language }: State, more: readonly StageField[]): string {
  const t = stageTexts[language].more;
  const attributes = more.filter((part) => 'name' in part).length;
  return t[attributes === 0 ? 'inputs' : attributes === more.length ? 'attributes' : 'both'](more.length);
}

/** The fields of the attributes of a call that matter to it, and the others, with inputs that are left out, behind "More". */
function attributeFields(
  state: State,
  call: CallDraft,
  { shown, more }: FoldedFields,
  words: OperatorText | undefined,
): TemplateResult | typeof nothing {
  const attributes = shown.filter((part) => 'name' in part);
  if (attributes.length + more.length === 0) return nothing;
  const view = (part: StageField): TemplateResult => fieldView(state, call, part, words);
  if (more.some(({ id }) => id === state.problem?.place)) isMoreOpen = true;
  return html`<div class="stage-attributes">
    ${attributes.length === 0 ? nothing : html`<div class="stage-fields">${attributes.map(view)}</div>`}
    ${
      more.length === 0
        ? nothing
        : html`<details class="stage-more" ?open=${isMoreOpen} @toggle=${keepOpen}>
            <summary>${moreText(state, more)}</summary>
            <div class="stage-fields">${more.map(view)}</div>
          </details>`
    }
  </div>`;
}

/** A result as it is told while there is none. */
function noResult({ language, problem }: State): TemplateResult {
  const t = tryTexts[language];
  return html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`;
}

function curveView(state: State, report: CallReport, { from, to }: { from: number; to: number }): TemplateResult {
  const { language } = state;
  return staleFrame(state, html`<function-curve .given=${{ language, call: report, from, to }}></function-curve>`);
}

/** The result, the room of a curve, or words while there is neither. */
function resultView(state: State, call: CallDraft, own: CallReport | undefined): TemplateResult {
  const { language, problem, reported } = state;
  const range = rangeOf(call);
  if (own === undefined) return problem === undefined && range ? curveRoom(language, range.type) : noResult(state);
  const shown = reported && rangeOf(reported);
  if (shown) return curveView(state, own, shown);
  return staleFrame(state, html`${outputsView(language, own, pictureOf(state, own))} ${chosenCard(language, own)}`);
}

function inputsPart(state: State, report: CallReport): TemplateResult | typeof nothing {
  const inputs = inputsView(state.language, report);
  return inputs === nothing
    ? nothing
    : html`<div class="stage-inputs">${staleFrame(state, html`${inputs}`, false)}</div>`;
}

/** The fields of a call and its result; with its presets and the sentences of attributes where there is room for them. */
export function stageView(state: State, isWhole: boolean, words?: OperatorText): TemplateResult | typeof nothing {
  const call = callOf(state);
  if (call === undefined) return nothing;
  const { language, problem, report, reported } = state;
  const t = tryTexts[language];
  const range = rangeOf(call);
  const own = reported?.operator === call.operator ? report : undefined;
  const isWaiting = problem === undefined && own === undefined;
  const hasCurve = (own === undefined ? range : reported && rangeOf(reported)) !== undefined;
  const isHeld = document.activeElement?.closest('.stage-more') != null;
  const fields = foldedFields(call, own, isHeld);
  const attributes = attributeFields(state, call, fields, words);
  return html`<section class="stage" aria-label=${stageTexts[language].label}>
    ${isWhole ? presetsView(state, call, words) : nothing}
    <div role="status">${state.isLinkDamaged ? html`<p class="problem">${t.damaged}</p>` : nothing}</div>
    <div class="viewer stage-body" data-curve=${hasCurve} data-waiting=${isWaiting && !range} @pointed=${showChosen}>
      ${lineLayer} ${inputFields(state, call, fields)} ${hasCurve ? attributes : nothing}
      <p class="visually-hidden" role="status">${announcement(state)}</p>
      <div class="stage-result">
        <h2 class="visually-hidden">${t.result}</h2>
        ${resultView(state, call, own)}
      </div>
      ${hasCurve || own === undefined ? nothing : inputsPart(state, own)} ${hasCurve ? nothing : attributes}
      ${
        hasCurve || own === undefined
          ? nothing
          : html`<div class="stage-below">${staleFrame(state, html`${factsView(language, own, true)}`, false)}</div>`
      }
    </div>
  </section>`;
}
