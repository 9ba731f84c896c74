// The part of the panel about a value: its type and shape, where it comes from and who reads it, and the way to its elements.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { isConstant } from '../drawing/flat-graph.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { type Chosen, chooseNode } from './choice.js';
import { isTensorInput } from './feeds.js';
import { graphsOf, holderOf, type NodePath, nodeAt } from './graphs.js';
import { attributeKey, chooseValue, lookAtAttribute, valueKey } from './looked.js';
import { operatorName } from './operator-name.js';
import type { ModelReport, ReportNode } from './protocol.js';
import { endsOf, type Origin, originOf, readersOf } from './values-of.js';
import { initializerButton, type Texts, typeLine, valueButton } from './values-part.js';

/** A value by its name and the graph that has it. */
interface PlacedValue {
  readonly place: string;
  readonly name: string;
}

function nodeButton(report: ModelReport, path: NodePath): TemplateResult {
  const node = nodeAt(report.nodes, path) as ReportNode;
  return html`<button class="panel-link" type="button" @click=${() => chooseNode(path)}>
    ${node.name === '' ? operatorName(node) : visible(node.name)}
  </button>`;
}

/** The name of a value, which chooses it. */
export function valueLink(place: string, name: string): TemplateResult {
  return html`<button class="panel-link mono panel-text" type="button"
    @click=${() => chooseValue({ kind: 'value', place, name })}>${visible(name)}</button>`;
}

export function typeOf(origin: Origin | undefined, t: Texts): TemplateResult | typeof nothing {
  if (origin?.kind === 'node') return typeLine(origin.node.outputs[origin.output], t);
  if (origin?.kind === 'initializer') return typeLine({ declared: origin.look }, t);
  return typeLine(origin && { declared: origin.info }, t);
}

/** The attribute of a node that has the graph at a place. */
function attributeOf(report: ModelReport, place: string): string {
  const { path, graph } = holderOf(place);
  const node = nodeAt(report.nodes, path);
  return (node && graphsOf(node)[graph]?.[0]) ?? '';
}

/** An end of the model, or of the graph at a place. */
export function endText(report: ModelReport, place: string, kind: 'input' | 'output', t: Texts): string {
  if (place === '') return kind === 'input' ? t.modelInput : t.modelOutput;
  const attribute = visible(attributeOf(report, place));
  return kind === 'input' ? t.graphInput(attribute) : t.graphOutput(attribute);
}

export function isOutputOf(report: ModelReport, place: string, name: string): boolean {
  return endsOf(report, place).outputs.some((output) => output.name === name);
}

/** Who gives a value. */
export function originPart(
  report: ModelReport,
  place: string,
  origin: Origin | undefined,
  t: Texts,
): TemplateResult | typeof nothing {
  if (origin?.kind === 'node') return html`<span class="muted">${t.madeBy}</span> ${nodeButton(report, origin.path)}`;
  if (origin?.kind === 'input') return html`<span class="chip">${endText(report, place, 'input', t)}</span>`;
  return origin === undefined ? html`<span class="muted">${t.fromAround}</span>` : nothing;
}

/** The most readers that are named. */
const mostReaders = 6;

/** Who reads a value. */
function readerButtons(report: ModelReport, { place, name }: PlacedValue, t: Texts): TemplateResult | typeof nothing {
  const readers = readersOf(report, place, name);
  const rest = readers.length - mostReaders;
  if (readers.length === 0) return nothing;
  return html`${readers.slice(0, mostReaders).map((reader) => nodeButton(report, reader))}
    ${rest > 0 ? html`<span class="muted">${t.moreReaders(rest)}</span>` : nothing}`;
}

export function readersPart(report: ModelReport, value: PlacedValue, t: Texts): TemplateResult | typeof nothing {
  const buttons = readerButtons(report, value, t);
  return buttons === nothing ? nothing : html`<span class="muted">${t.readBy}</span> ${buttons}`;
}

/** The button for the elements of a value, where they can be had. */
export function elementsPart(
  { place, name }: PlacedValue,
  origin: Origin | undefined,
  t: Texts,
): TemplateResult | typeof nothing {
  if (origin?.kind === 'initializer') return initializerButton(t, origin.index, origin.look);
  if (origin?.kind === 'node' && isConstant(origin.node)) {
    const { path, node } = origin;
    const [attribute] = node.attributes;
    if (attribute === undefined) return nothing;
    const { text, hasElements } = attribute;
    return html`<span class="mono panel-text">${visible(text)}</span>
      ${hasElements ? valueButton(t, attributeKey(path, attribute.name), name, () => lookAtAttribute(path, attribute.name)) : nothing}`;
  }
  return place === '' ? valueButton(t, valueKey(name), name, name) : nothing;
}

/** Other values that flow from the same place to one of the same nodes: an edge of the drawing stands for all of them. */
function besidePart(
  report: ModelReport,
  { place, name }: PlacedValue,
  origin: Origin | undefined,
  t: Texts,
): TemplateResult | typeof nothing {
  if (origin?.kind !== 'node') return nothing;
  const readers = new Set(readersOf(report, place, name));
  const others = origin.node.outputs
    .map((output) => output.name)
    .filter(
      (other) => other !== '' && other !== name && readersOf(report, place, other).some((path) => readers.has(path)),
    );
  if (others.length === 0) return nothing;
  return html`<dt>${t.flowsBeside}</dt><dd>${others.map((other) => valueLink(place, other))}</dd>`;
}

/** The reason why there is no button for the elements. */
function withoutElements(report: ModelReport, { place }: PlacedValue, t: Texts): TemplateResult | typeof nothing {
  if (place !== '') {
    const { path } = holderOf(place);
    return html`${t.innerValue(visible(attributeOf(report, place)))} ${nodeButton(report, path)}`;
  }
  const other = report.inputs.find((input) => !isTensorInput(input));
  return other === undefined ? nothing : html`${t.cannotFeed(visible(other.name))}`;
}

export function valuePart(
  { language }: State,
  report: ModelReport,
  { place, name }: Exclude<Chosen, { kind: 'node' }>,
): TemplateResult {
  const t = modelsTexts[language];
  const origin = originOf(report, place, name);
  const value = { place: origin?.place ?? place, name };
  const isOutput = isOutputOf(report, value.place, name);
  const elements = elementsPart(value, origin, t);
  const readers = readerButtons(report, value, t);
  const from = (): unknown => {
    if (origin?.kind === 'node') return nodeButton(report, origin.path);
    return origin?.kind === 'initializer' ? t.initializer : originPart(report, value.place, origin, t);
  };
  return html`<h3 class="panel-title panel-text mono" id="panel-title">${visible(name)}</h3>
    <dl class="panel-rows">
      <dt>${t.type}</dt> <dd>${typeOf(origin, t)}</dd>
      <dt>${t.comesFrom}</dt>
      <dd>${from()}</dd>
      <dt>${t.goesTo}</dt>
      <dd>
        ${readers}
        ${isOutput ? html`<span class="chip">${endText(report, value.place, 'output', t)}</span>` : nothing}
        ${readers === nothing && !isOutput ? html`<span class="muted">${t.noReader}</span>` : nothing}
      </dd>
      ${besidePart(report, value, origin, t)}
    </dl>
    ${
      elements === nothing
        ? html`<p class="muted">${withoutElements(report, value, t)}</p>`
        : html`<p class="panel-buttons">${elements}</p>`
    }`;
}
