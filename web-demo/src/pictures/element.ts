// <operator-picture>: the frame of a picture. It walks through the stops by keys and by its button, follows what is pointed
// at in the grids, and tells them what is pointed at in the picture.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CallDraft } from '../drafts.js';
import { ask } from '../runtime/client.js';
import type { CallReport } from '../runtime/protocol.js';
import { pictureTexts } from '../texts/pictures.js';
import type { Language } from '../texts/texts.js';
import type { Pointed } from '../views/grid-plane.js';
import { define, LocalElement } from '../views/local-element.js';
import { isStill } from '../views/still.js';
import type { Compute } from './compute.js';
import './pictures.css';
import type { Choice, Drawing, Moment, Place, Plan } from './plan.js';
import { CallAttributes, countTo } from './values.js';

export interface PictureGiven {
  readonly language: Language;
  readonly call: CallReport;
  readonly draft: CallDraft;
  readonly drawing: Drawing;
}

/** Between two stops, and for a whole journey, in milliseconds. */
const pause = 700;
const journey = 1400;

const compute: Compute = async (draft) => {
  const answer = await ask((worker) => worker.compute(draft)).catch(() => undefined);
  return answer?.ok ? answer.outputs : undefined;
};

function planOf({ call, draft, drawing, language }: PictureGiven): ReturnType<Drawing> {
  const found = prepared.get(call);
  if (found?.language === language) return found.plan;
  return drawing({ call, language, compute, attributes: new CallAttributes(draft) });
}

const prepared = new WeakMap<CallReport, { readonly language: Language; readonly plan: Plan | undefined }>();

/** Makes the plan of a call before it is shown. */
export async function prepare(given: PictureGiven): Promise<void> {
  prepared.set(given.call, { language: given.language, plan: await planOf(given) });
}

class OperatorPicture extends LocalElement<PictureGiven> {
  #plan: Plan | undefined;
  #stop = 0;
  #progress = 1;
  readonly #choices = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #viewer: Element | null = null;
  #width = 0;

  readonly #follow = (event: Event): void => {
    const { report, position } = (event as CustomEvent<Pointed>).detail;
    if (event.target === this || this.#plan === undefined) return;
    this.#pause();
    const stop = this.#plan.stopOf({ report, position }) ?? this.#traced({ report, position });
    if (stop !== undefined && stop !== this.#stop) this.#show(stop);
  };

  connectedCallback(): void {
    this.#viewer = this.closest('.viewer');
    this.#viewer?.addEventListener('pointed', this.#follow);
  }

  disconnectedCallback(): void {
    this.#viewer?.removeEventListener('pointed', this.#follow);
    this.#pause();
  }

  protected receive(given: PictureGiven, before: PictureGiven | undefined): void {
    const { call } = given;
    if (before !== undefined && before.call.operator !== call.operator) {
      this.#stop = 0;
      this.#choices.clear();
      this.#use(undefined);
    }
    const made = planOf(given);
    if (!(made instanceof Promise)) this.#use(made);
    else void made.then((plan) => this.given === given && this.#use(plan));
  }

  #use(plan: Plan | undefined): void {
    this.#plan = plan;
    if (plan === undefined || plan.stops === 0) this.#pause();
    if (plan !== undefined && this.#stop >= plan.stops) this.#stop = 0;
    this.#update();
  }

  /** The stop of the first element that is computed from an element of an input. */
  #traced({ report, position }: Place): number | undefined {
    const { call } = this.given as PictureGiven;
    const input = call.inputs.indexOf(report);
    if (input < 0 || this.#plan === undefined) return undefined;
    const found = call.trace?.[0]?.findIndex((sources) => sources[input]?.includes(position)) ?? -1;
    return found < 0 ? undefined : this.#plan.stopOf({ report: call.outputs[0] as never, position: found });
  }

  #show(stop: number): void {
    this.#stop = stop;
    this.#update();
  }

  /** Goes to a stop, and tells the grids. */
  #go(stop: number): void {
    const plan = this.#plan;
    if (plan === undefined || stop < 0 || stop >= plan.stops) return;
    this.#show(stop);
    const place = plan.placeOf(stop);
    if (place !== undefined) this.#tell(place);
  }

  #tell({ report, position }: Place): void {
    const { elements } = report;
    if (elements === undefined) return;
    const detail: Pointed = { report, position, elements };
    this.dispatchEvent(new CustomEvent('pointed', { bubbles: true, detail }));
  }

  /** A cell that the pointer is on: `o0:7` is the element 7 of the first output. */
  #pointed(event: Event): void {
    const name = (event.target as Element).closest('[data-place]')?.getAttribute('data-place');
    const [, side, index, at] = /^([io])(\d+):(\d+)$/.exec(name ?? '') ?? [];
    const { call } = this.given as PictureGiven;
    const report = (side === 'i' ? call.inputs : call.outputs)[Number(index)];
    if (side === undefined || !report || this.#timer !== undefined) return;
    const place = { report, position: Number(at) };
    const stop = this.#plan?.stopOf(place) ?? this.#traced(place);
    if (stop !== undefined && stop !== this.#stop) this.#show(stop);
    this.#tell(place);
  }

  #pressed(event: KeyboardEvent): void {
    const { stops = 0, row = 1 } = this.#plan ?? {};
    const moves: { readonly [key: string]: number } = {
      ...{ ArrowLeft: this.#stop - 1, ArrowRight: this.#stop + 1 },
      ...{ ArrowUp: this.#stop - row, ArrowDown: this.#stop + row, Home: 0, End: stops - 1 },
    };
    const to = moves[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#pause();
    this.#go(to);
  }

  #pause(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#timer = undefined;
    this.#progress = 1;
  }

  #play(): void {
    if (this.#timer !== undefined) {
      this.#pause();
      this.#update();
      return;
    }
    const plan = this.#plan as Plan;
    if (plan.travels) this.#travel();
    else this.#walk(this.#stop === plan.stops - 1 ? 0 : this.#stop);
  }

  #walk(stop: number): void {
    this.#timer = setTimeout(() => {
      if (stop + 1 < (this.#plan?.stops ?? 0)) this.#walk(stop + 1);
      else {
        this.#pause();
        this.#update();
      }
    }, pause);
    this.#go(stop);
  }

  /** Elements on their way to their new places; at once where motion is unwanted. */
  #travel(): void {
    const start = performance.now();
    this.#progress = 0;
    this.#timer = setTimeout(() => {
      this.#pause();
      this.#update();
    }, journey);
    const step = (now: number): void => {
      this.#progress = Math.min(1, Math.max(0, (now - start) / journey));
      this.#update();
      if (this.#progress < 1) this.#frame = requestAnimationFrame(step);
    };
    this.#update();
    if (!isStill()) this.#frame = requestAnimationFrame(step);
  }

  #choose(name: string, index: number): void {
    this.#choices.set(name, index);
    this.#update();
  }

  #choiceView({ name, label, count }: Choice): TemplateResult {
    const { language } = this.given as PictureGiven;
    const chosen = Math.min(this.#choices.get(name) ?? 0, count - 1);
    return html`<label class="picture-choice">
      ${label}
      <select
        @change=${(event: Event) => this.#choose(name, (event.target as HTMLSelectElement).selectedIndex)}
        lang=${language}
      >
        ${countTo(count).map((i) => html`<option value=${i} .selected=${live(i === chosen)}>${i}</option>`)}
      </select>
    </label>`;
  }

  #moment(plan: Plan): Moment {
    const counts = new Map((plan.choices ?? []).map(({ name, count }) => [name, count]));
    return {
      stop: this.#stop,
      progress: this.#progress,
      chosen: (name) => Math.min(this.#choices.get(name) ?? 0, (counts.get(name) ?? 1) - 1),
    };
  }

  #update(): void {
    const plan = this.#plan;
    if (plan === undefined || plan.stops === 0) {
      render(nothing, this);
      return;
    }
    const { call, language } = this.given as PictureGiven;
    const t = pictureTexts[language];
    const moment = this.#moment(plan);
    const isPlaying = this.#timer !== undefined;
    render(
      html`<section class="card picture" aria-label=${t.title}>
        <div class="picture-head">
          <h3>${t.title}</h3>
          ${(plan.choices ?? []).filter(({ count }) => count > 1).map((choice) => this.#choiceView(choice))}
          <button class="button quiet" type="button" @click=${() => this.#play()} ?disabled=${plan.stops < 2 && !plan.travels}>
            ${isPlaying ? t.pause : t.play}
          </button>
        </div>
        <div
          class="picture-stage"
          role="slider"
          tabindex="0"
          aria-label=${t.label(call.operator)}
          aria-valuemin="0"
          aria-valuemax=${plan.stops - 1}
          aria-valuenow=${this.#stop}
          aria-valuetext=${plan.describe(moment)}
          @keydown=${(event: KeyboardEvent) => this.#pressed(event)}
          @pointerover=${(event: Event) => this.#pointed(event)}
          @pointerdown=${(event: Event) => this.#pointed(event)}
        >
          ${plan.draw(moment)}
        </div>
        <p class="picture-words" aria-hidden="true">${plan.describe(moment)}</p>
        ${plan.more?.(moment) ?? nothing}
      </section>`,
      this,
    );
    requestAnimationFrame(() => this.#keepHeight());
  }

  /** The words never get lower while their width is the same, so that walking through the stops moves nothing. */
  #keepHeight(): void {
    const element = this.querySelector<HTMLElement>('.picture-words');
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.minHeight = width === this.#width ? `${height}px` : '';
    this.#width = width;
  }
}

define('operator-picture', OperatorPicture);

export function pictureView(given: PictureGiven): TemplateResult {
  return html`<operator-picture .given=${given}></operator-picture>`;
}
