// A drawing of a call's broadcast: the dims of the inputs above the dims of the output, axis under axis, with the change of each
// axis. All of it follows from layouts.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { sourcesOf } from './links.js';
import { type Axis, axesOf, hasBroadcast, isAligned, type Source } from './mapping.js';
import './broadcast.css';

const glyphs = { kept: '↓', stretched: '↔', added: '+' } as const;

interface Row {
  /** The title of the row: a tensor's name, or words. */
  readonly label: TemplateResult | string;
  readonly dims: readonly number[];
}

function tensorRow({ name, dims }: TensorReport): Row {
  return { label: html`<code>${visible(name)}</code>`, dims };
}

function reason(t: ViewerTexts, { axis, dim, from, how }: Axis): string | undefined {
  if (how === 'kept') return undefined;
  return how === 'added' ? t.axisAdded(axis, dim) : t.axisStretched(axis, from, dim);
}

/** A row of dims under the axes from `lead` on. */
function dimsRow(
  t: ViewerTexts,
  { label, dims }: Row,
  rank: number,
  lead: number,
  axes?: readonly Axis[],
): TemplateResult {
  const cell = (_: unknown, axis: number): TemplateResult => {
    const dim = dims[axis - lead];
    if (dim === undefined) return html`<td class="broadcast-none"><span class="visually-hidden">${t.none}</span></td>`;
    return html`<td class=${`broadcast-dim broadcast-${axes?.[axis]?.how ?? 'kept'}`}>${dim}</td>`;
  };
  return html`<tr>
    <th scope="row">${label}</th>
    ${Array.from({ length: rank }, cell)}
  </tr>`;
}

function changesRow(t: ViewerTexts, axes: readonly Axis[]): TemplateResult {
  const cell = ({ how }: Axis): TemplateResult => html`<td class=${`broadcast-${how}`}>
    <span aria-hidden="true">${glyphs[how]}</span> <span class="broadcast-word">${t[how]}</span>
  </td>`;
  return html`<tr class="broadcast-changes">
    <th scope="row"><span class="visually-hidden">${t.change}</span></th>
    ${axes.map(cell)}
  </tr>`;
}

function table(t: ViewerTexts, head: unknown, rows: unknown): TemplateResult {
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t.dimsOfBroadcast}>
    <table class="broadcast-axes">
      ${head}
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

const firstReasons = 6;

/** The first ones; the others when somebody asks for them. */
function reasonList(t: ViewerTexts, reasons: readonly string[]): TemplateResult {
  const list = (texts: readonly string[]): TemplateResult =>
    html`<ul class="broadcast-reasons">${texts.map((text) => html`<li>${text}</li>`)}</ul>`;
  const more = reasons.slice(firstReasons);
  if (more.length === 0) return list(reasons);
  return html`${list(reasons.slice(0, firstReasons))}
    <details><summary>${t.moreAxes(more.length)}</summary>${list(more)}</details>`;
}

/** Axes under the axes that they come from, and why those that changed did. */
function axesView(t: ViewerTexts, output: TensorReport, above: Row | undefined, axes: readonly Axis[]): TemplateResult {
  const rank = axes.length;
  if (rank === 0) return html`<p class="muted">${t.scalar}</p>`;
  const head = html`<thead>
    <tr>
      <td></td>
      ${axes.map(({ axis }) => html`<th scope="col">${t.axis(axis)}</th>`)}
    </tr>
  </thead>`;
  const rows = html`${above ? dimsRow(t, above, rank, rank - above.dims.length) : nothing} ${changesRow(t, axes)}
  ${dimsRow(t, tensorRow(output), rank, 0, axes)}`;
  const reasons = axes.map((axis) => reason(t, axis)).filter((text) => text !== undefined);
  return html`${table(t, head, rows)}
  ${reasons.length > 0 ? reasonList(t, reasons) : html`<p class="muted">${t.nothingStretched}</p>`}`;
}

/** Dims that have nothing to do with each other axis by axis. */
function rowsView(t: ViewerTexts, call: CallReport, output: TensorReport, note: string): TemplateResult {
  const rows = [...call.inputs.filter((input) => input !== null), output].map(tensorRow);
  const rank = Math.max(1, ...rows.map(({ dims }) => dims.length));
  return html`<div class="broadcast-apart">${table(
    t,
    nothing,
    rows.map((row) => dimsRow(t, row, rank, 0)),
  )}</div>
    <p class="muted">${note}</p>`;
}

function drawing(t: ViewerTexts, call: CallReport, output: TensorReport, source: Source): TemplateResult {
  if (source.kind === 'element') return axesView(t, output, { label: t.oneElement, dims: [] }, axesOf(output));
  if (source.kind === 'own') {
    if (hasBroadcast(output)) return axesView(t, output, undefined, axesOf(output));
    return rowsView(t, call, output, t.ownElements);
  }
  const input = call.inputs[source.input] as TensorReport;
  if (!isAligned(output, input.dims)) return rowsView(t, call, output, t.viewOf(input.name));
  return axesView(t, output, tensorRow(input), axesOf(output, input.dims));
}

/** Whether the dims of an output are the dims of its source, with axes stretched or added. */
export function isBroadcastOf(call: CallReport, index: number): boolean {
  const [output, source] = [call.outputs[index] as TensorReport, sourcesOf(call)[index] as Source];
  // An output with elements of its own has a layout that does not show whether inputs were broadcast.
  if (source.kind !== 'input') return source.kind === 'element' || hasBroadcast(output);
  return isAligned(output, (call.inputs[source.input] as TensorReport).dims);
}

/** How an output of a call came to its dims. */
export function broadcastView(language: Language, call: CallReport, index: number): TemplateResult {
  const t = viewerTexts[language];
  const [output, source] = [call.outputs[index] as TensorReport, sourcesOf(call)[index] as Source];
  return html`<section class="card broadcast">
    <h3>${isBroadcastOf(call, index) ? t.broadcast : t.shapes}</h3>
    ${drawing(t, call, output, source)}
  </section>`;
}
