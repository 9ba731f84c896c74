// <function-curve>: the outputs of a call over the range of numbers that is its input, with a point that follows the pointer and
// the arrow keys. Everything that is drawn was computed by the call.
import type { DataType } from 'broadloom';
import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import { curveTexts } from '../texts/curve.js';
import type { Language } from '../texts/texts.js';
import { define, LocalElement } from '../views/local-element.js';
import { showNumber } from '../views/units.js';
import './curve.css';
import { heightOf, pathOf, type Scale, shareOf, ticksOf } from './curve-scale.js';

export interface CurveGiven {
  readonly language: Language;
  readonly call: CallReport;
  readonly from: number;
  readonly to: number;
}

/** The most different results that are drawn as dots, too: they are the values of a type. */
const mostDots = 80;
const page = 16;

const percent = (share: number): string => `${(100 * share).toFixed(3)}%`;

class FunctionCurve extends LocalElement<CurveGiven> {
  /** Where the point is, as a share of the range: it stays where it is when the range changes. */
  #share = 0.625;

  protected receive(): void {
    this.#update();
  }

  get #last(): number {
    return Math.max(1, ((this.given as CurveGiven).call.outputs[0]?.size ?? 2) - 1);
  }

  #go(index: number): void {
    this.#share = Math.min(Math.max(index / this.#last, 0), 1);
    this.#update();
  }

  #pointed(event: PointerEvent): void {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    this.#go(Math.round(((event.clientX - left) / width) * this.#last));
  }

  #moved(event: KeyboardEvent): void {
    const at = Math.round(this.#share * this.#last);
    const steps: { readonly [key: string]: number } = {
      ...{ ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 },
      ...{ PageDown: at - page, PageUp: at + page, Home: 0, End: this.#last },
    };
    const to = steps[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#go(to);
  }

  #update(): void {
    const { call, language, from, to } = this.given as CurveGiven;
    const [x, y] = [call.inputs[0], call.outputs[0]] as [TensorReport, TensorReport];
    const [inputs, outputs] = [x.elements?.text ?? [], y.elements?.text ?? []];
    const t = curveTexts[language];
    const values = outputs.map(Number);
    const scale = heightOf(values);
    const at = Math.round(this.#share * this.#last);
    const [xText, yText] = [inputs[at] ?? '', outputs[at] ?? ''];
    const share = at / this.#last;
    render(
      html`<p class="curve-read" aria-hidden="true">
          <span class="mono">${x.name} = <b>${xText}</b></span>
          <span class="mono">${y.name} = <b>${yText}</b></span>
        </p>
        <div
          class="curve-picture"
          role="slider"
          tabindex="0"
          aria-label=${t.label(call.operator)}
          aria-valuemin="0"
          aria-valuemax=${this.#last}
          aria-valuenow=${at}
          aria-valuetext=${t.point(x.name, xText, y.name, yText)}
          @pointermove=${(event: PointerEvent) => this.#pointed(event)}
          @pointerdown=${(event: PointerEvent) => this.#pointed(event)}
          @keydown=${(event: KeyboardEvent) => this.#moved(event)}
        >
          <svg aria-hidden="true">
            ${grid({ from, to }, scale)}
            <svg viewBox="0 0 100 100" preserveAspectRatio="none">
              <path class="curve-line" d=${pathOf(values, scale)} />
            </svg>
            ${dots(inputs, values, scale)} ${point(share, values[at] ?? Number.NaN, scale)}
          </svg>
        </div>
        <p class="muted curve-note">${t.note(x.type, y.type)}</p>`,
      this,
    );
  }
}

/** The room of a curve before its points are there, so that nothing moves when they come. */
export function curveRoom(language: Language, type: DataType): TemplateResult {
  return html`<div aria-hidden="true">
    <p class="curve-read"><span class="mono">…</span> <span class="mono">…</span></p>
    <div class="curve-room"></div>
    <p class="muted curve-note">${curveTexts[language].note(type, type)}</p>
  </div>`;
}

/** Lines at round numbers, with the numbers beside them; the axes stand out. */
function grid(across: Scale, up: Scale): TemplateResult {
  const columns = ticksOf(across, 6).map((value) => {
    const x = percent(shareOf(value, across));
    return svg`<line class="curve-grid" data-zero=${value === 0} x1=${x} x2=${x} y1="0" y2="100%" />
      <text class="curve-x" x=${x} y="100%" dy="1.5em">${showNumber(value)}</text>`;
  });
  const rows = ticksOf(up, 5).map((value) => {
    const y = percent(1 - shareOf(value, up));
    return svg`<line class="curve-grid" data-zero=${value === 0} x1="0" x2="100%" y1=${y} y2=${y} />
      <text class="curve-y" x="0" y=${y} dx="-0.6em" dy="0.35em">${showNumber(value)}</text>`;
  });
  return svg`${columns}${rows}` as TemplateResult;
}

const isWithin = (value: number, { from, to }: Scale): boolean => value >= from && value <= to;

function circle(name: string, radius: number, share: number, value: number, scale: Scale): TemplateResult {
  const [x, y] = [percent(share), percent(1 - shareOf(value, scale))];
  return svg`<circle class=${name} r=${radius} cx=${x} cy=${y} />` as TemplateResult;
}

/** One dot for each different number of a type, if they are few. */
function dots(inputs: readonly string[], values: readonly number[], scale: Scale): readonly TemplateResult[] {
  const firsts = inputs.flatMap((text, i) => (text === inputs[i - 1] ? [] : [i]));
  if (firsts.length > mostDots) return [];
  const middles = firsts.map((first, n) => Math.floor((first + (firsts[n + 1] ?? inputs.length) - 1) / 2));
  return middles
    .filter((i) => isWithin(values[i] as number, scale))
    .map((i) => circle('curve-dot', 2.5, i / (inputs.length - 1), values[i] as number, scale));
}

/** A line at the point's x, and the point where its value can be drawn. */
function point(share: number, value: number, scale: Scale): TemplateResult {
  const x = percent(share);
  return svg`<line class="curve-at" x1=${x} x2=${x} y1="0" y2="100%" />
    ${isWithin(value, scale) ? circle('curve-point', 6, share, value, scale) : nothing}` as TemplateResult;
}

define('function-curve', FunctionCurve);
