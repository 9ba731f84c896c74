// The broadcast of a call, drawn: the dims of what is read above the dims of the output, axis under axis, with what became
// of each. All of it follows from layouts.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { sourcesOf } from './links.js';
import { type Axis, axesOf, isAligned, type Source } from './mapping.js';
import './broadcast.css';

const glyphs = { kept: '↓', stretched: '↔', added: '+' } as const;

interface Row {
  /** What the row is called, where the tensor has no name. */
  readonly label?: string;
  readonly name?: string;
  readonly dims: readonly number[];
}

/** The rows above the output: the input that it reads; all of them when it reads none. */
function rowsAbove(t: ViewerTexts, call: CallReport, source: Source): Row[] {
  if (source.kind === 'element') return [{ label: t.oneElement, dims: [] }];
  const inputs = source.kind === 'input' ? [call.inputs[source.input]] : call.inputs;
  return inputs.flatMap((input) => (input ? [{ name: input.name, dims: input.dims }] : []));
}

function reason(t: ViewerTexts, { axis, dim, from, how }: Axis): string | undefined {
  if (how === 'kept') return undefined;
  return how === 'added' ? t.axisAdded(axis, dim) : t.axisStretched(axis, from, dim);
}

function dimsRow(
  t: ViewerTexts,
  { label, name, dims }: Row,
  rank: number,
  axes: readonly Axis[] | undefined,
): TemplateResult {
  const lead = rank - dims.length;
  const cell = (_: unknown, axis: number): TemplateResult => {
    const dim = dims[axis - lead];
    if (dim === undefined) return html`<td class="broadcast-none"><span class="visually-hidden">${t.none}</span></td>`;
    return html`<td class=${`broadcast-dim broadcast-${axes?.[axis]?.how ?? 'kept'}`}><span>${dim}</span></td>`;
  };
  return html`<tr>
    <th scope="row">${label ?? html`<code>${name}</code>`}</th>
    ${Array.from({ length: rank }, cell)}
  </tr>`;
}

function changesRow(t: ViewerTexts, axes: readonly Axis[]): TemplateResult {
  return html`<tr class="broadcast-changes">
    <th scope="row"><span class="visually-hidden">${t.change}</span></th>
    ${axes.map(({ how }) => html`<td class=${`broadcast-${how}`}><span aria-hidden="true">${glyphs[how]}</span> ${t[how]}</td>`)}
  </tr>`;
}

function drawing(t: ViewerTexts, call: CallReport, output: TensorReport, source: Source): TemplateResult {
  const above = rowsAbove(t, call, source);
  const read = source.kind === 'input' ? above[0]?.dims : undefined;
  const isDrawn = source.kind === 'element' || (read !== undefined && isAligned(output, read));
  const axes = isDrawn || source.kind === 'own' ? axesOf(output, read) : [];
  const reasons = axes.map((axis) => reason(t, axis)).filter((text) => text !== undefined);
  const rank = Math.max(output.dims.length, ...above.map(({ dims }) => dims.length));
  if (rank === 0) return html`<p class="muted">${t.scalar}</p>`;
  const below = { name: output.name, dims: output.dims };
  const note = reasons.length > 0 ? undefined : source.kind === 'own' ? t.ownElements : t.nothingStretched;
  return html`
    <div class="scroll-x" tabindex="0" role="region" aria-label=${t.broadcast}>
      <table class="broadcast-axes">
        <thead>
          <tr>
            <td></td>
            ${Array.from({ length: rank }, (_, axis) => html`<th scope="col">${t.axis(axis)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${above.map((row) => dimsRow(t, row, rank, undefined))}
          ${isDrawn ? changesRow(t, axes) : nothing}
          ${dimsRow(t, below, rank, isDrawn ? axes : undefined)}
        </tbody>
      </table>
    </div>
    ${note ? html`<p class="muted">${note}</p>` : html`<ul class="broadcast-reasons">${reasons.map((text) => html`<li>${text}</li>`)}</ul>`}
  `;
}

/** How an output of a call came to its dims. */
export function broadcastView(language: Language, call: CallReport, index: number): TemplateResult {
  const t = viewerTexts[language];
  const [output, source] = [call.outputs[index] as TensorReport, sourcesOf(call)[index] as Source];
  return html`<section class="card broadcast">
    <h3>${t.broadcast}</h3>
    ${drawing(t, call, output, source)}
  </section>`;
}
