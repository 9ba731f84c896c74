// The line of the file that is open: its name, what is in it, what cannot run, and what one does with a file.
import type { ValueInfo } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { readSource } from '../runtime/files-given.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { workspaceTexts } from '../texts/workspace.js';
import { saveFile } from '../views/save-file.js';
import { showBytes } from '../views/units.js';
import './file-line.css';
import { everyNode, type Nodes, tallyOf } from './graphs.js';
import { type KeptModel, largestKept } from './kept.js';
import { filterNodes } from './list-state.js';
import { operatorName } from './operator-name.js';
import type { ModelReport } from './protocol.js';
import { closeModel, currentSession } from './session.js';
import { showTab } from './tabs.js';
import { typeText } from './type-info.js';
import { warningsCount, warningsPart } from './warnings.js';

/** The file that is open in the tab that is shown. */
export interface ShownFile {
  readonly source: KeptModel;
  readonly bytes: number;
  /** Undefined while the tabs other than Simplify have not read it. */
  readonly report: ModelReport | undefined;
}

/** The most unsupported operators that the line names. */
const mostMissing = 3;

/** How many unsupported nodes each operator has, the most frequent first. */
function missingOperators(nodes: Nodes): [operator: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { node } of everyNode(nodes)) {
    // A node that has a version cannot run only because of one in its graphs.
    if (node.unsupported === null || node.version !== null) continue;
    const name = operatorName(node);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function showMissing(text: string): void {
  showTab('graph');
  filterNodes({ text, onlyUnsupported: true });
}

function missingPart({ language }: State, { nodes }: ModelReport): TemplateResult | typeof nothing {
  const t = modelsTexts[language];
  const missing = missingOperators(nodes);
  const rest = missing.length - mostMissing;
  if (missing.length === 0) return nothing;
  const button = (
    text: string,
    label: unknown,
  ) => html`<button class="chip models-missing" type="button" @click=${() => showMissing(text)}>
    ${label}<span class="visually-hidden">: ${t.showMissing}</span>
  </button>`;
  return html`<li class="models-bad">${workspaceTexts[language].cannotRun}
    ${missing.slice(0, mostMissing).map(([operator, count]) => button(operator, html`<span class="mono">${operator}</span> × ${count}`))}
    ${rest > 0 ? button('', workspaceTexts[language].moreMissing(rest)) : nothing}
  </li>`;
}

function factsPart(state: State, { bytes, report }: ShownFile): TemplateResult {
  const t = modelsTexts[state.language];
  if (report === undefined) return html`<ul class="models-facts" role="list"><li>${showBytes(bytes)}</li></ul>`;
  const { opset, nodes, metadata } = report;
  const tally = tallyOf(nodes);
  return html`<ul class="models-facts" role="list">
    <li>${showBytes(bytes)}</li>
    <li>IR ${metadata.irVersion}</li>
    ${opset === null ? nothing : html`<li>${t.opset(opset)}</li>`}
    <li>${t.nodes(tally)}</li>
    ${tally.unsupported === 0 ? nothing : html`<li>${t.supported(tally.nodes - tally.unsupported)}</li> <li class="models-bad">${t.unsupportedCount(tally.unsupported)}</li>`}
    ${missingPart(state, report)}
  </ul>`;
}

function valuesPart({ language }: State, { inputs, outputs }: ModelReport): TemplateResult {
  const t = modelsTexts[language];
  const values = (label: string, list: readonly ValueInfo[]) => html`
    <dt>${label}</dt>
    <dd>
      ${list.length === 0 ? html`<span class="muted">${t.none}</span>` : nothing}
      ${list.map((value) => {
        const text = typeText(value);
        return html`<span><strong class="mono">${visible(value.name)}</strong> ${text === undefined ? html`<span class="muted">${t.noType}</span>` : html`<span class="mono">${text}</span>`}</span>`;
      })}
    </dd>`;
  return html`<dl class="models-values">${values(t.inputs, inputs)} ${values(t.outputs, outputs)}</dl>`;
}

/** Whether a reload opens the model again. */
function keepingPart({ language }: State): TemplateResult {
  const { keeping } = currentSession();
  return html`<p class="models-keeping muted" role="status">${keeping && modelsTexts[language].keepings[keeping](showBytes(largestKept))}</p>`;
}

async function save({ name, source }: KeptModel): Promise<void> {
  const blob = await readSource(source);
  if (blob instanceof Blob) saveFile(name, blob);
}

function close(): void {
  closeModel();
  document.getElementById('models-file')?.focus();
}

function namePart(state: State, file: ShownFile): TemplateResult {
  const { source, report } = file;
  return html`<h2 class="models-name" id="models-name" tabindex="-1">${visible(source.name)}</h2>
    ${factsPart(state, file)} ${report === undefined ? nothing : aboutPart(state, report)}`;
}

/** The facts that most people do not ask for. */
function aboutPart(state: State, report: ModelReport): TemplateResult {
  const t = workspaceTexts[state.language];
  const warnings = warningsCount(report);
  return html`<details class="models-about">
    <summary>${warnings === '' ? t.about : t.aboutWarnings(warnings)}</summary>
    <div class="card">
      ${valuesPart(state, report)} ${warningsPart(state, report)}
      ${currentSession().keeping === 'kept' ? keepingPart(state) : nothing}
    </div>
  </details>`;
}

function buttonsPart({ language }: State, { source }: ShownFile): TemplateResult {
  const t = workspaceTexts[language];
  const label = t.saveFile(visible(source.name));
  return html`<button class="button quiet" type="button" aria-label=${label} @click=${() => void save(source)}>${t.save}</button>
    <button class="button quiet" type="button" id="close-model" @click=${close}>${t.close}</button>`;
}

/**
 * @param file - undefined while none is open: then the way to open one is all there is
 * @param others - where another model is opened. It stays the same element, so that the focus in it is not lost
 */
export function fileLine(state: State, file: ShownFile | undefined, others: TemplateResult): TemplateResult {
  const t = workspaceTexts[state.language];
  return html`<div class="models-bar">
      ${file === undefined ? nothing : namePart(state, file)}
      <details class="models-others" id="models-others" ?open=${file === undefined}>
        <summary>${t.another}</summary>
        ${others}
      </details>
      ${file === undefined ? nothing : buttonsPart(state, file)}
    </div>
    ${file === undefined || currentSession().keeping === 'kept' ? nothing : keepingPart(state)}`;
}
