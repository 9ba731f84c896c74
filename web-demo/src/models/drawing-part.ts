// The drawing of the graph that is looked at, with the way to it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { type Chosen, choose, chooseNode, currentChoice, currentDrawing, drawGraph } from './choice.js';
import './graph-view.js';
import type { GraphActions, ModelGraphGiven, Place } from './graph-view.js';
import { graphAt, graphPath, graphsOf, holderOf, type NodePath, nodeAt, stepsTo } from './graphs.js';
import { currentFilter } from './list-state.js';
import { chooseValue } from './looked.js';
import { isFiltered, matchesOf } from './node-filter.js';
import { operatorName } from './operator-name.js';
import { heatOf, shownRows } from './profile.js';
import type { ModelReport } from './protocol.js';
import { openReport } from './session.js';
import { isWide, toggleWide } from './wide.js';

/** Leaves the graph for the one around it, where the node that has it is chosen. */
function leaveGraph(): void {
  const { place } = currentChoice();
  if (place !== '') chooseNode(holderOf(place).path);
}

/** Chooses a node, and moves the drawing to it, which comes into view where it is not beside the list. */
export function showDrawnNode(path: NodePath): void {
  chooseNode(path);
  const canvas = document.querySelector<HTMLElement>('model-graph canvas');
  const { top = 0, bottom = 0 } = canvas?.getBoundingClientRect() ?? {};
  if (bottom < innerHeight / 3 || top > (2 * innerHeight) / 3) canvas?.scrollIntoView({ block: 'center' });
}

/** Always the same, so that the drawing need not be made again. */
const actions: GraphActions = {
  choose: (place) => {
    const chosen = chosenAt(currentChoice().place, place);
    if (chosen === undefined || chosen.kind === 'node') choose(chosen);
    else chooseValue(chosen);
  },
  open: (number) => {
    const { place } = currentChoice();
    const report = openReport();
    const node = report && nodeAt(report.nodes, `${place}${number}`);
    if (node !== undefined && graphsOf(node).length > 0) drawGraph(`${place}${number}.0.`);
  },
  leave: leaveGraph,
  widen: toggleWide,
};

function chosenAt(graph: string, place: Place): Chosen | undefined {
  if (place === undefined) return undefined;
  if (typeof place === 'number') return { kind: 'node', path: `${graph}${place}` };
  return { kind: place.as, place: graph, name: place.name };
}

/** The place of the choice in the graph that is drawn. */
function placeIn(graph: string, chosen: Chosen | undefined): Place {
  if (chosen === undefined) return undefined;
  if (chosen.kind !== 'node') return chosen.place === graph ? { as: chosen.kind, name: chosen.name } : undefined;
  return graphPath(chosen.path) === graph ? Number(chosen.path.slice(graph.length)) : undefined;
}

let lastFound: { readonly report: ModelReport; readonly key: string; readonly found: ReadonlySet<number> } | undefined;

/** The numbers of the nodes that the filter has found in the graph that is drawn. */
function foundIn(report: ModelReport, graph: string): ReadonlySet<number> | undefined {
  const filter = currentFilter();
  if (!isFiltered(filter)) return undefined;
  const key = `${graph} ${filter.onlyUnsupported} ${filter.text}`;
  if (lastFound?.report !== report || lastFound.key !== key) {
    const paths = matchesOf(report.nodes, filter).filter((path) => graphPath(path) === graph);
    lastFound = { report, key, found: new Set(paths.map((path) => Number(path.slice(graph.length)))) };
  }
  return lastFound.found;
}

let lastHeat: { readonly of: object; readonly graph: string; readonly heat: ReadonlyMap<number, number> } | undefined;

/** The times of the nodes in the graph that is drawn. */
function heatIn(report: ModelReport, graph: string): ReadonlyMap<number, number> | undefined {
  const all = heatOf(report);
  if (all === undefined) return undefined;
  if (lastHeat?.of !== all || lastHeat.graph !== graph) {
    const own = [...all].filter(([path]) => graphPath(path) === graph);
    lastHeat = { of: all, graph, heat: new Map(own.map(([path, part]) => [Number(path.slice(graph.length)), part])) };
  }
  return lastHeat.heat;
}

const shapes = new WeakMap<object, ReadonlyMap<string, string>>();

/** The shapes of values in the run that was measured: known of the model's own graph. */
function shapesIn(graph: string): ReadonlyMap<string, string> | undefined {
  const rows = shownRows();
  if (graph !== '' || rows === undefined) return undefined;
  const made =
    shapes.get(rows) ??
    new Map(
      Object.entries(rows.dims).flatMap(([name, dims]) => (dims.length === 0 ? [] : [[name, dims.join('×')] as const])),
    );
  shapes.set(rows, made);
  return made;
}

/** The graphs around the one that is drawn, as a way back. */
function wayPart({ language }: State, report: ModelReport, place: string): TemplateResult | typeof nothing {
  if (place === '') return nothing;
  const t = modelsTexts[language];
  const steps = stepsTo(report.nodes, `${place}0`).slice(0, -1);
  const numbers = place.split('.');
  const links = steps.map(({ graph, index, attribute }, i) => {
    const node = graph[index];
    const isLast = i === steps.length - 1;
    const to = `${numbers.slice(0, 2 * i + 2).join('.')}.`;
    const text = `${node === undefined ? '' : visible(node.name || operatorName(node))} › ${visible(attribute ?? '')}`;
    return html`<li>${isLast ? html`<span aria-current="true">${text}</span>` : html`<button class="models-way" type="button" @click=${() => drawGraph(to)}>${text}</button>`}</li>`;
  });
  return html`<nav aria-label=${t.way}>
    <ol class="models-ways" role="list">
      <li><button class="models-way" type="button" @click=${() => drawGraph('')}>${t.wholeModel}</button></li>
      ${links}
    </ol>
  </nav>`;
}

/** The drawing that was shown last. */
let last: { readonly report: ModelReport; readonly given: ModelGraphGiven } | undefined;

export function drawingPart(state: State, report: ModelReport): TemplateResult {
  const { language, theme } = state;
  const t = modelsTexts[language];
  const { place, chosen, leads } = currentChoice();
  const drawing = currentDrawing();
  // One template, so that the element stays, and with it the focus.
  const graph = (given: ModelGraphGiven, isBusy: boolean): TemplateResult =>
    html`${wayPart(state, report, place)} <model-graph aria-busy=${isBusy} .given=${given}></model-graph>`;
  if (drawing.status === 'drawing' && last?.report === report) return graph(last.given, true);
  if (drawing.status !== 'drawn') {
    const isWaiting = drawing.status === 'drawing';
    return html`${wayPart(state, report, place)}
      <p class=${isWaiting ? 'models-waiting muted' : 'muted'} role="status">${t.drawings[drawing.status]}</p>`;
  }
  const { picture, collapsed, constants } = drawing;
  const given: ModelGraphGiven = {
    ...{ picture, collapsed, constants, language, theme, leads, actions },
    nodes: graphAt(report.nodes, place)?.length ?? 0,
    isWide: isWide(),
    chosen: placeIn(place, chosen),
    found: foundIn(report, place),
    heat: heatIn(report, place),
    shapes: shapesIn(place),
  };
  last = { report, given };
  return graph(given, false);
}
