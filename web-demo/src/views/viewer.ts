// "See it": what lies under the result of a call. Inputs and outputs side by side, linked element by element; the element
// that is pointed at with its bits; the broadcast; the layout and what it costs.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { typeRow } from '../facts.js';
import { pictureOf } from '../pictures/index.js';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { State } from '../state.js';
import { gridNames } from '../texts/grids.js';
import type { Language } from '../texts/texts.js';
import { viewerTexts } from '../texts/viewer.js';
import { clipped } from '../values/visible.js';
import { axesCard } from './axes.js';
import type { ChosenElement } from './bits.js';
import './bits.js';
import { breakable } from './breakable.js';
import { broadcastView, isBroadcastOf } from './broadcast.js';
import type { Pointed } from './grid-plane.js';
import './grid.js';
import { layoutView, timeView } from './layout.js';
import { lineLayer } from './lines.js';
import { readsOneElement, sourcesOf } from './links.js';
import { hasBroadcast } from './mapping.js';
import './picture.js';
import './statistics.js';
import { showBytes, showCount, showDims } from './units.js';
import './viewer.css';
import type { ElementWalk } from './walk.js';
import './walk.js';
import './window.js';

/** Name, type, dims and size of a tensor, above its elements. */
function heading(language: Language, { name, type, dims, size }: TensorReport): TemplateResult {
  const t = viewerTexts[language];
  return html`<h3 class="viewer-heading">
    <code>${breakable(visible(name))}</code>
    <span class="chip mono">${type} ${showDims(dims)}</span>
    <span class="viewer-size">${t.elementCount(showCount(size), size === 1)}</span>
  </h3>`;
}

/** The elements of a tensor: all of them when they are few, else pictures and a window. */
function elementsView(
  language: Language,
  report: TensorReport,
  isMain: boolean,
  operator: string | undefined,
): TemplateResult {
  const t = viewerTexts[language];
  if (!report.written) return html`<p class="viewer-unwritten">${t.notWritten(showBytes(report.bytesWritten))}</p>`;
  const label = t.gridLabel(report.name, report.type, report.dims);
  const names = gridNames(language, operator, report.name);
  if (report.elements) return html`<tensor-grid .given=${{ report, language, label, names }}></tensor-grid>`;
  const { kind } = typeRow(report.type);
  const isPictured = kind !== 'string' && kind !== 'complex';
  return html`${isPictured ? html`<tensor-picture .given=${{ report, language, isCompact: !isMain }}></tensor-picture>` : nothing}
    ${isMain || !isPictured ? html`<tensor-window .given=${{ report, language }}></tensor-window>` : nothing}`;
}

function chosenView(language: Language, report: TensorReport | undefined, call: CallReport | undefined) {
  if (report === undefined || report.size === 0 || !report.written) return nothing;
  const t = viewerTexts[language];
  return html`<div class="card viewer-chosen">
    <p class="muted viewer-hint">${call ? t.hint : t.hintAlone}</p>
    <chosen-element .given=${{ report, language, call }}></chosen-element>
  </div>`;
}

/** Describes the element that somebody points at, or that a walk has come to. */
export function showChosen({ currentTarget, detail }: CustomEvent<Pointed>): void {
  const viewer = currentTarget as Element;
  viewer.querySelector<ChosenElement>('chosen-element')?.show(detail);
  for (const walk of viewer.querySelectorAll<ElementWalk>('element-walk')) walk.follow(detail);
}

/** The one element that an output without a source among the inputs repeats. */
function oneElementView(language: Language, call: CallReport): TemplateResult | typeof nothing {
  const output = call.outputs.find((candidate) => readsOneElement(call, candidate));
  const text = output?.elements?.text[0];
  if (text === undefined) return nothing;
  return html`<div>
    <h3 class="viewer-heading">${viewerTexts[language].theOneElement}</h3>
    <p class="viewer-one mono" data-one-element>${clipped(text, 1000)}</p>
  </div>`;
}

/** How an output came to its dims: the broadcast, or what became of the axes. */
function shapesView(language: Language, report: CallReport, index: number): TemplateResult | typeof nothing {
  const card = isBroadcastOf(report, index) ? nothing : axesCard(language, report, index);
  return card === nothing ? broadcastView(language, report, index) : card;
}

/** A tensor of a call: its heading above its elements. */
function tensorOf(language: Language, { operator }: CallReport, one: TensorReport, isOutput: boolean): TemplateResult {
  const repeats = isOutput && one.elements && one.size > 0 && hasBroadcast(one);
  return html`<div>
    ${heading(language, one)} ${elementsView(language, one, isOutput, operator)}
    ${repeats ? html`<p class="muted viewer-note">${viewerTexts[language].repeatsNote}</p>` : nothing}
  </div>`;
}

/** The inputs of a call; nothing for one without elements that are read. */
export function inputsView(language: Language, report: CallReport): TemplateResult | typeof nothing {
  const inputs = report.inputs.filter((input) => input !== null);
  if (inputs.length === 0 && !sourcesOf(report).some(({ kind }) => kind === 'element')) return nothing;
  return html`<section class="viewer-inputs" aria-label=${viewerTexts[language].inputs}>
    ${inputs.map((input) => tensorOf(language, report, input, false))} ${oneElementView(language, report)}
  </section>`;
}

/** The outputs of a call: below the first one `picture`, or else a walk through its elements where they are few. */
export function outputsView(
  language: Language,
  report: CallReport,
  picture: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const [first] = report.outputs;
  const walks = picture === nothing && first?.elements && first.size > 1;
  return html`<section class="viewer-outputs" aria-label=${viewerTexts[language].outputs}>
    ${report.outputs.map(
      (output) => html`<div>
        ${tensorOf(language, report, output, true)}
        ${output === first && walks ? html`<element-walk .given=${{ report: output, language }}></element-walk>` : nothing}
        ${output === first ? picture : nothing}
      </div>`,
    )}
  </section>`;
}

/** The element that is described. */
export function chosenCard(language: Language, report: CallReport): TemplateResult | typeof nothing {
  return chosenView(language, report.outputs[0], report);
}

/** How the outputs came to their dims, with strides and bytes; folded, all but the first of it is behind "Details". */
export function factsView(language: Language, report: CallReport, areFolded: boolean): TemplateResult[] {
  return report.outputs.map((output, index) => {
    const layout = layoutView(language, output);
    const shapes = shapesView(language, report, index);
    if (!areFolded) return html`<div class="viewer-facts">${shapes} ${layout}</div>`;
    const isFirst = index === 0;
    return html`<div class="viewer-facts">
      ${isFirst ? shapes : nothing}
      <details class="viewer-layout">
        <summary>${viewerTexts[language].layoutOf(output.name)}</summary>
        ${isFirst ? nothing : shapes} ${layout}
      </details>
    </div>`;
  });
}

/** Everything under the result of a call. */
export function outcomeView(state: State, report: CallReport): TemplateResult {
  const { language } = state;
  return html`<div class="viewer" @pointed=${showChosen}>
    ${lineLayer}
    <div class="viewer-pair">${outputsView(language, report)} ${inputsView(language, report)}</div>
    ${pictureOf(state, report)} ${chosenCard(language, report)} ${factsView(language, report, false)}
    ${timeView(language, report, state.times)}
  </div>`;
}

/** Whether a tensor has numbers, so that there is something to count. */
function hasStatistics({ type, size, elements }: TensorReport): boolean {
  const { kind } = typeRow(type);
  return elements !== undefined && size > 1 && kind !== 'string' && kind !== 'complex';
}

/** One tensor by itself, such as an output of a model, with what a page says of it above its elements. */
export function tensorView(
  state: State,
  report: TensorReport,
  above: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { language } = state;
  return html`<div class="viewer" @pointed=${showChosen}>
    <div>${heading(language, report)} ${above} ${elementsView(language, report, true, undefined)}</div>
    ${hasStatistics(report) ? html`<tensor-statistics .given=${{ report, language }}></tensor-statistics>` : nothing}
    ${chosenView(language, report, undefined)} ${layoutView(language, report)}
  </div>`;
}
