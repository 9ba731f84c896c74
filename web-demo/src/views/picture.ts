// <tensor-picture>: a large tensor at a glance. Its elements stay in the worker; a plane as a heatmap, a histogram and
// statistics come from there. The room for all of it is there before the answers are.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ask, latest } from '../runtime/client.js';
import type { Summary, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { drawHeatmap, drawLegend } from './heatmap.js';
import { histogramView, statisticsView } from './histogram.js';
import { define, LocalElement } from './local-element.js';
import './sliders.js';
import { showDims, showNumber } from './units.js';
import './picture.css';

export interface PictureGiven {
  readonly report: TensorReport;
  readonly language: Language;
  /** Only the plane, for tensors that are looked at beside another one. */
  readonly isCompact?: boolean | undefined;
}

interface Question {
  readonly report: TensorReport;
  readonly outer: readonly number[];
}

/** An element that the pointer is at. */
interface Pointing {
  readonly report: TensorReport;
  readonly index: readonly number[];
}

/** Large results are not read at every keystroke, only when typing rests. */
const rest = 150;

class TensorPicture extends LocalElement<PictureGiven> {
  #outer: number[] = [];
  #summary: Summary | undefined;
  #isRefused = false;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  readonly #ask = latest(
    // Refusals of a tensor that cannot be written out, and workers that have gone, are answers as well.
    ({ report, outer }: Question) => ask((worker) => worker.summary(report.key, outer)).catch(() => undefined),
    (summary, question) => this.#answered(summary, question),
  );

  /** The picture has points of 32 bits: what is read under the pointer is the element itself. */
  readonly #askElement = latest(
    ({ report, index }: Pointing) => {
      const position = index.reduce((place, at, axis) => place * (report.dims[axis] as number) + at, 0);
      return ask((worker) => worker.window(report.key, position, 1)).catch(() => undefined);
    },
    (elements, { report, index }) => {
      const text = elements?.text[0];
      if (text !== undefined && report === this.given?.report) this.#tell(undefined, `${showDims(index)} ${text}`);
    },
  );

  protected receive({ report }: PictureGiven, before: PictureGiven | undefined): void {
    if (report !== before?.report) {
      if (String(report.dims) !== String(before?.report.dims)) this.#outer = report.dims.slice(0, -2).map(() => 0);
      clearTimeout(this.#waiting);
      const question = { report, outer: [...this.#outer] };
      this.#waiting = setTimeout(() => this.#ask(question), before === undefined ? 0 : rest);
    }
    this.#update();
  }

  #answered(summary: Summary | undefined, { report, outer }: Question): void {
    if (report !== this.given?.report || String(outer) !== String(this.#outer)) return; // somebody has gone on
    this.#summary = summary;
    this.#isRefused = summary === undefined;
    this.#update();
  }

  #turn(axis: number, index: number): void {
    this.#outer[axis] = index;
    this.#update();
    this.#ask({ report: (this.given as PictureGiven).report, outer: [...this.#outer] });
  }

  #update(): void {
    const { report, language, isCompact } = this.given as PictureGiven;
    const t = viewerTexts[language];
    const turn = (axis: number, index: number): void => this.#turn(axis, index);
    const planes = { language, dims: report.dims, outer: [...this.#outer], turn };
    const [rows, columns] = [report.dims.at(-2) ?? 1, report.dims.at(-1) ?? 1];
    const sides = html`<div class="picture-side">
      ${statisticsView(t, this.#summary)} ${histogramView(t, this.#summary)}
    </div>`;
    const refused = html`<p class="muted">${t.unreadable}</p>`;
    render(
      html`<plane-choice .given=${planes}></plane-choice>${this.#isRefused ? refused : html`<div class=${isCompact ? 'picture picture-compact' : 'picture'}>${this.#plane(t)}${isCompact ? nothing : sides}</div>`}`,
      this,
    );
    const [canvas, legend] = this.querySelectorAll('canvas');
    if (canvas === undefined || legend === undefined) return;
    // Long planes keep a shape that can be looked at.
    canvas.style.aspectRatio = String(Math.min(6, Math.max(0.6, columns / rows)));
    if (this.#summary) drawHeatmap(canvas, this.#summary);
    drawLegend(legend);
  }

  #plane(t: ViewerTexts): TemplateResult {
    const summary = this.#summary;
    const [least, greatest] = [summary?.leastText ?? '…', summary?.greatestText ?? '…'];
    const label = summary ? t.heatmapLabel(least, greatest, showNumber(summary.mean)) : t.waiting;
    return html`<figure class="picture-plane">
      <canvas
        role="img"
        aria-label=${label}
        @pointermove=${(event: PointerEvent) => this.#read(event)}
        @pointerleave=${() => this.#tell(t)}
      ></canvas>
      <canvas class="picture-legend" aria-hidden="true"></canvas>
      <div class="picture-ends mono"><span>${least}</span><span>${greatest}</span></div>
      <figcaption class="muted">
        <span data-read>${summary ? t.heatmapHint : t.waiting}</span>
        ${summary ? html`<span>${t.thinned(summary.plane.rows, summary.plane.columns)}</span>` : nothing}
      </figcaption>
    </figure>`;
  }

  /** Reads the value under the pointer. */
  #read({ offsetX, offsetY, currentTarget }: PointerEvent): void {
    const canvas = currentTarget as HTMLCanvasElement;
    const { report } = this.given as PictureGiven;
    const { dims } = report;
    const plane = this.#summary?.plane;
    if (plane === undefined) return;
    const at = (offset: number, whole: number, count: number): number =>
      Math.min(count - 1, Math.max(0, Math.floor((offset / whole) * count)));
    const row = at(offsetY, canvas.clientHeight, plane.rows);
    const column = at(offsetX, canvas.clientWidth, plane.columns);
    // Undo the thinning.
    const inner = [
      Math.floor((row * (dims.at(-2) ?? 1)) / plane.rows),
      Math.floor((column * (dims.at(-1) ?? 1)) / plane.columns),
    ];
    const index = [...this.#outer, ...inner.slice(dims.length > 1 ? 0 : 1)];
    this.#askElement({ report, index });
  }

  #tell(t: ViewerTexts | undefined, text = t?.heatmapHint ?? ''): void {
    const line = this.querySelector('[data-read]');
    if (line !== null) line.textContent = text;
  }
}

define('tensor-picture', TensorPicture);
