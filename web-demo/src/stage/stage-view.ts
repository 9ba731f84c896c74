// The interactive part of an operator's page: a question, calls to begin with, a few fields, and what comes of them.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CallDraft } from '../drafts.js';
import { callToLink } from '../link.js';
import { current, edit, type State } from '../state.js';
import { stageTexts } from '../texts/stage.js';
import { tryTexts } from '../texts/try.js';
import { announcement } from '../views/announcement.js';
import { field, problemAt, problemText } from '../views/field.js';
import { outcomeView } from '../views/viewer.js';
import { callOf, fieldText, presetCall, presetOf, withField } from './calls.js';
import { type Stage, type StageField, stageOf } from './stages.js';
import './stage.css';

function fieldView({ language, problem }: State, call: CallDraft, part: StageField): TemplateResult {
  const t = stageTexts[language];
  const label = t.operators[call.operator]?.fields[part.id] ?? part.id;
  const text = fieldText(call, part);
  if (text === undefined) return html`<p class="muted">${label}: ${t.elsewhere}</p>`;
  const change = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    edit({ call: withField(callOf(current()) ?? call, part, value) }, part.id);
  };
  return field({
    ...{ id: part.id, label, problem },
    control: (attributes) => html`<input
      id=${attributes.id}
      class="mono"
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${attributes.invalid}
      aria-describedby=${attributes.describedBy}
      .value=${live(text)}
      @input=${change}
    />`,
  });
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
function otherProblem({ problem }: State, { fields }: Stage): TemplateResult | typeof nothing {
  if (problem === undefined || fields.some(({ id }) => id === problem.place)) return nothing;
  return html`<p class="problem">${problemText(problem)}</p>`;
}

function result(state: State, call: CallDraft): TemplateResult {
  const { language, problem, report, reported, isLate } = state;
  const t = tryTexts[language];
  const isOwn = report !== undefined && reported?.operator === call.operator;
  if (!isOwn) return html`<p class="muted">${problem === undefined ? t.waiting : t.refusedFirst}</p>`;
  const isStale = problem !== undefined || isLate;
  return html`<p class="muted stage-note">${isStale ? (isLate ? t.computing : t.refused) : nothing}</p>
    <div class="outcome" data-stale=${isStale}>${outcomeView(state, report, true)}</div>`;
}

/** The fields of a call and its result; with the question and the presets where there is room for them. */
export function stageView(state: State, isWhole: boolean): TemplateResult | typeof nothing {
  const call = callOf(state);
  const stage = call && stageOf(call.operator);
  if (call === undefined || stage === undefined) return nothing;
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
    ${problemAt(state.problem, 'call') === nothing ? otherProblem(state, stage) : problemAt(state.problem, 'call')}
    <p class="visually-hidden" role="status">${announcement(state)}</p>
    <h2 class="visually-hidden">${tryTexts[state.language].result}</h2>
    <div class="stage-result" data-waiting=${isWaiting}>${result(state, call)}</div>
    ${isWhole ? html`<p><a class="button quiet" href=${`#/try/${callToLink(call) ?? ''}`}>${t.tryIt}</a></p>` : nothing}
  </section>`;
}
