// <compare-graph>: the graphs of two models side by side, with the same places for what both have.
import { html, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { type DrawingGiven, GraphDrawing } from '../drawing/graph-drawing.js';
import { type Fate, fateOf, nodesAt, type Side, sides } from '../drawing/picture.js';
import { drawingTexts } from '../texts/drawing.js';
import { modelsTexts } from '../texts/models.js';
import { define } from '../views/local-element.js';

export interface CompareGiven extends DrawingGiven {
  /** The names of both models. */
  readonly names: { readonly [S in Side]: string };
  /** The numbers of the chosen node in the graphs of both. */
  readonly chosen: { readonly [S in Side]: number | undefined } | undefined;
  readonly leads: number;
  /** Always the same function. */
  readonly choose: (numbers: { readonly [S in Side]: number | undefined } | undefined) => void;
}

const fates: readonly Fate[] = ['stays', 'changed', 'goes', 'comes'];

class CompareGraph extends GraphDrawing<CompareGiven> {
  protected readonly idPrefix = 'compare';
  protected override readonly hasGroups = false; // colours tell of differences

  protected override receive(given: CompareGiven, before: CompareGiven | undefined): void {
    super.receive(given, before);
    if (given.leads !== before?.leads && given.chosen !== undefined) this.#show(given.chosen);
  }

  #spotOf(numbers: NonNullable<CompareGiven['chosen']>): number {
    return this.picture.spots.findIndex((spot) =>
      sides.some((side) => numbers[side] !== undefined && spot[side]?.look?.number === numbers[side]),
    );
  }

  #show(numbers: NonNullable<CompareGiven['chosen']>): void {
    if (this.#spotOf(numbers) < 0 && this.isCollapsed) this.collapse(false);
    const spot = this.#spotOf(numbers);
    this.mark(spot < 0 ? undefined : spot);
    if (spot >= 0) this.reveal(spot);
  }

  protected override picked(spot: number | undefined): void {
    const picked = spot === undefined ? undefined : this.picture.spots[spot];
    const { choose } = this.given as CompareGiven;
    choose(picked && { before: picked.before?.look?.number, after: picked.after?.look?.number });
    this.mark(spot);
  }

  protected template(): TemplateResult {
    const { language, names } = this.given as CompareGiven;
    const t = modelsTexts[language];
    const present = new Set(this.picture.spots.map(fateOf));
    const legend = html`<ul class="drawing-legend" role="list">
      ${fates
        .filter((fate) => present.has(fate))
        .map(
          (fate) =>
            html`<li><span class="drawing-swatch drawing-${fate}" aria-hidden="true"></span>${t.fates[fate]}</li>`,
        )}
    </ul>`;
    const pane = (side: Side): TemplateResult => {
      const count = this.picture.spots.reduce((sum, spot) => sum + nodesAt(spot, side), 0);
      const name = visible(names[side]);
      return html`<figure>
        <figcaption>${side === 'before' ? 'A' : 'B'}: ${name}</figcaption>
        ${this.canvas(side, side, t.comparedDrawing(name, count))}
      </figure>`;
    };
    return html`${this.tools(legend)}
      <div class="drawing-panes">${sides.map(pane)}</div>
      <details class="models-hint">
        <summary>${t.drawingHelp}</summary>
        <p class="muted">${drawingTexts[language].hint}</p>
      </details>`;
  }
}

define('compare-graph', CompareGraph);
