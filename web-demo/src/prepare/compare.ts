// <picture-compare>: two pictures over each other, with a slider between them; and how far they lie apart.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { type PrepareTexts, prepareTexts } from '../texts/prepare.js';
import { define, LocalElement } from '../views/local-element.js';
import { drawPixels } from './pictures.js';
import type { ImageReport, Pixels } from './protocol.js';
import './compare.css';

interface CompareGiven {
  readonly left: Pixels;
  readonly right: Pixels;
  readonly t: PrepareTexts;
}

/** Where the slider begins, in percent from the left. */
const middle = 50;

class PictureCompare extends LocalElement<CompareGiven> {
  #part = middle;

  protected receive({ left, right }: CompareGiven, before: CompareGiven | undefined): void {
    this.#update();
    const [below, above] = this.querySelectorAll('canvas');
    if (below === undefined || above === undefined) return;
    if (right !== before?.right) drawPixels(below, right);
    if (left !== before?.left) drawPixels(above, left);
  }

  #update(): void {
    const { t, left } = this.given as CompareGiven;
    const { width, height } = left;
    const move = (event: Event): void => {
      this.#part = (event.target as HTMLInputElement).valueAsNumber;
      this.#update();
    };
    render(
      html`<div class="compare-stage">
          <canvas role="img" aria-label=${t.pictureLabel(t.right, width, height)}></canvas>
          <canvas class="compare-above" role="img" aria-label=${t.pictureLabel(t.left, width, height)}></canvas>
        </div>
        <div class="compare-names" aria-hidden="true"><span>${t.left}</span><span>${t.right}</span></div>
        <label class="visually-hidden" for="prepare-slider">${t.slider}</label>
        <input
          id="prepare-slider"
          type="range"
          min="0"
          max="100"
          .value=${String(this.#part)}
          aria-valuetext=${t.parts(this.#part)}
          @input=${move}
        />`,
      this,
    );
    this.querySelector<HTMLElement>('.compare-stage')?.style.setProperty('--part', `${this.#part}%`);
  }
}

define('picture-compare', PictureCompare);

/** Both pictures, and the difference in levels. */
export function comparePart({ language }: State, { prepared, canvas }: ImageReport): TemplateResult {
  const t = prepareTexts[language];
  const head = html`<h2 id="prepare-compare">${t.compare}</h2>
    <p class="muted">${t.compareNote}</p>`;
  if (canvas === undefined)
    return html`<section aria-labelledby="prepare-compare">${head}<p>${t.noCanvas}</p></section>`;
  const { mean, greatest, differ, differMore, picture } = canvas.difference;
  const line = (name: string, value: string, id: string | undefined = undefined): TemplateResult => html`<div>
    <dt>${name}</dt>
    <dd class="mono" id=${id ?? nothing}>${value}</dd>
  </div>`;
  return html`<section aria-labelledby="prepare-compare">
    ${head}
    <div class="compare">
      <picture-compare .given=${{ left: prepared, right: canvas.picture, t }}></picture-compare>
      <figure class="prepare-step compare-difference">
        <figcaption><h3>${t.difference}</h3></figcaption>
        <pixel-picture .given=${{ pixels: picture, label: t.differenceLabel }}></pixel-picture>
        <dl class="compare-numbers">
          ${line(t.mean, t.levels(mean), 'prepare-mean')} ${line(t.greatest, t.levels(greatest), 'prepare-greatest')}
          ${line(t.differ, t.part(differ))} ${line(t.differMore, t.part(differMore))}
        </dl>
        <p class="muted">${t.differenceLabel}</p>
      </figure>
    </div>
  </section>`;
}
