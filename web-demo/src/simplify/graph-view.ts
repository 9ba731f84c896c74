// <simplify-graph>: the graph before and after side by side. The drawing stands in a list, too.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { type DrawingGiven, GraphDrawing } from '../drawing/graph-drawing.js';
import { fateOf, nodesAt, type Side, type Spot, sides } from '../drawing/picture.js';
import { drawingTexts } from '../texts/drawing.js';
import { simplifyTexts } from '../texts/simplify.js';
import { define } from '../views/local-element.js';

type Texts = (typeof simplifyTexts)['en'];

const firstRows = 50;
const moreRows = 200;

class SimplifyGraph extends GraphDrawing<DrawingGiven> {
  protected readonly idPrefix = 'simplify';
  #rows = firstRows;
  #isListed = false;

  protected override replaced(): void {
    this.#rows = firstRows;
  }

  protected template(): TemplateResult {
    const { language } = this.given as DrawingGiven;
    const t: Texts = simplifyTexts[language];
    const { constants } = this.picture;
    return html`
      ${this.tools(this.#legend(t))}
      <div class="drawing-panes">${sides.map((side) => this.#pane(side, t))}</div>
      <p class="simplify-chosen" role="status">${this.#chosenText(t)}</p>
      <p class="muted">
        ${drawingTexts[language].hint}
        ${constants.before + constants.after === 0 ? nothing : t.constantsLeftOut(constants.before, constants.after)}
      </p>
      ${this.#list(t)}
    `;
  }

  #legend(t: Texts): TemplateResult {
    const fates = new Set(this.picture.spots.map(fateOf));
    return html`<ul class="drawing-legend" role="list">
      ${[...fates].map((fate) => html`<li><span class="drawing-swatch drawing-${fate}" aria-hidden="true"></span>${t.fates[fate]}</li>`)}
    </ul>`;
  }

  #pane(side: Side, t: Texts): TemplateResult {
    const count = this.picture.spots.reduce((sum, spot) => sum + nodesAt(spot, side), 0);
    return html`<figure>
      <figcaption>${t[side]}</figcaption>
      ${this.canvas(side, side, t.drawing(t[side], count))}
    </figure>`;
  }

  #nodeText(spot: Spot, t: Texts): string {
    const { operator, name } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
    if (spot.repeats !== undefined) return operator;
    return visible(`${operator} ${name === '' ? `(${t.unnamed})` : name}`);
  }

  #chosenText(t: Texts): string | TemplateResult {
    const spot = this.chosen === undefined ? undefined : this.picture.spots[this.chosen];
    if (spot === undefined) return html`<span class="muted">${t.nothingChosen}</span>`;
    const { outputs } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
    const { repeats } = spot;
    const what = repeats ? t.repeats(repeats.times, repeats.nodes) : t.makes(visible(outputs.join(', ')));
    return html`<strong>${this.#nodeText(spot, t)}</strong> ${what}
      <span class="chip">${t.fates[fateOf(spot)]}</span>`;
  }

  #list(t: Texts): TemplateResult {
    const { spots } = this.picture;
    const rest = spots.length - this.#rows;
    const row = (spot: Spot, i: number): TemplateResult => {
      const { operator, name, outputs } = (spot.before ?? spot.after) as NonNullable<Spot['before']>;
      return html`<tr>
        <th scope="row">${operator}</th>
        <td class="mono">${visible(name)}</td>
        <td class="mono">${spot.repeats ? t.repeats(spot.repeats.times, spot.repeats.nodes) : visible(outputs.join(', '))}</td>
        <td>${t.fates[fateOf(spot)]}</td>
        <td>
          <button class="button quiet simplify-show" type="button" aria-label=${t.showNode(this.#nodeText(spot, t))} @click=${() => this.#leadTo(i)}>
            ${t.show}
          </button>
        </td>
      </tr>`;
    };
    const toggle = (): void => {
      this.#isListed = !this.#isListed;
      this.update();
    };
    const list = (): TemplateResult => html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t.list}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t.operator}</th>
              <th scope="col">${t.name}</th>
              <th scope="col">${t.outputNames}</th>
              <th scope="col">${t.fate}</th>
              <th scope="col">${t.show}</th>
            </tr>
          </thead>
          <tbody>
            ${spots.slice(0, this.#rows).map(row)}
          </tbody>
        </table>
      </div>
      ${
        rest <= 0
          ? nothing
          : html`<button class="button quiet" type="button" id="simplify-more" @click=${() => this.#showMore()}>
              ${t.more(Math.min(moreRows, rest))}
            </button>`
      }
    `;
    return html`<div class="simplify-list">
      <button class="button quiet" type="button" id="simplify-list" aria-expanded=${this.#isListed} @click=${toggle}>${t.list}</button>
      ${this.#isListed ? list() : nothing}
    </div>`;
  }

  #leadTo(spot: number): void {
    this.lead(spot);
    this.mark(spot);
  }

  #showMore(): void {
    this.#rows += moreRows;
    this.update();
  }
}

define('simplify-graph', SimplifyGraph);
