// Running the model: a form for every input, and the outputs.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { TensorDraft } from '../drafts.js';
import { canRedo, canUndo, current, edit, redo, type State, undo } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { tryTexts } from '../texts/try.js';
import { workspaceTexts } from '../texts/workspace.js';
import { problemAt, problemText } from '../views/field.js';
import { tensorEditor } from '../views/tensor-editor.js';
import { showTime } from '../views/units.js';
import { tensorView } from '../views/viewer.js';
import { outputBoxes } from './boxes-view.js';
import { feedsOf, isTensorInput, type TensorInput } from './feeds.js';
import { outputGlance } from './glance.js';
import { type NodePath, type Nodes, stepsTo, tallyOf } from './graphs.js';
import { mediaFor } from './media-part.js';
import { showNode } from './node-list.js';
import { measureAfterRun } from './profile.js';
import type { ModelReport, RunReport } from './protocol.js';
import { currentProblem, currentSession, nodeOf, refuseRun, runOpenModel, shownRun, stop } from './session.js';
import { showTab } from './tabs.js';
import { typeText } from './type-info.js';
import './run.css';

/** Changes the draft of an input, or the first one, which nobody has edited. */
function setFeed(
  { name }: TensorInput,
  first: TensorDraft,
  update: (draft: TensorDraft) => TensorDraft,
  what: string,
): void {
  const { feeds } = current();
  const draft = (Object.hasOwn(feeds, name) ? feeds[name] : undefined) ?? first;
  edit({ feeds: { ...feeds, [name]: update(draft) } }, what);
}

function inputForm(state: State, input: TensorInput, index: number, draft: TensorDraft): TemplateResult {
  const t = modelsTexts[state.language];
  const problem = currentProblem();
  const isOther = draft.type !== input.type; // after a file, which brings its type
  return html`<div class="card">
    ${tensorEditor(state, {
      ...{ place: `feed:${index}`, label: input.name, draft, problem },
      types: [{ type: input.type }, ...(isOther ? [{ type: draft.type, reason: t.notDeclared }] : [])],
      media: mediaFor(state, `feed:${index}`, input),
      onEdit: (update, what) => setFeed(input, draft, update, what),
      onProblem: refuseRun,
    })}
    <p class="muted">${t.wants} <span class="mono">${typeText(input)}</span></p>
  </div>`;
}

function outputs(state: State, model: ModelReport, report: RunReport, isStale: boolean): TemplateResult {
  const { outputs, callTime, writeTime, runs, firstTime } = report;
  const t = modelsTexts[state.language];
  return html`
    <h3 id="models-outcome">${t.outputs}</h3>
    <p class="muted">
      ${t.took(showTime(callTime), runs, showTime(firstTime), showTime(writeTime))} ${isStale ? t.stale : nothing}
    </p>
    ${outputs.map((output) => html`<div class="card models-output">${tensorView(state, output, html`${outputBoxes(state, model, output)} ${outputGlance(state, model, output)}`)}</div>`)}`;
}

/** The number of a node, after the numbers and attributes that lead to its graph: `3 › then_branch › 5`. */
function placeText(nodes: Nodes, path: NodePath): string {
  const steps = stepsTo(nodes, path).flatMap(({ index, attribute }) => [String(index), attribute ?? []].flat());
  return visible(steps.join(' › '));
}

function showInGraph(nodes: Nodes, path: NodePath): void {
  showTab('graph');
  showNode(nodes, path);
}

/** Problems of inputs are shown at their fields; problems of nodes and of the whole run are shown here. */
function outcomePart(state: State, model: ModelReport): TemplateResult | typeof nothing {
  const ran = shownRun();
  const t = modelsTexts[state.language];
  if (ran?.outcome === undefined)
    return html`<p class="muted models-empty">${workspaceTexts[state.language].noRun}</p>`;
  if (ran.outcome === 'stopped') return html`<p class="muted">${t.stopped}</p>`;
  if (ran.outcome.ok) return outputs(state, model, ran.outcome, ran.feeds !== state.feeds);
  const { problem } = ran.outcome;
  const node = nodeOf(problem);
  const elsewhere = problem.place.startsWith('feed:');
  return html`
    <p id="models-outcome">${t.wrongRun}</p>
    ${elsewhere ? nothing : problemAt(problem, problem.place)}
    ${
      node === undefined
        ? nothing
        : html`<button class="button quiet" type="button" @click=${() => showInGraph(model.nodes, node)}>
            ${t.showNode(placeText(model.nodes, node))}
          </button>`
    }`;
}

/** Shows the outcome where it is not beside the form; somebody who has left the button stays where they are. */
function showOutcome(): void {
  const [button, outcome] = ['run', 'models-outcome'].map((id) => document.getElementById(id)?.getBoundingClientRect());
  if (button === undefined || outcome === undefined) return;
  const isAtButton = button.bottom > 0 && button.top < innerHeight;
  if (isAtButton && (outcome.top > innerHeight / 2 || outcome.top < 0))
    document.querySelector('.models-outcome')?.scrollIntoView({ block: 'start' });
}

/** The words of a screen reader when a run has ended. */
function announcement(state: State): string | TemplateResult {
  const { ran } = currentSession();
  const t = modelsTexts[state.language];
  if (ran === undefined) return '';
  if (ran.outcome === undefined) return t.running;
  if (ran.outcome === 'stopped') return t.stopped;
  if (!ran.outcome.ok) return html`${t.wrongRun} ${problemText(ran.outcome.problem)}`;
  return t.gave(
    ran.outcome.outputs.map(({ name, type, dims }) => `${visible(name)}: ${type} [${dims.join(', ')}]`).join('; '),
  );
}

/** Why the model cannot run; undefined where it can. */
export function whyNot({ language }: State, report: ModelReport): string | undefined {
  const t = modelsTexts[language];
  const { unsupported } = tallyOf(report.nodes);
  if (unsupported > 0) return t.cannotRun(unsupported);
  const other = report.inputs.find((input) => !isTensorInput(input));
  return other === undefined ? undefined : t.cannotFeed(visible(other.name));
}

function formPart(state: State, report: ModelReport): TemplateResult {
  const t = modelsTexts[state.language];
  const undoTexts = tryTexts[state.language];
  const inputs = report.inputs.filter(isTensorInput);
  const feeds = feedsOf(state.feeds, inputs);
  const { ran } = currentSession();
  const isRunning = ran !== undefined && ran.outcome === undefined;
  const run = (event: Event): void => {
    event.preventDefault();
    void runOpenModel(feeds).then(() => {
      showOutcome();
      measureAfterRun();
    });
  };
  return html`<form class="models-form" @submit=${run}>
    <div class="models-buttons">
      <button class="button" id="run" type="submit">${isRunning ? t.running : t.run}</button>
      ${isRunning ? html`<button class="button quiet" id="stop" type="button" @click=${stop}>${t.stop}</button>` : nothing}
      <button class="button quiet" type="button" ?disabled=${!canUndo()} @click=${undo}>↶ ${undoTexts.undo}</button>
      <button class="button quiet" type="button" ?disabled=${!canRedo()} @click=${redo}>↷ ${undoTexts.redo}</button>
    </div>
    <h3 class="models-side">${t.inputs}</h3>
    ${inputs.length === 0 ? html`<p class="muted">${t.noInputs}</p>` : nothing}
    <div class="models-inputs">
      ${inputs.map((input, i) => inputForm(state, input, i, feeds[input.name] as TensorDraft))}
    </div>
  </form>`;
}

/** The tab "Run": the inputs at one side, and what a run gives beside them. */
export function runTab(state: State, report: ModelReport): TemplateResult {
  const t = modelsTexts[state.language];
  const reason = whyNot(state, report);
  return html`<div class="models-runs">
    ${reason === undefined ? formPart(state, report) : nothing}
    <section class="models-outcome" aria-labelledby="models-run">
      <h2 class="visually-hidden" id="models-run">${t.run}</h2>
      ${
        reason === undefined
          ? html`<p class="visually-hidden" role="status">${announcement(state)}</p>
              ${outcomePart(state, report)}`
          : html`<p>${reason}</p>`
      }
    </section>
  </div>`;
}
