// The interactive part of an operator's page: a question, calls to begin with, a few fields, and what comes of them.
import type { AttributeRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { namedType } from '../attributes.js';
import type { CallDraft } from '../drafts.js';
import { callToLink } from '../link.js';
import { current, edit, type State } from '../state.js';
import { stageTexts } from '../texts/stage.js';
import { tryTexts } from '../texts/try.js';
import { announcement } from '../views/announcement.js';
import { type ControlAttributes, field, problemAt, problemText } from '../views/field.js';
import { outcomeFrame } from '../views/outcome.js';
import { typed } from '../views/typed.js';
import { outcomeView } from '../views/viewer.js';
import { callOf, fieldText, presetCall, presetOf, withField } from './calls.js';
import { curveRoom } from './curve.js';
import { rangeOf } from './curve-call.js';
import { curveForm } from './curve-form.js';
import { linesView } from './lines.js';
import { choicesOf, ownFields, ownLabel, rowOf } from './own-fields.js';
import { type Stage, type StageField, stageOf } from './stages.js';
import './stage.css';

function fieldView({ language, problem }: State, call: CallDraft, part: StageField): TemplateResult {
  const t = stageTexts[language];
  const label = t.operators[call.operator]?.fields[part.id] ?? ownLabel(call, part);
  const text = fieldText(call, part);
  if (text === undefined) return html`<p class="muted">${label}: ${t.elsewhere}</p>`;
  const change = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    edit({ call: withField(callOf(current()) ?? call, part, value) }, part.id);
  };
  const row = rowOf(call, part);
  const choices = row && choicesOf(call, row);
  if (choices) return field({ id: part.id, label, problem, control: choiceControl(row, choices, text, change) });
  return field({
    ...{ id: part.id, label, problem },
    control: (attributes) => html`<input
      id=${attributes.id}
      placeholder=${row?.default ?? ''}
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

function presetButtons({ language }: State, call: CallDraft, stage: Stage, chosen: string | undefined): TemplateResult {
  const t = stageTexts[language];
  const words = t.operators[call.operator]?.presets;
  return html`<div class="stage-presets" role="group" aria-label=${t.presets}>
    ${Object.entries(stage.presets).map(
      ([name, texts]) => html`<button
        class="button quiet"
        type="button"
        data-preset=${name}
        aria-pressed=${name === chosen}
        @click=${() => edit({ call: presetCall(call.operator, stage, texts) }, `preset ${name}`)}
      >
        ${words?.[name]?.name}
      </button>`,
    )}
  </div>`;
}

/** A problem that belongs to no field of the stage. */
function otherProblem({ problem }: State, fields: readonly StageField[]): TemplateResult | typeof nothing {
  if (problem === undefined || fields.some(({ id }) => id === problem.place)) return nothing;
  return html`<p class="problem">${problemText(problem)}</p>`;
}

function result(state: State, call: CallDraft): TemplateResult {
  const { language, problem, report, reported } = state;
  const t = tryTexts[language];
  const isOwn = report !== undefined && reported?.operator === call.operator;
  if (!isOwn) return html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`;
  return outcomeFrame(state, outcomeView(state, report, true));
}

/** The stage of an operator whose fields follow from its rows: a curve, or a small call. */
function ownStage(state: State, call: CallDraft, isWhole: boolean): TemplateResult {
  const { language, problem, report, reported } = state;
  const t = stageTexts[language];
  const range = rangeOf(call);
  const isOwn = report !== undefined && reported?.operator === call.operator;
  const fields = ownFields(call, isOwn ? report.outputs[0]?.type : undefined);
  const isWaiting = problem === undefined && !isOwn;
  const shown = isOwn ? reported && rangeOf(reported) : undefined;
  return html`<section class="stage" aria-label=${t.label}>
    ${range ? curveForm(state, call, range) : nothing}
    <div role="status">
      ${state.isLinkDamaged ? html`<p class="problem">${tryTexts[language].damaged}</p>` : nothing}
    </div>
    ${fields.length === 0 ? nothing : html`<div class="stage-fields">${fields.map((part) => fieldView(state, call, part))}</div>`}
    ${problemAt(problem, 'call') === nothing ? otherProblem(state, fields) : problemAt(problem, 'call')}
    <p class="visually-hidden" role="status">${announcement(state)}</p>
    <h2 class="visually-hidden">${tryTexts[language].result}</h2>
    <div class="stage-result" data-waiting=${isWaiting && !range}>
      ${
        isWaiting && range
          ? curveRoom(language, range.type)
          : shown && report
            ? outcomeFrame(
                state,
                html`<function-curve .given=${{ language, call: report, from: shown.from, to: shown.to }}></function-curve>`,
              )
            : result(state, call)
      }
    </div>
    ${!isWhole || (isWaiting && !range) ? nothing : below(state, call)}
  </section>`;
}

/** Below a result: the lines of code, and the way to all the rest. */
function below(state: State, call: CallDraft): TemplateResult {
  return html`${linesView(state, call.operator)}
    <p>
      <a class="button quiet" href=${`#/try/${callToLink(call) ?? ''}`}>${stageTexts[state.language].tryIt}</a>
    </p>`;
}

/** The fields of a call and its result; with the question and the presets where there is room for them. */
export function stageView(state: State, isWhole: boolean): TemplateResult | typeof nothing {
  const call = callOf(state);
  if (call === undefined) return nothing;
  const stage = stageOf(call.operator);
  if (stage === undefined) return ownStage(state, call, isWhole);
  const t = stageTexts[state.language];
  const words = t.operators[call.operator];
  const preset = presetOf(call, stage);
  const isWaiting = state.problem === undefined && state.reported?.operator !== call.operator;
  const question = preset === undefined ? words?.free : words?.presets[preset]?.question;
  return html`<section class="stage" aria-label=${t.label}>
    ${isWhole ? html`<p class="stage-question" aria-live="polite">${question}</p>` : nothing}
    ${isWhole ? presetButtons(state, call, stage, preset) : nothing}
    <div>
      <div role="status">
      ${state.isLinkDamaged ? html`<p class="problem">${tryTexts[state.language].damaged}</p>` : nothing}
    </div>
      <div class="stage-fields">${stage.fields.map((part) => fieldView(state, call, part))}</div>
    </div>
    ${problemAt(state.problem, 'call') === nothing ? otherProblem(state, stage.fields) : problemAt(state.problem, 'call')}
    <p class="visually-hidden" role="status">${announcement(state)}</p>
    <h2 class="visually-hidden">${tryTexts[state.language].result}</h2>
    <div class="stage-result" data-waiting=${isWaiting}>${result(state, call)}</div>
    ${isWhole && !isWaiting ? below(state, call) : nothing}
  </section>`;
}
