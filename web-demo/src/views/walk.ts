// <element-walk>: goes from element to element of an output, by itself or step by step.
import { html, render } from 'lit-html';
import type { TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { viewerTexts } from '../texts/viewer.js';
import type { Pointed } from './grid-plane.js';
import { define, LocalElement } from './local-element.js';
import { isStill } from './still.js';
import './walk.css';

export interface WalkGiven {
  readonly report: TensorReport;
  readonly language: Language;
}

/** Milliseconds of each element. */
const pace = 500;

class ElementWalk extends LocalElement<WalkGiven> {
  #at = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  readonly #hidden = (): void => {
    if (document.hidden) this.#stop();
  };

  connectedCallback(): void {
    document.addEventListener('visibilitychange', this.#hidden);
  }

  disconnectedCallback(): void {
    document.removeEventListener('visibilitychange', this.#hidden);
    clearInterval(this.#timer);
  }

  protected receive({ report }: WalkGiven): void {
    this.#at = Math.min(this.#at, Math.max(0, report.size - 1));
    this.#stop();
  }

  get #last(): number {
    return ((this.given as WalkGiven).report.size || 1) - 1;
  }

  /** Says which element is described: whoever points at another one ends the walk. */
  follow({ report, position }: Pointed): void {
    const isNext = report === this.given?.report && position === this.#at;
    if (isNext) return;
    if (report === this.given?.report) this.#at = position;
    this.#stop();
  }

  #stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#update();
  }

  #go(position: number): void {
    const { report } = this.given as WalkGiven;
    const { elements } = report;
    this.#at = Math.min(Math.max(position, 0), this.#last);
    if (elements === undefined) return;
    const detail: Pointed = { report, position: this.#at, elements };
    this.dispatchEvent(new CustomEvent('pointed', { bubbles: true, detail }));
  }

  #step(by: number): void {
    this.#go(this.#at + by);
    this.#stop();
  }

  #play(): void {
    if (this.#timer !== undefined) {
      this.#stop();
      return;
    }
    this.#go(this.#at >= this.#last ? 0 : this.#at + 1);
    if (isStill() || this.#at >= this.#last) {
      this.#stop(); // a step for each press
      return;
    }
    this.#timer = setInterval(() => {
      this.#go(this.#at + 1);
      if (this.#at >= this.#last) this.#stop();
      else this.#update();
    }, pace);
    this.#update();
  }

  #update(): void {
    const { report, language } = this.given as WalkGiven;
    const t = viewerTexts[language].walk;
    const isPlaying = this.#timer !== undefined;
    const button = (name: string, sign: string, act: () => void, isUseless: boolean, what: string) =>
      html`<button
        type="button"
        class="button quiet"
        data-walk=${what}
        aria-label=${name}
        title=${name}
        aria-disabled=${isUseless}
        @click=${() => isUseless || act()}
      >
        <span aria-hidden="true">${sign}</span>
      </button>`;
    render(
      html`<div class="walk" role="group" aria-label=${t.label(report.name)}>
        ${button(t.previous, '‹', () => this.#step(-1), this.#at === 0, 'previous')}
        <button type="button" class="button quiet walk-play" data-walk="play" @click=${() => this.#play()}>
          <span aria-hidden="true">${isPlaying ? '❚❚' : '▶'}</span> ${isPlaying ? t.pause : t.play}
        </button>
        ${button(t.next, '›', () => this.#step(1), this.#at >= this.#last, 'next')}
        <span class="walk-place mono">${t.place(this.#at + 1, report.size)}</span>
      </div>`,
      this,
    );
  }
}

define('element-walk', ElementWalk);

export type { ElementWalk };
