// Two models side by side: both graphs, and a list of what differs.
import type { ValueInfo } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ValuesDiff } from '../../../shared/model-diff/models.js';
import type { WeightLook } from '../../../shared/model-diff/weights.js';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { showNumber } from '../views/units.js';
import { type Comparison, chooseRow, currentComparison, endComparison } from './compare.js';
import './compare.css';
import './compare-view.js';
import type { CompareGiven } from './compare-view.js';
import type { DifferenceRow } from './differences.js';
import { reasonPart } from './refused-part.js';
import { typeText } from './type-info.js';
import type { Texts } from './values-part.js';

type Compared = Extract<Comparison, { status: 'compared' }>;

/** The most rows and lines of each kind that are shown at once. */
const mostRows = 200;

/** The number of the node in the drawing. A node of an inner graph has the number of the node that has the graph. */
const drawnNumber = (path: string | undefined): number | undefined =>
  path === undefined ? undefined : Number.parseInt(path, 10);

/** Chooses the first difference of a node of the drawing. */
const chooseDrawn: CompareGiven['choose'] = (numbers) => {
  const comparison = currentComparison();
  if (comparison?.status !== 'compared') return;
  const row = comparison.rows.findIndex(
    ({ a, b }) =>
      (a !== undefined && drawnNumber(a) === numbers?.before) || (b !== undefined && drawnNumber(b) === numbers?.after),
  );
  chooseRow(numbers === undefined || row < 0 ? undefined : row);
  document.getElementById(`difference-${row}`)?.scrollIntoView({ block: 'nearest' });
};

const minus = (text: string): TemplateResult =>
  html`<li class="compare-a"><span aria-hidden="true">−</span><span class="visually-hidden">A: </span> ${text}</li>`;
const plus = (text: string): TemplateResult =>
  html`<li class="compare-b"><span aria-hidden="true">+</span><span class="visually-hidden">B: </span> ${text}</li>`;

function rowPart(row: DifferenceRow, index: number, { chosen }: Compared, t: Texts): TemplateResult {
  const { node, parts, weights, kind } = row;
  const name = node.name || ('outputs' in node ? (node.outputs[0] ?? '') : '');
  const lines = parts.flatMap(({ name: part, a, b }) => {
    const label = t.parts[part] ?? part;
    return [minus(visible(`${label}: ${a ?? t.none}`)), plus(visible(`${label}: ${b ?? t.none}`))];
  });
  return html`<li id=${`difference-${index}`} class=${index === chosen ? 'compare-row nodes-chosen' : 'compare-row'}>
    <button class="nodes-choose" type="button" aria-pressed=${index === chosen} @click=${() => chooseRow(index)}>
      ${visible(node.operator)} <span class="mono">${visible(name)}</span>
    </button>
    <span class="chip compare-${kind}">${t.kinds[kind]}</span>
    ${weights.length === 0 ? nothing : html`<span class="muted">${t.otherWeights(weights.map(visible).join(', '))}</span>`}
    ${lines.length === 0 ? nothing : html`<ul class="compare-lines mono" role="list">${lines}</ul>`}
  </li>`;
}

function linesPart(title: string, lines: readonly TemplateResult[], t: Texts): TemplateResult | typeof nothing {
  if (lines.length === 0) return nothing;
  const rest = lines.length - mostRows;
  return html`<h3>${title}</h3>
    <ul class="compare-lines mono" role="list">
      ${lines.slice(0, mostRows)} ${rest > 0 ? html`<li class="muted">${t.moreFiles(rest)}</li>` : nothing}
    </ul>`;
}

function valueLines({ onlyA, onlyB, changed, reordered }: ValuesDiff, t: Texts): TemplateResult[] {
  const text = (value: ValueInfo): string => visible(`${value.name}  ${typeText(value) ?? t.noType}`);
  return [
    ...onlyA.map((value) => minus(text(value))),
    ...onlyB.map((value) => plus(text(value))),
    ...changed.flatMap(({ a, b }) => [minus(text(a)), plus(text(b))]),
    ...(reordered ? [html`<li>${t.reordered}</li>`] : []),
  ];
}

function weightLines({ answer }: Compared, t: Texts): TemplateResult[] {
  const { onlyA, onlyB, changed, unread } = answer.diff.weights;
  const text = ({ name, graph, type, dims }: WeightLook): string =>
    visible(`${name}  ${type} [${dims.join(', ')}]${graph === '' ? '' : ` · ${graph}`}`);
  return [
    ...changed.flatMap(({ a, b, distance }) =>
      distance === null
        ? [minus(text(a)), plus(text(b))]
        : [
            html`<li>
              ${text(a)}
              <span class="compare-distance">${t.distance(distance.differing, distance.elements, distance.absolute === null ? undefined : showNumber(distance.absolute))}</span>
            </li>`,
          ],
    ),
    ...onlyA.map((one) => minus(text(one))),
    ...onlyB.map((one) => plus(text(one))),
    ...(unread.length === 0 ? [] : [html`<li>${t.unread(unread.length)}</li>`]),
  ];
}

function fileLines({ answer }: Compared, t: Texts): TemplateResult[] {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one));
  const { metadata, warnings } = answer.diff;
  return [
    ...metadata.flatMap(({ key, a, b }) => [minus(visible(`${key}: ${text(a)}`)), plus(visible(`${key}: ${text(b)}`))]),
    ...warnings.onlyA.map((warning) => minus(visible(`${t.warning}: ${warning}`))),
    ...warnings.onlyB.map((warning) => plus(visible(`${t.warning}: ${warning}`))),
  ];
}

function comparedPart(state: State, name: string, compared: Compared): TemplateResult {
  const { language, theme } = state;
  const t = modelsTexts[language];
  const { answer, rows, drawing, chosen, leads } = compared;
  const { nodes, inputs, outputs, operators, weights } = answer.diff;
  const row = chosen === undefined ? undefined : rows[chosen];
  const given: CompareGiven | undefined = drawing && {
    ...{ ...drawing, language, theme, leads, choose: chooseDrawn },
    names: namesOf(name, compared.name),
    chosen: row && chosenOf(row),
  };
  const rest = rows.length - mostRows;
  const operatorLines = operators.map(({ domain, operator, a, b }) => {
    return html`<li>${visible(domain === '' ? operator : `${domain}.${operator}`)}: ${a} → ${b}</li>`;
  });
  const sections = [
    linesPart(t.inputs, valueLines(inputs, t), t),
    linesPart(t.outputs, valueLines(outputs, t), t),
    linesPart(t.operatorCounts, operatorLines, t),
    linesPart(t.weights, weightLines(compared, t), t),
    linesPart(t.fileWords, fileLines(compared, t), t),
  ];
  const isEqual = rows.length === 0 && sections.every((section) => section === nothing);
  const changed = rows.filter(({ kind }) => kind === 'changed').length;
  return html`<p role="status">
      ${isEqual ? t.noDifference : t.differences(nodes.equal + nodes.changed.length - changed, changed, nodes.onlyA.length, nodes.onlyB.length, weights.changed.length)}
    </p>
    ${given === undefined ? html`<p class="muted">${t.drawings.tooMany}</p>` : html`<compare-graph .given=${given}></compare-graph>`}
    <div class="compare-columns">
      <div>
        ${rows.length === 0 ? nothing : html`<h3>${t.nodeList}</h3>`}
        <ol class="compare-rows" role="list">
          ${rows.slice(0, mostRows).map((one, i) => rowPart(one, i, compared, t))}
          ${rest > 0 ? html`<li class="muted">${t.moreFiles(rest)}</li>` : nothing}
        </ol>
      </div>
      <div>${sections}</div>
    </div>`;
}

let lastNames: CompareGiven['names'] = { before: '', after: '' };

/** The names, as one object while they stay equal: a new object is a reason to draw again. */
function namesOf(before: string, after: string): CompareGiven['names'] {
  if (lastNames.before !== before || lastNames.after !== after) lastNames = { before, after };
  return lastNames;
}

const chosenNumbers = new WeakMap<DifferenceRow, NonNullable<CompareGiven['chosen']>>();

function chosenOf(row: DifferenceRow): NonNullable<CompareGiven['chosen']> {
  const numbers = chosenNumbers.get(row) ?? { before: drawnNumber(row.a), after: drawnNumber(row.b) };
  chosenNumbers.set(row, numbers);
  return numbers;
}

/** The comparison with another model, if there is one. */
export function comparePart(state: State, name: string): TemplateResult | typeof nothing {
  const comparison = currentComparison();
  if (comparison === undefined) return nothing;
  const t = modelsTexts[state.language];
  const other = visible(comparison.name);
  const end = (): void => {
    endComparison();
    document.getElementById('compare-file')?.focus();
  };
  const content = (): unknown => {
    if (comparison.status === 'reading') return html`<p class="muted" role="status">${t.comparing(other)}</p>`;
    if (comparison.status === 'compared') return comparedPart(state, name, comparison);
    return html`<div role="alert">${reasonPart(state.language, comparison)}</div>`;
  };
  return html`<section aria-labelledby="models-compare">
    <h2 id="models-compare">${t.comparedWith(other)}</h2>
    <p><button class="button quiet" type="button" id="compare-end" @click=${end}>${t.endComparison}</button></p>
    ${content()}
  </section>`;
}
