// The drawings of reasons: sizes under each other, elements as tiles, numbers on a ruler.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { WhyTexts } from '../texts/why.js';
import { productOf } from './call-parts.js';
import type { AxesReason, FactorsReason, RulerReason, SizesRow, TypesReason } from './reason.js';

/** The sizes of each row, aligned at the end that the reason names. */
export function axesDrawing(t: WhyTexts, { rows, aligned }: AxesReason): TemplateResult {
  const width = Math.max(0, ...rows.map(({ dims }) => dims.length));
  const line = ({ label, dims, lit }: SizesRow): TemplateResult => {
    const lead = aligned === 'end' ? width - dims.length : 0;
    const cells = Array.from({ length: width }, (_, i) => dims[i - lead]);
    return html`<tr>
      <th scope="row">${typeof label === 'string' ? html`<code>${visible(label)}</code>` : label(t)}</th>
      ${cells.map((size, i) =>
        size === undefined
          ? html`<td></td>`
          : html`<td class="why-size" ?data-clash=${lit.includes(i - lead)}>${size}</td>`,
      )}
    </tr>`;
  };
  return html`<table class="why-axes"><tbody>${rows.map(line)}</tbody></table>`;
}

/** More elements than these are not drawn. */
const mostTiles = 64;
const mostColumns = 16;

/** Elements in rows as the sizes want them: those that are too many, and places that stay empty, stand out. */
function tiles(count: number, wanted: number, columns: number): TemplateResult | typeof nothing {
  const total = Math.max(count, wanted);
  if (total > mostTiles || columns < 1 || columns > mostColumns) return nothing;
  const whole = count < wanted ? Math.floor(count / columns) * columns : wanted;
  const kindOf = (i: number): string => (i >= count ? 'gap' : i >= whole ? 'over' : 'fits');
  const rows = Math.ceil(total / columns);
  return html`<svg class="why-tiles" viewBox=${`0 0 ${columns} ${rows}`} width=${columns * 18} height=${rows * 18} aria-hidden="true">
    ${Array.from(
      { length: total },
      (_, i) =>
        svg`<rect class=${`why-${kindOf(i)}`} x=${(i % columns) + 0.1} y=${Math.floor(i / columns) + 0.1} width="0.8" height="0.8" rx="0.12" />`,
    )}
  </svg>`;
}

/** The sizes as factors, their product, and the elements. */
export function factorsDrawing(t: WhyTexts, { count, factors }: FactorsReason): TemplateResult {
  const isOpen = factors.includes(-1);
  const product = productOf(factors.filter((size) => size !== -1));
  const wanted = isOpen ? Math.ceil(count / Math.max(1, product)) * product : product;
  const columns = isOpen ? product : (factors.at(-1) ?? 1);
  return html`<p class="why-factors">
      ${factors.map(
        (size, i) =>
          html`${i > 0 ? html`<span>×</span>` : nothing}<span class="why-size" ?data-clash=${size === -1}>${size === -1 ? t.open : size}</span>`,
      )}
      ${factors.length === 0 ? html`<span class="why-size">1</span>` : nothing}
      <span>${isOpen ? '=' : '≠'}</span><span class="why-size" ?data-clash=${!isOpen}>${t.elements(count)}</span>
    </p>
    ${tiles(count, wanted, columns)}`;
}

/** The most numbers that have a tick each. */
const mostTicks = 40;

/** The numbers that are allowed, and the one that is outside. */
export function rulerDrawing(t: WhyTexts, { from, to, at, isOpen }: RulerReason): TemplateResult {
  const [first, last] = [Math.min(from, at), Math.max(to, at)];
  const margin = Math.max(1, (last - first) / 12); // numbers at the ends are whole
  const [least, greatest] = [first - margin, last + margin];
  const place = (value: number): string => `${((100 * (value - least)) / (greatest - least)).toFixed(2)}%`;
  const count = Math.max(0, to - from + 1);
  const ticks = count > mostTicks ? [from, to] : Array.from({ length: count }, (_, i) => from + i);
  const isNear = (value: number): boolean => Math.abs(value - at) * 14 < greatest - least;
  const labels = count <= 12 ? ticks : [from, 0, to].filter((value, i, all) => all.indexOf(value) === i);
  return html`<svg class="why-ruler" role="img" aria-label=${t.outside(at)}>
    ${svg`<line class="why-range" x1=${place(from)} x2=${isOpen ? '100%' : place(Math.max(from, to))} y1="50%" y2="50%" />`}
    ${ticks.map((value) => svg`<line class="why-tick" x1=${place(value)} x2=${place(value)} y1="40%" y2="60%" />`)}
    ${labels.filter((value) => !isNear(value)).map((value) => svg`<text x=${place(value)} y="92%">${value}</text>`)}
    ${svg`<circle class="why-at" cx=${place(at)} cy="50%" r="6" /><text class="why-at" x=${place(at)} y="25%">${at}</text>`}
  </svg>`;
}

/** The type that is given, and those that are allowed. */
export function typesDrawing(_: WhyTexts, { given, allowed }: TypesReason): TemplateResult {
  return html`<p class="why-types">
    <span class="why-size" data-clash>${given}</span><span>→</span>
    ${allowed.map((type) => html`<span class="why-size">${type}</span>`)}
  </p>`;
}
