// <benchmark-chart>: a plot of one pattern that follows its width, the theme and its rows. Its host names it as an
// image; the table beside it has the numbers.
import type uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { drawPlot, type Inks, type PlotTexts, rowText } from './plot.js';
import type { Row } from './results.js';

export interface ChartContent {
  readonly rows: readonly Row[];
  readonly texts: PlotTexts & { readonly names: { readonly [name: string]: string } };
  /** The theme that was chosen: a change of it is a reason to draw again. */
  readonly theme: string;
  readonly isLogarithmic: boolean;
}

const darkness = matchMedia('(prefers-color-scheme: dark)');

class BenchmarkChart extends HTMLElement {
  readonly #plotted = document.createElement('div');
  /** The point under the pointer. */
  readonly #readout = document.createElement('p');
  readonly #widthObserver = new ResizeObserver(() => this.#drawSoon());
  #content: ChartContent | undefined;
  #plot: uPlot | undefined;
  #frame = 0;

  set content(content: ChartContent) {
    const last = this.#content;
    this.#content = content;
    const names = Object.keys(content) as (keyof ChartContent)[];
    if (names.some((name) => content[name] !== last?.[name])) this.#drawSoon();
  }

  connectedCallback(): void {
    this.#readout.className = 'benchmark-readout';
    this.replaceChildren(this.#plotted, this.#readout);
    this.#widthObserver.observe(this); // reports the first width, too
    darkness.addEventListener('change', this.#drawSoon);
  }

  disconnectedCallback(): void {
    this.#widthObserver.disconnect();
    darkness.removeEventListener('change', this.#drawSoon);
    cancelAnimationFrame(this.#frame);
    this.#plot?.destroy();
  }

  /** In the next frame, when all changes of this one are in the document. */
  readonly #drawSoon = (): void => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#draw());
  };

  #draw(): void {
    if (this.#content === undefined || this.clientWidth === 0) return;
    const { rows, texts, isLogarithmic } = this.#content;
    this.#plot?.destroy();
    this.#plot = drawPlot(this.#plotted, rows, texts, this.#inks(), isLogarithmic, (row) => {
      this.#readout.textContent = row === undefined ? '' : rowText(row, texts.names);
    });
  }

  /** Custom properties hold `light-dark()` as it is written; only a property of an element has the colour. */
  #inks(): Inks {
    const probe = this.#readout;
    const colour = (property: string): string => {
      Object.assign(probe.style, { color: `var(${property})`, forcedColorAdjust: 'none' });
      const { color } = getComputedStyle(probe);
      Object.assign(probe.style, { color: '', forcedColorAdjust: '' });
      return color;
    };
    const { fontFamily } = getComputedStyle(this);
    return { ink: colour('--ink-2'), line: colour('--line'), fontFamily, colour };
  }
}

customElements.define('benchmark-chart', BenchmarkChart);
