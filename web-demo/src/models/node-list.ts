// The graph as a list of nodes that can be filtered. Of large graphs the beginning is shown, and more when it is asked for.
import type { ModelValue } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import { live } from 'lit-html/directives/live.js';
import { visible } from '../../../shared/visible.js';
import type { Problem } from '../drafts.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { chooseNode, chosenPath } from './choice.js';
import { graphsOf, type NodePath, type Nodes, stepsTo, tallyOf } from './graphs.js';
import { currentFilter, currentUnfolded, filterNodes, limitNodes, openGraphs, type Unfolded } from './list-state.js';
import { type Findings, findNodes, firstRows, isFiltered, matchesOf, type Row, rowsOf } from './node-filter.js';
import { operatorName } from './operator-name.js';
import type { ModelReport } from './protocol.js';
import { currentProblem, nodeOf } from './session.js';
import { typeText } from './type-info.js';
import './node-list.css';

type Texts = (typeof modelsTexts)['en'];

const step = 200;
/** Graphs that are deeper are hardly indented, or nothing would be left of the width of a phone. */
const mostIndented = 4;

/** The facts that all rows need. */
interface List {
  readonly t: Texts;
  readonly isFiltered: boolean;
  readonly findings: Findings;
  readonly unfolded: Unfolded;
  readonly problem: Problem | undefined;
  readonly failed: NodePath | undefined;
  readonly chosen: NodePath | undefined;
}

function isOpen(graph: Nodes, { findings, unfolded }: List): boolean {
  return unfolded.isOpen.get(graph) ?? findings.open.has(graph);
}

function shownRows(graph: Nodes, { findings, unfolded }: List): readonly Row[] {
  return rowsOf(graph, findings).slice(0, unfolded.limits.get(graph) ?? firstRows);
}

/** How many of the nodes that match can be seen. */
function countShown(graph: Nodes, list: List): number {
  const rows = shownRows(graph, list);
  const inner = rows.flatMap(({ node }) => graphsOf(node)).filter(([, one]) => isOpen(one, list));
  const own = rows.filter(({ isMatch }) => isMatch).length;
  return inner.reduce((sum, [, one]) => sum + countShown(one, list), own);
}

/** The name of a value, which lights up with all others of the same value. */
function valueName(name: string): TemplateResult {
  return html`<span class="nodes-value mono" data-value=${name}>${visible(name)}</span>`;
}

function outputType({ declared, inferred }: ModelValue, t: Texts): TemplateResult {
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

function nodeRow({ index, node }: Row, path: NodePath, list: List, depth: number): TemplateResult {
  const { t, problem, failed, chosen } = list;
  const { name, version, unsupported, inputs, outputs } = node;
  const message = path === failed ? problem?.message : undefined;
  return html`
    <li>
      <div
        class="nodes-row ${unsupported === null && message === undefined ? '' : 'nodes-bad'} ${path === chosen ? 'nodes-chosen' : ''}"
        id="node-${path}"
        tabindex="-1"
      >
      <span class="nodes-number muted">${index}</span>
      <span class="nodes-operator">
        <button
          class="nodes-choose"
          type="button"
          tabindex=${path === chosen || path === '0' ? '0' : '-1'}
          aria-pressed=${path === chosen}
          @click=${() => chooseHere(path)}>
          ${operatorName(node)}
        </button>
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
      </div>
      ${graphsOf(node).map(([attribute, graph], i) => innerGraph(attribute, graph, `${path}.${i}.`, list, depth + 1))}
    </li>`;
}

function graphRows(graph: Nodes, before: string, list: List, depth: number): TemplateResult {
  const rows = shownRows(graph, list);
  const rest = rowsOf(graph, list.findings).length - rows.length;
  return html`
    <ol class="nodes-list" role="list">
      ${rows.map((row) => nodeRow(row, `${before}${row.index}`, list, depth))}
    </ol>
    ${
      rest === 0
        ? nothing
        : html`<button class="button quiet nodes-more" type="button" @click=${() => limitNodes(graph, rows.length + step)}>
            ${list.t.more(Math.min(step, rest))}
          </button>`
    }`;
}

/** A graph of a node, which has rows only while it is open. */
function innerGraph(attribute: string, graph: Nodes, before: string, list: List, depth: number): TemplateResult {
  const { t, isFiltered, findings } = list;
  const tally = tallyOf(graph);
  const matches = findings.graphs.get(graph)?.matches ?? 0;
  const opened = isOpen(graph, list);
  const toggle = (event: Event): void => {
    const { open } = event.currentTarget as HTMLDetailsElement;
    if (open !== opened) openGraphs([graph], open);
  };
  return html`
    <details class="nodes-graph ${depth > mostIndented ? 'nodes-deep' : ''}" ?open=${opened} @toggle=${toggle}>
      <summary>
        <span class="mono">${visible(attribute)}</span>
        <span class="muted">${isFiltered && matches > 0 ? t.innerMatches(matches, t.nodes(tally)) : t.nodes(tally)}</span>
        ${tally.unsupported === 0 ? nothing : html`<span class="nodes-reason">${t.unsupportedCount(tally.unsupported)}</span>`}
      </summary>
      ${opened && graph.length > 0 ? graphRows(graph, before, list, depth) : nothing}
    </details>`;
}

/** Lights up the value under the pointer wherever it is named. */
function light(event: Event): void {
  const value = (event.target as Element).closest<HTMLElement>('[data-value]')?.dataset.value;
  for (const element of (event.currentTarget as Element).querySelectorAll<HTMLElement>('[data-value]')) {
    element.classList.toggle('nodes-lit', element.dataset.value === value);
  }
}

/** Goes from node to node by arrows: Tab leads to the first and to the chosen one alone, for lists are long. */
function walk(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const button = (event.target as Element).closest('.nodes-choose');
  if (step === undefined || button === null) return;
  const all = [...(event.currentTarget as Element).querySelectorAll<HTMLElement>('.nodes-choose')];
  event.preventDefault();
  all[all.indexOf(button as HTMLElement) + step]?.focus();
}

/** Chooses a node of the list, and shows its panel where the list is not beside it. */
function chooseHere(path: NodePath): void {
  chooseNode(path);
  const panel = document.getElementById('models-panel');
  const { top = 0, bottom = 0 } = panel?.getBoundingClientRect() ?? {};
  if (bottom <= 0 || top >= innerHeight) panel?.scrollIntoView({ block: 'start' });
}

/** Shows a node whatever the filter was, and moves the focus to it. */
export function showNode(nodes: Nodes, path: NodePath): void {
  chooseNode(path);
  const steps = stepsTo(nodes, path);
  filterNodes({ text: '', onlyUnsupported: false });
  openGraphs(
    steps.slice(1).map(({ graph }) => graph),
    true,
  );
  for (const { graph, index } of steps) {
    if (index >= (currentUnfolded().limits.get(graph) ?? firstRows)) limitNodes(graph, Math.max(step, index + 1));
  }
  document.getElementById(`node-${path}`)?.focus();
}

/** Chooses the match after the chosen one, or before it; the first match if none is chosen. */
function chooseMatch(matches: readonly NodePath[], step: number): void {
  const at = matches.indexOf(chosenPath() ?? '');
  const next = matches[at < 0 ? 0 : (at + step + matches.length) % matches.length];
  if (next !== undefined) chooseNode(next);
}

function listOf({ language }: State, nodes: Nodes): List {
  const filter = currentFilter();
  const problem = currentProblem();
  return {
    ...{ t: modelsTexts[language], problem, failed: nodeOf(problem), chosen: chosenPath() },
    ...{ isFiltered: isFiltered(filter), findings: findNodes(nodes, filter), unfolded: currentUnfolded() },
  };
}

/** The field that finds nodes, with how many it has found and the way from one to the next. */
export function nodeFinder(state: State, { nodes }: ModelReport): TemplateResult {
  const list = listOf(state, nodes);
  const { t, findings } = list;
  const filter = currentFilter();
  const found = findings.graphs.get(nodes)?.matches ?? 0;
  const all = tallyOf(nodes).nodes;
  const matches = matchesOf(nodes, filter);
  const at = matches.indexOf(chosenPath() ?? '');
  const isChecked = filter.onlyUnsupported;
  const find = (event: Event): void => {
    filterNodes({ text: (event.target as HTMLInputElement).value });
    const [first] = matchesOf(nodes, currentFilter());
    if (first !== undefined) chooseNode(first);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    chooseMatch(matches, event.shiftKey ? -1 : 1);
  };
  return html`
    <div class="nodes-filter">
      <div class="field">
        <label for="nodes-text">${t.filter}</label>
        <input id="nodes-text" type="search" autocomplete="off" spellcheck="false" placeholder=${t.filterHint}
          .value=${live(filter.text)} @input=${find} @keydown=${press}>
      </div>
      ${
        matches.length === 0
          ? nothing
          : html`<div class="nodes-steps">
              <button class="button quiet" type="button" aria-label=${t.previousMatch} @click=${() => chooseMatch(matches, -1)}>‹</button>
              <span class="muted">${t.match(at + 1, matches.length)}</span>
              <button class="button quiet" type="button" aria-label=${t.nextMatch} @click=${() => chooseMatch(matches, 1)}>›</button>
            </div>`
      }
      <label class="nodes-check">
        <input type="checkbox" .checked=${live(isChecked)} @change=${() => filterNodes({ onlyUnsupported: !isChecked })}>
        ${t.onlyUnsupported}
      </label>
      <p class="muted" role="status">${found === 0 && all > 0 ? t.noneMatch : t.shown(countShown(nodes, list), found, all)}</p>
    </div>`;
}

export function nodeList(state: State, { nodes }: ModelReport): TemplateResult {
  const list = listOf(state, nodes);
  const { t, findings, unfolded, problem, chosen } = list;
  const isEmpty = findings.graphs.get(nodes)?.matches === 0;
  return html`${guard(
    [findings, unfolded, problem, t, chosen],
    () => html`
      <div class="nodes-head muted" aria-hidden="true">
        <span>${t.number}</span><span>${t.operator}</span><span>${t.inputs}</span><span>${t.outputs}</span>
      </div>
      <div @mouseover=${light} @mouseleave=${light} @keydown=${walk}>${isEmpty ? nothing : graphRows(nodes, '', list, 0)}</div>`,
  )}`;
}
