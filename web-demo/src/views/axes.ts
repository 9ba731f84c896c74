// The axes of the inputs of a call, and what becomes of each in an output.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import './axes.css';
import { type AxisRelation, axisRelations } from './axis-relations.js';

/** In a few words: where the axis goes, how many of its elements are combined, or how many are read. */
function wordsFor(t: ViewerTexts, { dim, to, together, read }: AxisRelation): string {
  if (together > 1 && to.length === 0) return together === dim ? t.axisMeets(dim) : t.axisMeetsPartly(together, dim);
  if (to.length > 0) {
    const where = t.axisGoes(to);
    if (together > 1) return `${where}, ${t.axisTogether(together)}`;
    return read < dim ? `${where}, ${t.axisRead(read, dim)}` : where;
  }
  return dim === 1 ? t.axisOne : t.axisRead(read, dim);
}

const kindOf = ({ to, together }: AxisRelation): string => (to.length > 0 ? 'kept' : together > 1 ? 'met' : 'other');

function row(t: ViewerTexts, { name }: TensorReport, relations: readonly AxisRelation[]): TemplateResult {
  return html`<div class="axes-row">
    <code>${visible(name)}</code>
    <ul>
      ${relations.map(
        (one) => html`<li data-kind=${kindOf(one)}>
          <span class="axes-name">${t.axis(one.axis)}</span> <b>${one.dim}</b>
          <span class="axes-words">${wordsFor(t, one)}</span>
        </li>`,
      )}
    </ul>
  </div>`;
}

/** Nothing where no input has axes that elements are read along. */
export function axesCard(language: Language, call: CallReport, index: number): TemplateResult | typeof nothing {
  const t = viewerTexts[language];
  const output = call.outputs[index] as TensorReport;
  const sources = call.trace?.[index] ?? [];
  const rows = call.inputs.flatMap((input, i) => {
    const relations = input && input.dims.length > 0 ? axisRelations(sources, i, input, output) : undefined;
    return input && relations ? [row(t, input, relations)] : [];
  });
  if (rows.length === 0) return nothing;
  return html`<section class="card axes">
    <h3>${t.axes}</h3>
    ${rows}
    <div class="axes-row axes-output">
      <code>${visible(output.name)}</code>
      <ul>
        ${output.dims.map((dim, axis) => html`<li data-kind="output"><span class="axes-name">${t.axis(axis)}</span> <b>${dim}</b></li>`)}
        ${output.dims.length === 0 ? html`<li data-kind="output">${t.scalarShort}</li>` : nothing}
      </ul>
    </div>
  </section>`;
}
