// The graph as a list of nodes that can be filtered. Of large graphs the beginning is shown, and more when it is asked for.
import type { ModelNode } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { live } from 'lit-html/directives/live.js';
import type { ModelReport } from '../runtime/model-protocol.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { visible } from '../values/visible.js';
import { operatorName } from './operator-name.js';
import { currentProblem, currentSession, type Filter, filterNodes, nodeOf } from './session.js';
import { typeText } from './type-info.js';
import './node-list.css';

type Texts = (typeof modelsTexts)['en'];

/** A node with its number in the file. */
interface Row {
  readonly index: number;
  readonly node: ModelNode;
}

const step = 200;

/** What a text lets through: exactly the nodes of an operator if it names one, else all that has it somewhere. */
function matcher(nodes: readonly ModelNode[], text: string): (node: ModelNode) => boolean {
  const name = text.trim();
  if (nodes.some((node) => operatorName(node) === name)) return (node) => operatorName(node) === name;
  const part = name.toLowerCase();
  const has = (one: string): boolean => one.toLowerCase().includes(part);
  return (node) =>
    has(operatorName(node)) || [node, ...node.outputs].some((one) => has(one.name)) || node.inputs.some(has);
}

let lastRows: { nodes: readonly ModelNode[]; text: string; onlyUnsupported: boolean; rows: readonly Row[] } | undefined;

/** The rows that a filter lets through; the same list as before when nothing of it has changed. */
function filteredRows(nodes: readonly ModelNode[], { text, onlyUnsupported }: Filter): readonly Row[] {
  const isSame = lastRows?.nodes === nodes && lastRows.text === text && lastRows.onlyUnsupported === onlyUnsupported;
  if (lastRows === undefined || !isSame) {
    const matches = matcher(nodes, text);
    const rows = nodes
      .map((node, index) => ({ node, index }))
      .filter(({ node }) => (!onlyUnsupported || node.unsupported !== null) && matches(node));
    lastRows = { nodes, text, onlyUnsupported, rows };
  }
  return lastRows.rows;
}

/** The name of a value, which lights up with all others of the same value. */
function valueName(name: string): TemplateResult {
  return html`<span class="nodes-value mono" data-value=${name}>${visible(name)}</span>`;
}

function outputType({ declared, inferred }: ModelNode['outputs'][number], t: Texts): TemplateResult {
  const texts = {
    declared: declared === null ? undefined : typeText(declared),
    inferred: inferred === null ? undefined : typeText(inferred),
  };
  const both = texts.declared !== undefined && texts.inferred !== undefined;
  if (both && texts.declared === texts.inferred) return html`<span class="nodes-type mono">${texts.declared}</span>`;
  const line = (text: string, origin: string) =>
    html`<span class="nodes-type"><span class="mono">${text}</span> <span class="muted">${origin}</span></span>`;
  if (texts.declared === undefined && texts.inferred === undefined) {
    return html`<span class="nodes-type muted">${t.unknown}</span>`;
  }
  return html`
    ${texts.declared === undefined ? nothing : line(texts.declared, t.declared)}
    ${texts.inferred === undefined ? nothing : line(texts.inferred, t.inferred)}`;
}

function nodeRow({ index, node }: Row, t: Texts, message: string | undefined): TemplateResult {
  const { name, version, unsupported, inputs, outputs } = node;
  return html`
    <li class="nodes-row ${unsupported === null && message === undefined ? '' : 'nodes-bad'}" id="node-${index}" tabindex="-1">
      <span class="nodes-number muted">${index}</span>
      <span class="nodes-operator">
        <strong>${operatorName(node)}</strong>
        ${version === null ? nothing : html`<span class="muted">${t.version(version)}</span>`}
        ${name === '' ? nothing : html`<span class="nodes-name mono muted">${visible(name)}</span>`}
      </span>
      <span class="nodes-values">
        <span class="nodes-label">${t.inputs}</span>
        ${inputs.map((input) => (input === '' ? html`<span class="muted">${t.leftOut}</span>` : valueName(input)))}
        ${inputs.length === 0 ? html`<span class="muted">${t.none}</span>` : nothing}
      </span>
      <span class="nodes-values">
        <span class="nodes-label">${t.outputs}</span>
        ${outputs.map((output) =>
          output.name === ''
            ? html`<span class="muted">${t.unused}</span>`
            : html`<span class="nodes-output">${valueName(output.name)} ${outputType(output, t)}</span>`,
        )}
      </span>
      ${unsupported === null ? nothing : html`<span class="nodes-reason">${t.unsupported}: <span lang="en">${visible(unsupported)}</span></span>`}
      ${message === undefined ? nothing : html`<span class="nodes-reason" lang="en">${visible(message)}</span>`}
    </li>`;
}

/** Lights up the value under the pointer wherever it is named. */
function light(event: Event): void {
  const value = (event.target as Element).closest<HTMLElement>('[data-value]')?.dataset.value;
  for (const element of (event.currentTarget as Element).querySelectorAll<HTMLElement>('[data-value]')) {
    element.classList.toggle('nodes-lit', element.dataset.value === value);
  }
}

/** Shows a node whatever the filter was, and moves the focus to it. */
export function showNode(index: number): void {
  filterNodes({ text: '', onlyUnsupported: false, limit: Math.max(step, index + 1) });
  document.getElementById(`node-${index}`)?.focus();
}

export function nodeList(state: State, { nodes }: ModelReport): TemplateResult {
  const t = modelsTexts[state.language];
  const { filter } = currentSession();
  const problem = currentProblem();
  const failed = nodeOf(problem);
  const rows = filteredRows(nodes, filter);
  const shown = Math.min(filter.limit, rows.length);
  const isChecked = filter.onlyUnsupported;
  return html`
    <div class="nodes-filter">
      <div class="field">
        <label for="nodes-text">${t.filter}</label>
        <input id="nodes-text" type="search" autocomplete="off" spellcheck="false" placeholder=${t.filterHint}
          .value=${live(filter.text)} @input=${(event: Event) => filterNodes({ text: (event.target as HTMLInputElement).value })}>
      </div>
      <label class="nodes-check">
        <input type="checkbox" .checked=${live(isChecked)} @change=${() => filterNodes({ onlyUnsupported: !isChecked })}>
        ${t.onlyUnsupported}
      </label>
      <p class="muted" role="status">${rows.length === 0 ? t.noneMatch : t.shown(shown, rows.length, nodes.length)}</p>
    </div>
    ${guard(
      [rows, shown, problem, t],
      () => html`
      <div class="nodes-head muted" aria-hidden="true">
        <span>${t.number}</span><span>${t.operator}</span><span>${t.inputs}</span><span>${t.outputs}</span>
      </div>
      <ol class="nodes-list" role="list" @mouseover=${light} @mouseleave=${light}>
        ${rows.slice(0, shown).map((row) => nodeRow(row, t, row.index === failed ? problem?.message : undefined))}
      </ol>`,
    )}
    ${
      shown === rows.length
        ? nothing
        : html`<button class="button quiet" type="button" @click=${() => filterNodes({ limit: shown + step })}>
            ${t.more(Math.min(step, rows.length - shown))}
          </button>`
    }`;
}
