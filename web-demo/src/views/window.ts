// <tensor-window>: the elements of a large tensor, 64 at a time.
import { html, render } from 'lit-html';
import { ask, latest } from '../runtime/client.js';
import type { Elements, TensorReport } from '../runtime/protocol.js';
import { viewerTexts } from '../texts/viewer.js';
import type { TensorGrid } from './grid.js';
import { windowColumns, windowRows } from './grid-plane.js';
import { define, LocalElement } from './local-element.js';
import type { PictureGiven } from './picture.js';
import './window.css';

const count = windowRows * windowColumns;

interface Question {
  readonly report: TensorReport;
  readonly start: number;
}

class TensorWindow extends LocalElement<PictureGiven> {
  #start = 0;
  #elements: Elements = { start: 0, text: [], bits: undefined };
  readonly #ask = latest(
    ({ report, start }: Question) => ask((worker) => worker.window(report.key, start, count)).catch(() => undefined),
    (elements, { report, start }: Question) => {
      if (elements === undefined || report !== this.given?.report || start !== this.#start) return;
      this.#elements = elements;
      this.#update();
      this.querySelector<TensorGrid>('tensor-grid')?.point(0);
    },
  );

  protected receive({ report }: PictureGiven, before: PictureGiven | undefined): void {
    if (report === before?.report) this.#update();
    else this.#go(Math.min(this.#start, this.#last));
  }

  /** Where the last window starts. */
  get #last(): number {
    return Math.floor(((this.given as PictureGiven).report.size - 1) / count) * count;
  }

  #go(start: number): void {
    const { report } = this.given as PictureGiven;
    this.#start = Math.min(Math.max(0, Math.floor(start) || 0), report.size - 1);
    this.#ask({ report, start: this.#start });
    this.#update();
  }

  #update(): void {
    const { report, language } = this.given as PictureGiven;
    const t = viewerTexts[language];
    const start = this.#start;
    const button = (name: string, to: number, isUseless: boolean) =>
      html`<button type="button" class="button quiet" ?disabled=${isUseless} @click=${() => this.#go(to)}>${name}</button>`;
    const jump = (event: Event): void => this.#go(Number((event.target as HTMLInputElement).value));
    render(
      html`<div class="window-controls">
          ${button(t.first, 0, start === 0)} ${button(t.previous, start - count, start === 0)}
          ${button(t.next, start + count, start + count >= report.size)}
          ${button(t.last, this.#last, start + count >= report.size)}
          <label class="window-from">
            <span>${t.windowFrom}</span>
            <input type="number" min="0" max=${report.size - 1} step="1" .value=${String(start)} @change=${jump} />
          </label>
        </div>
        <tensor-grid
          class="window-grid"
          .given=${{ report, language, label: t.windowLabel(report.name, start), window: this.#elements }}
        ></tensor-grid>`,
      this,
    );
  }
}

define('tensor-window', TensorWindow);
