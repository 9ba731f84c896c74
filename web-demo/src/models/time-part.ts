// The side of the tab "Time": memory through time, and the nodes by time, memory and what they compute, which can be sorted, or
// summed up by operators. A row moves the drawing to its node.
import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import { change, current, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { profileTexts } from '../texts/profile.js';
import { colonOf } from '../texts/texts.js';
import { workspaceTexts } from '../texts/workspace.js';
import { problemText } from '../views/field.js';
import { rescueFocus } from '../views/pass-focus.js';
import { showAmount, showBytes, showTime } from '../views/units.js';
import { chosenPath } from './choice.js';
import { costOf } from './cost.js';
import { showDrawnNode } from './drawing-part.js';
import { feedsOf, isTensorInput } from './feeds.js';
import type { NodePath } from './graphs.js';
import { memoryChart } from './memory-chart.js';
import { operatorName } from './operator-name.js';
import { currentProfile, type Measured, measuredNodes, measureNodes } from './profile.js';
import type { ModelReport, ProfileAnswer } from './protocol.js';
import { whyNot } from './run-part.js';
import { currentProblem, currentSession, onOther, runOpenModel, shownRun, stop } from './session.js';
import { showTab } from './tabs.js';
import './profile.css';

type Texts = (typeof profileTexts)['en'];
type Column = 'node' | 'time' | 'memory' | 'flops' | 'moved' | 'calls';
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
  readonly flops: number | undefined;
  /** Bytes of inputs and outputs. */
  readonly moved: number | undefined;
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

const known = new WeakMap<ProfileAnswer, readonly Row[]>();

/** A row for each node that ran. */
function nodeRows(report: ModelReport, answer: ProfileAnswer): readonly Row[] {
  let rows = known.get(answer);
  rows ??= measuredNodes(report, answer).map(({ index, path, node, ...rest }) => {
    const { flops, bytes: moved } = costOf(report, path, node, answer.dims);
    return { order: index, operator: operatorName(node), name: node.name, path, ...rest, flops, moved };
  });
  known.set(answer, rows);
  return rows;
}

/** The sum of what is known of both. */
const plus = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : one + (other ?? 0);

function rowsOf(rows: readonly Row[], grouping: Grouping): readonly Row[] {
  if (grouping === 'nodes') return rows;
  const sums = new Map<string, Row>();
  for (const { operator, order, microseconds, bytes, calls, flops, moved } of rows) {
    const sum = sums.get(operator);
    sums.set(operator, {
      ...{ operator, name: '', path: undefined, fusedInto: undefined, order: sum?.order ?? order },
      microseconds: (sum?.microseconds ?? 0) + microseconds,
      bytes: (sum?.bytes ?? 0) + bytes,
      calls: (sum?.calls ?? 0) + calls,
      flops: plus(flops, sum?.flops),
      moved: plus(moved, sum?.moved),
    });
  }
  return [...sums.values()];
}

const keys: { readonly [C in Column]: (row: Row) => number } = {
  node: ({ order }) => order,
  time: ({ microseconds, fusedInto }) => (fusedInto === undefined ? -microseconds : 1),
  memory: ({ bytes }) => -bytes,
  flops: ({ flops }) => -(flops ?? -1),
  moved: ({ moved }) => -(moved ?? -1),
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

const unknown = html`<span class="muted">–</span>`;

function tableRow(row: Row, all: readonly Measured[], total: number, hasCalls: boolean, t: Texts) {
  const { path, operator, name, microseconds, bytes, calls, flops, moved, fusedInto } = row;
  const part = total === 0 ? 0 : microseconds / total;
  const isChosen = path !== undefined && path === chosenPath();
  return html`<tr class=${isChosen ? 'nodes-chosen' : ''}>
    <th scope="row" class="profile-node">
      ${
        path === undefined
          ? operator
          : html`<button class="panel-link" type="button" aria-pressed=${isChosen} @click=${() => showDrawnNode(path)}>${operator}</button>
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
    <td class="profile-flops">${flops === undefined ? unknown : showAmount(flops)}</td>
    <td class="profile-moved">${moved === undefined ? unknown : showBytes(moved)}</td>
    ${hasCalls ? html`<td class="profile-calls">${calls}</td>` : nothing}
  </tr>`;
}

function table(state: State, report: ModelReport, answer: ProfileAnswer, t: Texts, isOld = false): TemplateResult {
  const w = workspaceTexts[state.language];
  const nodes = measuredNodes(report, answer);
  const { by, grouping, limit } = shown;
  const all = nodeRows(report, answer);
  const rows = sorted(rowsOf(all, grouping), by);
  const flops = all.reduce((sum, row) => sum + (row.flops ?? 0), 0);
  const total = nodes.reduce((sum, { microseconds }) => sum + microseconds, 0);
  const bytes = nodes.reduce((sum, one) => sum + one.bytes, 0);
  const hasCalls = nodes.some(({ calls }) => calls > 1) || grouping === 'operators';
  const idle = answer.nodes.length - nodes.length;
  const rest = rows.length - limit;
  const { planBytes, bytesInUse, heapBytes } = answer.memory;
  return html`<p class="muted" role="status">${isOld ? t.measuring : t.total(showTime(total), showBytes(bytes), answer.runs)} ${w.flops}${colonOf(state.language)}${w.totalFlops(showAmount(flops))}</p>
    ${all.length === 0 ? nothing : memoryChart(state, report, answer)}
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
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t.rows}>
    <table class="profile-table">
      <caption class="visually-hidden">${t.caption}</caption>
      <thead><tr>
        ${head('node', t.columns[grouping])} ${head('time', t.time)} ${head('memory', t.memory)}
        ${head('flops', w.flops)} ${head('moved', w.bytesMoved)} ${hasCalls ? head('calls', t.calls) : nothing}
      </tr></thead>
      <tbody>${rows.slice(0, limit).map((row) => tableRow(row, nodes, total, hasCalls, t))}</tbody>
    </table>
    </div>
    ${
      rest <= 0
        ? nothing
        : html`<p><button class="button quiet" type="button" @click=${() => show({ limit: limit + 5 * step })}>
          ${t.more(Math.min(rest, 5 * step), rest)}
        </button></p>`
    }
    <p class="muted">${w.costNote}</p>
    ${idle === 0 ? nothing : html`<p class="muted">${t.idle(idle)}</p>`}`;
}

/** The offer of a run, whose nodes are measured then. */
function offerPart(state: State, report: ModelReport): TemplateResult {
  const w = workspaceTexts[state.language];
  const reason = whyNot(state, report);
  const isRunning = currentSession().ran?.outcome === undefined && currentSession().ran !== undefined;
  const run = async (): Promise<void> => {
    await runOpenModel(feedsOf(current().feeds, report.inputs.filter(isTensorInput)));
    if (currentProblem() !== undefined) return showTab('run'); // which says what is wrong
    await measureNodes();
    rescueFocus('[name=profile-rows]:checked');
  };
  if (reason !== undefined) return html`<p>${reason}</p>`;
  return html`<p>${w.runFirst}</p>
    <p><button class="button" id="run-measure" type="button" @click=${() => void run()}>${isRunning ? modelsTexts[state.language].running : w.runAndMeasure}</button></p>`;
}

/** The list beside the drawing. */
export function timePart(state: State, report: ModelReport): TemplateResult {
  const t = profileTexts[state.language];
  const ran = shownRun()?.outcome;
  const content = (): unknown => {
    if (typeof ran !== 'object' || !ran.ok) return offerPart(state, report);
    const profile = currentProfile();
    const offer = html`<p><button class="button quiet" id="measure" type="button" @click=${() => void measureNodes()}>${t.measure}</button>
      <span class="muted">${t.measureHint}</span></p>`;
    if (profile === undefined) return offer;
    const { outcome, before } = profile;
    if (outcome === undefined && before !== undefined) return table(state, report, before, t, true);
    if (outcome === undefined)
      return html`<p class="muted" role="status">${t.measuring}
        <button class="button quiet" type="button" @click=${stop}>${t.stop}</button></p>`;
    if (outcome === 'stopped') return html`<p class="muted" role="status">${t.stopped}</p>${offer}`;
    if (!outcome.ok) return html`<p class="problem" role="alert">${problemText(outcome.problem)}</p>`;
    return table(state, report, outcome, t);
  };
  return html`<section class="profile" aria-labelledby="models-profile">
    <h2 id="models-profile">${t.title}</h2>
    ${content()}
  </section>`;
}
