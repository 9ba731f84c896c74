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
import { readsOneElement, sourcesOf } from './links.js';
import { hasBroadcast } from './mapping.js';
import './picture.js';
import './statistics.js';
import { showBytes, showCount, showDims } from './units.js';
import './viewer.css';
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

function showChosen({ currentTarget, detail }: CustomEvent<Pointed>): void {
  (currentTarget as Element).querySelector<ChosenElement>('chosen-element')?.show(detail);
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

/** Everything under the result of a call; in brief, without what it costs. */
export function outcomeView(state: State, report: CallReport, isBrief = false): TemplateResult {
  const { language } = state;
  const t = viewerTexts[language];
  const sources = sourcesOf(report);
  const inputs = report.inputs.filter((input) => input !== null);
  const tensor = (one: TensorReport, isOutput: boolean): TemplateResult => html`<div>
    ${heading(language, one)} ${elementsView(language, one, isOutput, report.operator)}
    ${isOutput && one.elements && one.size > 0 && hasBroadcast(one) ? html`<p class="muted viewer-note">${t.repeatsNote}</p>` : nothing}
  </div>`;
  return html`<div class="viewer" @pointed=${showChosen}>
    <div class="viewer-pair">
      <section class="viewer-outputs" aria-label=${t.outputs}>${report.outputs.map((output) => tensor(output, true))}</section>
      ${
        inputs.length > 0 || sources.some(({ kind }) => kind === 'element')
          ? html`<section class="viewer-inputs" aria-label=${t.inputs}>
              ${inputs.map((input) => tensor(input, false))} ${oneElementView(language, report)}
            </section>`
          : nothing
      }
    </div>
    ${pictureOf(state, report)}
    ${chosenView(language, report.outputs[0], report)}
    ${report.outputs.map(
      (output, index) => html`<div class="viewer-facts">
        ${shapesView(language, report, index)} ${isBrief ? nothing : layoutView(language, output)}
      </div>`,
    )}
    ${isBrief ? nothing : timeView(language, report, state.times)}
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
