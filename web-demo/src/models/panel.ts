// The panel beside the drawing: all about the node that is chosen, or about the model, and the elements of one value.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible, visibleLines } from '../../../shared/visible.js';
import { foreignOf, indexOf } from '../facts.js';
import { parameterName } from '../inputs.js';
import { hashOf } from '../router.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { wordsOf } from '../words.js';
import { choose, currentChoice, drawGraph } from './choice.js';
import { versionKey } from './describe.js';
import { graphPath, graphsOf, nodeAt, tallyOf } from './graphs.js';
import { attributeKey, lookAtAttribute } from './looked.js';
import { lookedPart } from './looked-part.js';
import { modelFacts } from './model-facts.js';
import { operatorName } from './operator-name.js';
import type { ModelReport, ReportNode, Versions } from './protocol.js';
import {
  elementsPart,
  endText,
  isOutputOf,
  originPart,
  readersPart,
  typeOf,
  valueLink,
  valuePart,
} from './value-part.js';
import { originOf } from './values-of.js';
import { type Texts, typeLine, valueButton } from './values-part.js';

type Rows = Versions[string] | undefined;

function wordsPart(
  { language }: State,
  { operator, domain, version }: ReportNode,
  t: Texts,
): TemplateResult | typeof nothing {
  const isOwn = domain === '' || domain === 'ai.onnx';
  const isKnown = indexOf(operator) !== undefined;
  if (!isOwn || !(isKnown || foreignOf(operator))) return nothing;
  const words = wordsOf(operator, language);
  const summary = words === undefined || words instanceof Error ? '' : words.summary;
  const to = version !== null && indexOf(operator)?.versions.includes(version) ? version : undefined;
  const href = hashOf(isKnown ? { page: 'operator', operator, to } : { page: 'foreign', operator });
  return html`<p class="panel-words">${summary} <a href=${href}>${t.aboutOperator(operator)}</a></p>`;
}

function attributesPart(
  path: string,
  { attributes }: ReportNode,
  rows: Rows,
  t: Texts,
): TemplateResult | typeof nothing {
  const defaults = (rows?.attributes ?? []).filter(
    (row) => row.default !== undefined && !attributes.some(({ name }) => name === row.name),
  );
  if (attributes.length + defaults.length === 0) return nothing;
  return html`<h4>${t.attributes}</h4>
    <dl class="panel-rows">
      ${attributes.map(
        ({ name, text, hasElements }) => html`<dt class="mono">${visible(name)}</dt>
          <dd>
            <span class="mono panel-text">${visible(text)}</span>
            ${hasElements ? valueButton(t, attributeKey(path, name), name, () => lookAtAttribute(path, name)) : nothing}
          </dd>`,
      )}
      ${defaults.map(
        (row) => html`<dt class="mono muted">${row.name}</dt>
          <dd class="muted"><span class="mono">${String(row.default)}</span> ${t.byDefault}</dd>`,
      )}
    </dl>`;
}

function inputRow(
  report: ModelReport,
  path: string,
  node: ReportNode,
  index: number,
  rows: Rows,
  t: Texts,
): TemplateResult {
  const name = node.inputs[index] ?? '';
  const label = rows === undefined ? String(index) : parameterName(rows.inputs, index);
  if (name === '') return html`<dt class="mono muted">${label}</dt><dd class="muted">${t.leftOut}</dd>`;
  const place = graphPath(path);
  const origin = originOf(report, place, name);
  const home = origin?.place ?? place;
  return html`<dt class="mono">${label}</dt>
    <dd>
      ${valueLink(home, name)} ${typeOf(origin, t)} ${originPart(report, home, origin, t)}
      ${elementsPart({ place: home, name }, origin, t)}
    </dd>`;
}

function outputRow(
  report: ModelReport,
  path: string,
  node: ReportNode,
  index: number,
  rows: Rows,
  t: Texts,
): TemplateResult {
  const output = node.outputs[index];
  const label = rows === undefined ? String(index) : parameterName(rows.outputs, index);
  if (output === undefined || output.name === '')
    return html`<dt class="mono muted">${label}</dt><dd class="muted">${t.unused}</dd>`;
  const place = graphPath(path);
  const { name } = output;
  return html`<dt class="mono">${label}</dt>
    <dd>
      ${valueLink(place, name)} ${typeLine(output, t)} ${readersPart(report, { place, name }, t)}
      ${isOutputOf(report, place, name) ? html`<span class="chip">${endText(report, place, 'output', t)}</span>` : nothing}
      ${elementsPart({ place, name }, originOf(report, place, name), t)}
    </dd>`;
}

function graphsPart(path: string, node: ReportNode, t: Texts): TemplateResult | typeof nothing {
  const graphs = graphsOf(node);
  if (graphs.length === 0) return nothing;
  return html`<h4>${t.innerGraphs}</h4>
    <p class="panel-buttons">
      ${graphs.map(
        (
          [attribute, graph],
          i,
        ) => html`<button class="button quiet" type="button" @click=${() => drawGraph(`${path}.${i}.`)}>
          ${t.openGraph(visible(attribute), t.nodes(tallyOf(graph)))}
        </button>`,
      )}
    </p>`;
}

function nodePart(state: State, report: ModelReport, path: string, node: ReportNode): TemplateResult {
  const t = modelsTexts[state.language];
  const rows = node.domain === '' ? report.versions[versionKey(node)] : undefined;
  const { name, version, unsupported, docString, inputs, outputs } = node;
  return html`<h3 class="panel-title" id="panel-title">${operatorName(node)}
      ${version === null ? nothing : html`<span class="chip">${t.version(version)}</span>`}
    </h3>
    ${name === '' ? nothing : html`<p class="mono panel-name">${visible(name)}</p>`}
    ${unsupported === null ? nothing : html`<p class="nodes-reason">${t.unsupported}: <span lang="en">${visible(unsupported)}</span></p>`}
    ${wordsPart(state, node, t)}
    ${docString === undefined ? nothing : html`<h4>${t.docString}</h4><p class="panel-doc">${visibleLines(docString)}</p>`}
    ${graphsPart(path, node, t)} ${attributesPart(path, node, rows, t)}
    <h4>${t.inputs}</h4>
    ${inputs.length === 0 ? html`<p class="muted">${t.none}</p>` : nothing}
    <dl class="panel-rows">${inputs.map((_, i) => inputRow(report, path, node, i, rows, t))}</dl>
    <h4>${t.outputs}</h4>
    <dl class="panel-rows">${outputs.map((_, i) => outputRow(report, path, node, i, rows, t))}</dl>`;
}

export function panel(state: State, report: ModelReport): TemplateResult {
  const t = modelsTexts[state.language];
  const { chosen } = currentChoice();
  const node = chosen?.kind === 'node' ? nodeAt(report.nodes, chosen.path) : undefined;
  const content = (): TemplateResult => {
    if (chosen?.kind === 'node' && node !== undefined) return nodePart(state, report, chosen.path, node);
    if (chosen !== undefined && chosen.kind !== 'node') return valuePart(state, report, chosen);
    return modelFacts(state, report);
  };
  return html`<aside class="panel card" id="models-panel" aria-labelledby="panel-title" tabindex="0">
    ${chosen === undefined ? nothing : html`<button class="panel-close" type="button" aria-label=${t.unchoose} @click=${() => choose(undefined)}>✕</button>`}
    ${content()} ${lookedPart(state)}
  </aside>`;
}
