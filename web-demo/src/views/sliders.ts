// <plane-choice>: which plane of a tensor is shown, by the axes before the last two. Few axes have a slider each; of many,
// one is chosen, and has the slider.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { define, LocalElement } from './local-element.js';

export interface PlaneGiven {
  readonly language: Language;
  readonly dims: readonly number[];
  /** The index on every axis before the last two. */
  readonly outer: readonly number[];
  readonly turn: (axis: number, index: number) => void;
}

const mostSliders = 4;

function slider(t: ViewerTexts, { dims, outer, turn }: PlaneGiven, axis: number): TemplateResult {
  const text = t.indexOf(outer[axis] as number, dims[axis] as number);
  return html`<label class="sliders-axis">
    <span>${t.axis(axis)}</span>
    <input
      type="range"
      min="0"
      max=${(dims[axis] as number) - 1}
      step="1"
      .value=${live(String(outer[axis]))}
      aria-valuetext=${text}
      @input=${(event: Event) => turn(axis, Number((event.target as HTMLInputElement).value))}
    />
    <output class="mono">${text}</output>
  </label>`;
}

class PlaneChoice extends LocalElement<PlaneGiven> {
  /** The axis that has the slider, if there are too many axes for a slider each. */
  #chosen = -1;

  protected receive({ language, dims, outer }: PlaneGiven): void {
    const t = viewerTexts[language];
    const axes = outer.map((_, axis) => axis).filter((axis) => (dims[axis] as number) > 1);
    const content =
      axes.length > mostSliders ? this.#oneOf(t, axes) : axes.map((axis) => slider(t, this.given as PlaneGiven, axis));
    render(axes.length === 0 ? nothing : html`<div class="sliders">${content}</div>`, this);
  }

  #oneOf(t: ViewerTexts, axes: readonly number[]): TemplateResult {
    const given = this.given as PlaneGiven;
    const chosen = axes.includes(this.#chosen) ? this.#chosen : (axes.at(-1) as number);
    const choose = (event: Event): void => {
      this.#chosen = Number((event.target as HTMLSelectElement).value);
      this.receive(given);
    };
    return html`<label class="sliders-axis">
        <span>${t.axisHeading}</span>
        <select @change=${choose}>
          ${axes.map((axis) => html`<option value=${axis} .selected=${live(axis === chosen)}>${t.axis(axis)}</option>`)}
        </select>
      </label>
      ${slider(t, given, chosen)}
      <p class="sliders-plane">${t.plane} <span class="mono">[${given.outer.join(', ')}, :, :]</span></p>`;
  }
}

define('plane-choice', PlaneChoice);
