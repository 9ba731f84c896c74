// The tab "Weights": the tensors that the model holds, with their shares of all bytes, and the one that is looked at beside them.
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import { change, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { workspaceTexts } from '../texts/workspace.js';
import { showBytes } from '../views/units.js';
import { chooseNode } from './choice.js';
import { type NodePath, nodeAt } from './graphs.js';
import { currentLooked } from './looked.js';
import { lookedPart } from './looked-part.js';
import { operatorName } from './operator-name.js';
import type { ModelReport } from './protocol.js';
import { onOther } from './session.js';
import { showTab } from './tabs.js';
import { type WeightRow, weightRows } from './weight-rows.js';
import './weights.css';

type Texts = (typeof workspaceTexts)['en'];
type Column = 'name' | 'type' | 'bytes';

/** The number of rows at first, and of further rows each time. */
const step = 100;

interface Shown {
  readonly by: Column;
  readonly text: string;
  readonly limit: number;
}
const first: Shown = { by: 'bytes', text: '', limit: step };
let shown = first;
onOther(() => {
  shown = first;
});

function show(part: Partial<Shown>): void {
  shown = { ...shown, ...part };
  change({});
}

const orders: { readonly [C in Column]: (a: WeightRow, b: WeightRow) => number } = {
  name: (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
  type: (a, b) => a.type.localeCompare(b.type) || b.bytes - a.bytes,
  bytes: (a, b) => b.bytes - a.bytes,
};

let last: { readonly report: ModelReport; readonly of: Shown; readonly rows: readonly WeightRow[] } | undefined;

/** The rows that match, in their order. */
function rowsOf(report: ModelReport): readonly WeightRow[] {
  const { text, by } = shown;
  if (last?.report !== report || last.of.text !== text || last.of.by !== by) {
    const part = text.trim().toLowerCase();
    const rows = weightRows(report)
      .filter(({ name, type }) => name.toLowerCase().includes(part) || type.includes(part))
      .sort(orders[by]);
    last = { report, of: shown, rows };
  }
  return last.rows;
}

function head(column: Column, text: string, kind = ''): TemplateResult {
  const isBy = shown.by === column;
  const isDown = column === 'bytes';
  return html`<th scope="col" class=${kind} aria-sort=${isBy ? (isDown ? 'descending' : 'ascending') : 'none'}>
    <button class="profile-sort" type="button" @click=${() => show({ by: column })}>${text}<span aria-hidden="true">${isBy ? (isDown ? ' ▼' : ' ▲') : ''}</span></button>
  </th>`;
}

function bar(part: number): TemplateResult {
  const width = ref((element) => {
    if (element instanceof HTMLElement) element.style.width = `${100 * part}%`;
  });
  return html`<span class="weights-bar" aria-hidden="true" ${width}></span>`;
}

function showReader(path: NodePath): void {
  showTab('graph');
  chooseNode(path);
  document.getElementById('models-drawing')?.focus();
}

/** The first node that reads a tensor, and how many others do. */
function readersPart(report: ModelReport, { readers }: WeightRow, language: State['language']) {
  const [path, ...more] = readers;
  const node = path === undefined ? undefined : nodeAt(report.nodes, path);
  if (path === undefined || node === undefined) return nothing;
  return html`<button class="panel-link" type="button" @click=${() => showReader(path)}>${operatorName(node)} ${path}</button>
    ${more.length === 0 ? nothing : html`<span class="muted">${modelsTexts[language].moreReaders(more.length)}</span>`}`;
}

function tableRow(report: ModelReport, row: WeightRow, total: number, { language }: State, t: Texts): TemplateResult {
  const { name, type, dims, bytes, location, graph, key, look } = row;
  const part = total === 0 ? 0 : bytes / total;
  const isLooked = currentLooked()?.key === key;
  return html`<tr class=${isLooked ? 'nodes-chosen' : ''}>
    <th scope="row" class="weights-name">
      <button class="panel-link mono" type="button" aria-pressed=${isLooked} aria-label=${modelsTexts[language].elementsOf(visible(name))} @click=${look}>${visible(name)}</button>
      ${graph === '' ? nothing : html`<span class="muted mono">${visible(graph)}</span>`}
      ${location === undefined ? nothing : html`<span class="muted">${visible(location)}</span>`}
    </th>
    <td class="mono">${type}</td>
    <td class="mono weights-dims">${dims.length === 0 ? t.scalar : dims.join('×')}</td>
    <td class="weights-bytes">${showBytes(bytes)}</td>
    <td class="weights-share"><span>${(100 * part).toFixed(part < 0.0995 ? 1 : 0)} %</span>${bar(part)}</td>
    <td>${readersPart(report, row, language)}</td>
  </tr>`;
}

function finder(found: number, count: number, bytes: number, t: Texts): TemplateResult {
  const type = (event: Event): void => show({ text: (event.target as HTMLInputElement).value, limit: step });
  return html`<div class="nodes-filter">
    <div class="field">
      <label for="weights-text">${t.findWeights}</label>
      <input id="weights-text" type="search" autocomplete="off" spellcheck="false" placeholder=${t.findWeightsHint}
        .value=${live(shown.text)} @input=${type}>
    </div>
    <p class="muted" role="status">${found === count ? t.weightsOf(count, showBytes(bytes)) : t.weightsFound(found, count)}</p>
  </div>`;
}

export function weightsTab(state: State, report: ModelReport): TemplateResult {
  const t = workspaceTexts[state.language];
  const all = weightRows(report);
  if (all.length === 0) return html`<p>${t.noWeights}</p>`;
  const total = all.reduce((sum, { bytes }) => sum + bytes, 0);
  const rows = rowsOf(report);
  const rest = rows.length - shown.limit;
  const more = modelsTexts[state.language].more(Math.min(step, rest));
  const looked = lookedPart(state);
  return html`${finder(rows.length, all.length, total, t)}
    <div class="weights-desk">
      <div class="scroll-x" tabindex="0" role="region" aria-label=${t.weightsTitle}>
        <table class="weights-table">
          <caption class="visually-hidden">${t.weightsTitle}</caption>
          <thead><tr>
            ${head('name', t.weightName)} ${head('type', t.weightType)} <th scope="col">${t.weightDims}</th>
            ${head('bytes', t.weightBytes, 'weights-bytes')} <th scope="col">${t.weightShare}</th> <th scope="col">${t.usedBy}</th>
          </tr></thead>
          <tbody>${rows.slice(0, shown.limit).map((row) => tableRow(report, row, total, state, t))}</tbody>
        </table>
        ${rest > 0 ? html`<p><button class="button quiet" type="button" @click=${() => show({ limit: shown.limit + step })}>${more}</button></p>` : nothing}
      </div>
      <aside class="weights-looked card" tabindex="0" aria-label=${t.look}>
        ${looked === nothing ? html`<p class="muted">${t.lookHint}</p>` : looked}
      </aside>
    </div>`;
}
