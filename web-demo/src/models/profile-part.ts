// The table of the nodes by time and memory, which can be sorted, or summed up by operators.
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import { change, type State } from '../state.js';
import { profileTexts } from '../texts/profile.js';
import { problemText } from '../views/field.js';
import { showBytes, showTime } from '../views/units.js';
import { showDrawnNode } from './drawing-part.js';
import type { NodePath } from './graphs.js';

import { operatorName } from './operator-name.js';
import { currentProfile, type Measured, measuredNodes, measureNodes } from './profile.js';
import type { ModelReport, ProfileAnswer } from './protocol.js';
import { onOther, shownRun, stop } from './session.js';
import './profile.css';

type Texts = (typeof profileTexts)['en'];
type Column = 'node' | 'time' | 'memory' | 'calls';
type Grouping = 'nodes' | 'operators';

/** A row: a node, or all nodes of an operator. */
interface Row {
  readonly order: number;
  readonly operator: string;
  readonly name: string;
  readonly path: NodePath | undefined;
  readonly microseconds: number;
  readonly bytes: number;
  readonly calls: number;
  readonly fusedInto: string | undefined;
}

/** The number of rows at first, and of further rows each time. */
const step = 20;

interface Shown {
  readonly by: Column;
  readonly grouping: Grouping;
  readonly limit: number;
}
const first: Shown = { by: 'time', grouping: 'nodes', limit: step };
let shown = first;
onOther(() => {
  shown = first;
});

function show(part: Partial<Shown>): void {
  shown = { ...shown, ...part };
  change({});
}

function rowsOf(nodes: readonly Measured[], grouping: Grouping): readonly Row[] {
  const rows = nodes.map(({ index, path, node, ...rest }) => {
    return { order: index, operator: operatorName(node), name: node.name, path, ...rest };
  });
  if (grouping === 'nodes') return rows;
  const sums = new Map<string, Row>();
  for (const { operator, order, microseconds, bytes, calls } of rows) {
    const sum = sums.get(operator);
    sums.set(operator, {
      ...{ operator, name: '', path: undefined, fusedInto: undefined, order: sum?.order ?? order },
      microseconds: (sum?.microseconds ?? 0) + microseconds,
      bytes: (sum?.bytes ?? 0) + bytes,
      calls: (sum?.calls ?? 0) + calls,
    });
  }
  return [...sums.values()];
}

const keys: { readonly [C in Column]: (row: Row) => number } = {
  node: ({ order }) => order,
  time: ({ microseconds, fusedInto }) => (fusedInto === undefined ? -microseconds : 1),
  memory: ({ bytes }) => -bytes,
  calls: ({ calls }) => -calls,
};

function sorted(rows: readonly Row[], by: Column): readonly Row[] {
  const key = keys[by];
  return [...rows].sort((a, b) => key(a) - key(b) || a.order - b.order);
}

function head(column: Column, text: string): TemplateResult {
  const isBy = shown.by === column;
  const order = column === 'node' ? 'ascending' : 'descending';
  return html`<th scope="col" aria-sort=${isBy ? order : 'none'} class="profile-${column}">
    <button class="profile-sort" type="button" @click=${() => show({ by: column })}>${text}<span aria-hidden="true">${isBy ? (column === 'node' ? ' ▲' : ' ▼') : ''}</span></button>
  </th>`;
}

/** A bar as wide as the part of the whole. */
function bar(part: number): TemplateResult {
  const width = ref((element) => {
    if (element instanceof HTMLElement) element.style.width = `${100 * part}%`;
  });
  return html`<span class="profile-bar" aria-hidden="true" ${width}></span>`;
}

/** The node that a name or a number of a profile means, as far as one can tell. */
function fusedText(target: string, nodes: readonly Measured[], t: Texts): string {
  const found = nodes.find(({ node, path }) =>
    target.startsWith('#') ? path === target.slice(1) : node.name === target,
  );
  return t.fused(found === undefined ? visible(target) : `${operatorName(found.node)} ${found.path}`);
}

function tableRow(row: Row, all: readonly Measured[], total: number, report: ModelReport, hasCalls: boolean, t: Texts) {
  const { path, operator, name, microseconds, bytes, calls, fusedInto } = row;
  const part = total === 0 ? 0 : microseconds / total;
  return html`<tr>
    <th scope="row" class="profile-node">
      ${
        path === undefined
          ? operator
          : html`<button class="panel-link" type="button" @click=${() => showDrawnNode(report.nodes, path)}>${operator}</button>
            <span class="muted">${path}</span>
            ${name === '' ? nothing : html`<span class="mono muted profile-name">${visible(name)}</span>`}`
      }
    </th>
    <td class="profile-time">
      ${
        fusedInto === undefined
          ? html`<span class="profile-numbers"><span>${showTime(microseconds)}</span>${part === 0 ? nothing : html`<span class="muted">${t.percent(part)}</span>`}</span>${part === 0 ? nothing : bar(part)}`
          : html`<span class="muted">${fusedText(fusedInto, all, t)}</span>`
      }
    </td>
    <td class="profile-memory">${showBytes(bytes)}</td>
    ${hasCalls ? html`<td class="profile-calls">${calls}</td>` : nothing}
  </tr>`;
}

function table(report: ModelReport, answer: ProfileAnswer, t: Texts, isOld = false): TemplateResult {
  const nodes = measuredNodes(report, answer);
  const { by, grouping, limit } = shown;
  const rows = sorted(rowsOf(nodes, grouping), by);
  const total = nodes.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const bytes = nodes.reduce((sum, one) => sum + one.bytes, 0);
  const hasCalls = nodes.some(({ calls }) => calls > 1) || grouping === 'operators';
  const idle = answer.nodes.length - nodes.length;
  const rest = rows.length - limit;
  const { planBytes, bytesInUse, heapBytes } = answer.memory;
  return html`<p class="muted" role="status">${isOld ? t.measuring : t.total(showTime(total), showBytes(bytes), answer.runs)}</p>
    <ul class="profile-facts" role="list">
      <li class="chip">${t.plan(showBytes(planBytes))}</li>
      <li class="chip">${t.inUse(showBytes(bytesInUse))}</li>
      <li class="chip">${t.heap(showBytes(heapBytes))}</li>
    </ul>
    <fieldset class="profile-groups">
      <legend class="visually-hidden">${t.rows}</legend>
      ${(['nodes', 'operators'] as const).map(
        (one) => html`<label><input type="radio" name="profile-rows" value=${one} .checked=${one === grouping}
          @change=${() => show({ grouping: one, limit: step })}> ${t.groupings[one]}</label>`,
      )}
    </fieldset>
    <table class="profile-table">
      <caption class="visually-hidden">${t.caption}</caption>
      <thead><tr>
        ${head('node', t.columns[grouping])} ${head('time', t.time)} ${head('memory', t.memory)}
        ${hasCalls ? head('calls', t.calls) : nothing}
      </tr></thead>
      <tbody>${rows.slice(0, limit).map((row) => tableRow(row, nodes, total, report, hasCalls, t))}</tbody>
    </table>
    ${
      rest <= 0
        ? nothing
        : html`<p><button class="button quiet" type="button" @click=${() => show({ limit: limit + 5 * step })}>
          ${t.more(Math.min(rest, 5 * step), rest)}
        </button></p>`
    }
    ${idle === 0 ? nothing : html`<p class="muted">${t.idle(idle)}</p>`}`;
}

/** The part of the page below a run. */
export function profilePart({ language }: State, report: ModelReport): TemplateResult | typeof nothing {
  const ran = shownRun()?.outcome;
  if (typeof ran !== 'object' || !ran.ok || report.nodes.length === 0) return nothing;
  const t = profileTexts[language];
  const profile = currentProfile();
  const content = (): unknown => {
    const offer = html`<p><button class="button quiet" id="measure" type="button" @click=${() => void measureNodes()}>${t.measure}</button>
      <span class="muted">${t.measureHint}</span></p>`;
    if (profile === undefined) return offer;
    const { outcome, before } = profile;
    if (outcome === undefined && before !== undefined) return table(report, before, t, true);
    if (outcome === undefined)
      return html`<p class="muted" role="status">${t.measuring}
        <button class="button quiet" type="button" @click=${stop}>${t.stop}</button></p>`;
    if (outcome === 'stopped') return html`<p class="muted" role="status">${t.stopped}</p>${offer}`;
    if (!outcome.ok) return html`<p class="problem" role="alert">${problemText(outcome.problem)}</p>`;
    return table(report, outcome, t);
  };
  return html`<section class="profile" aria-labelledby="models-profile">
    <h2 id="models-profile">${t.title}</h2>
    ${content()}
  </section>`;
}
