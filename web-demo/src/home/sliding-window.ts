// <sliding-window>: a filter that slides over a picture of numbers, with the sum for the place where it lies. It goes on by itself
// until somebody stops it, points at it or moves it by arrow keys. The module has computed the result.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import type { Problem } from '../drafts.js';
import { ask, unanswered } from '../runtime/client.js';
import { type HomeTexts, homeTexts } from '../texts/home.js';
import type { Language } from '../texts/texts.js';
import { problemText } from '../views/field.js';
import { define, LocalElement } from '../views/local-element.js';
import { convolution, places, termsAt } from './convolution.js';
import './sliding-window.css';
import { drawing, placeAt, placeWindow, type Spot } from './window-drawing.js';

/** Milliseconds from place to place, and of the way between. */
const [stay, way] = [700, 300];

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** The elements that the module has computed; known for later visits of the page. */
let result: readonly string[] | undefined;

const spotOf = (place: number): Spot => ({ row: Math.floor(place / places), column: place % places });

class SlidingWindow extends LocalElement<{ readonly language: Language }> {
  /** The place where the window lies: the left edge of the letter. */
  #place = 3 * places;
  #isPlaying = !stillness.matches;
  /** Whether somebody looks at a place: by the pointer, or by keys. */
  #isPointed = false;
  #isFocused = false;
  /** Where the window is drawn, on its way to its place. */
  #spot: Spot = spotOf(this.#place);
  #problem: Problem | undefined;
  #clock: ReturnType<typeof setInterval> | undefined;
  #frame = 0;
  readonly #stillness = (): void => this.#play(!stillness.matches);

  connectedCallback(): void {
    stillness.addEventListener('change', this.#stillness);
    this.#clock = setInterval(() => this.#next(), stay);
    if (result === undefined) void this.#compute();
  }

  disconnectedCallback(): void {
    stillness.removeEventListener('change', this.#stillness);
    clearInterval(this.#clock);
    cancelAnimationFrame(this.#frame);
  }

  protected receive(): void {
    this.#update();
  }

  async #compute(): Promise<void> {
    const answer = await ask((worker) => worker.call(convolution)).catch(unanswered);
    if (answer.ok) result = answer.outputs[0]?.elements?.text;
    else this.#problem = answer.problem;
    performance.mark('first-result');
    this.#update();
  }

  #play(isPlaying: boolean): void {
    this.#isPlaying = isPlaying;
    this.#update();
  }

  #next(): void {
    if (!this.#isPlaying || this.#isPointed || this.#isFocused || result === undefined || document.hidden) return;
    this.#go((this.#place + 1) % places ** 2);
  }

  /** Brings the window to another place, by its number. */
  #go(place: number): void {
    this.#place = place;
    this.#update();
    const [from, to] = [this.#spot, spotOf(place)];
    cancelAnimationFrame(this.#frame);
    // A new line begins at once, as reading does.
    if (stillness.matches || from.row !== to.row) {
      this.#draw(to);
      return;
    }
    const start = performance.now();
    const move = (now: number): void => {
      const share = Math.min(Math.max((now - start) / way, 0), 1);
      const eased = share * share * (3 - 2 * share);
      this.#draw({ row: to.row, column: from.column + (to.column - from.column) * eased });
      if (share < 1) this.#frame = requestAnimationFrame(move);
    };
    this.#frame = requestAnimationFrame(move);
  }

  #draw(spot: Spot): void {
    this.#spot = spot;
    placeWindow(this, spot);
  }

  #moved(event: KeyboardEvent): void {
    const { row, column } = spotOf(this.#place);
    const steps: { readonly [key: string]: readonly [row: number, column: number] } = {
      ...{ ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1] },
      ...{ ArrowUp: [row - 1, column], ArrowDown: [row + 1, column] },
      ...{ Home: [row, 0], End: [row, places - 1] },
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const [toRow, toColumn] = to.map((at) => Math.min(Math.max(at, 0), places - 1)) as [number, number];
    this.#go(toRow * places + toColumn);
  }

  #pointed(event: PointerEvent): void {
    this.#isPointed = true;
    const spot = placeAt(event);
    if (spot === undefined) return;
    const place = spot.row * places + spot.column;
    if (place !== this.#place) this.#go(place);
  }

  #update(): void {
    if (this.given === undefined) return;
    const { language } = this.given;
    const t = homeTexts[language].example;
    const sum = result?.[this.#place];
    const { row, column } = spotOf(this.#place);
    render(
      html`<div class="window-names" aria-hidden="true"><span>${t.input}</span><span>${t.filter}</span><span>${t.output}</span></div>
        <div
          class="window-picture"
          role="slider"
          tabindex="0"
          aria-label=${t.label}
          aria-valuemin="1"
          aria-valuemax=${places ** 2}
          aria-valuenow=${this.#place + 1}
          aria-valuetext=${t.place(row + 1, column + 1, sum ?? '…')}
          @keydown=${(event: KeyboardEvent) => this.#moved(event)}
          @pointermove=${(event: PointerEvent) => this.#pointed(event)}
          @pointerdown=${(event: PointerEvent) => this.#pointed(event)}
          @pointerleave=${() => {
            this.#isPointed = false;
          }}
          @focus=${() => {
            this.#isFocused = true;
          }}
          @blur=${() => {
            this.#isFocused = false;
          }}
        >
          ${drawing(result, this.#place)}
        </div>
        ${sumLine(this.#place, sum)}
        ${this.#problem === undefined ? nothing : html`<p class="problem" role="alert">${problemText(this.#problem)}</p>`}
        ${this.#controls(t)}`,
      this,
    );
    placeWindow(this, this.#spot);
  }

  #controls(t: HomeTexts['example']): TemplateResult {
    return html`<p class="slide-controls">
      <button class="button quiet" id="play" type="button" @click=${() => this.#play(!this.#isPlaying)}>
        ${this.#isPlaying ? t.pause : t.play}
      </button>
      <a href="#/operators/Conv">${t.learn}</a>
    </p>`;
  }
}

/** A negative number as people write it behind an operator. */
const written = (value: number): string => (value < 0 ? `(−${-value})` : String(value));

/** The sum for a place, as the filter lies: three products a row. Its size is the same for all sums. */
function sumLine(place: number, sum: string | undefined): TemplateResult {
  const rows = termsAt(place);
  return html`<div class="window-sum mono" aria-hidden="true">
    <div class="window-terms">
      ${rows.map((row, i) =>
        row.map(
          ({ value, factor }, j) =>
            html`<span class=${value * factor === 0 ? 'muted' : ''}>${i + j === 0 ? '' : '+ '}${value} × ${written(factor)}</span>`,
        ),
      )}
    </div>
    <output class="window-result">= <b>${sum?.replace('-', '−') ?? '…'}</b></output>
  </div>`;
}

define('sliding-window', SlidingWindow);
