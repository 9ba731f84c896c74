// Sliders for the axes before the last two: together they choose the plane that is shown.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ViewerTexts } from '../texts/viewer.js';

/** One slider for every outer axis that has more than one index. */
export function axisSliders(
  t: ViewerTexts,
  dims: readonly number[],
  outer: readonly number[],
  turn: (axis: number, index: number) => void,
): TemplateResult | typeof nothing {
  const axes = outer.map((_, axis) => axis).filter((axis) => (dims[axis] as number) > 1);
  if (axes.length === 0) return nothing;
  const slider = (axis: number): TemplateResult => html`<label class="sliders-axis">
      <span>${t.axis(axis)}</span>
      <input
        type="range"
        min="0"
        max=${(dims[axis] as number) - 1}
        step="1"
        .value=${String(outer[axis])}
        aria-valuetext=${t.indexOf(outer[axis] as number, dims[axis] as number)}
        @input=${(event: Event) => turn(axis, Number((event.target as HTMLInputElement).value))}
      />
      <output class="mono">${t.indexOf(outer[axis] as number, dims[axis] as number)}</output>
    </label>`;
  return html`<div class="sliders">${axes.map(slider)}</div>`;
}
