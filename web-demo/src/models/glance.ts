// <output-glance>: what an output of a model means at a glance, where its dims suggest it: the greatest of its scores, or a picture.
// The room for it is there before the answer is.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import { typeRow } from '../facts.js';
import { ask } from '../runtime/client.js';
import type { Pixels, Top } from '../runtime/glance.js';
import type { TensorReport } from '../runtime/protocol.js';
import type { State } from '../state.js';
import { mediaTexts } from '../texts/media.js';
import type { Language } from '../texts/texts.js';
import { planeOf } from '../values/plane.js';
import { define, LocalElement } from '../views/local-element.js';
import { showNumber } from '../views/units.js';
import { classNames } from './box-layout.js';
import './glance.css';
import type { ModelReport } from './protocol.js';

type What = 'top' | 'picture';

interface GlanceGiven {
  readonly report: TensorReport;
  readonly what: What;
  /** The properties of the file, which may name the classes. */
  readonly properties: { readonly [key: string]: string };
  readonly language: Language;
}

/** The least number of scores, and of pixels along an axis. */
const [leastScores, leastSide] = [5, 16];

function whatOf({ type, dims, size, written }: TensorReport): What | undefined {
  const { kind } = typeRow(type);
  if (!written || kind === 'string' || kind === 'complex' || kind === 'boolean') return undefined;
  const plane = planeOf('NCHW', dims) ?? planeOf('NHWC', dims);
  if (plane !== undefined && plane.height >= leastSide && plane.width >= leastSide) return 'picture';
  const isList = !kind.endsWith('integer') && size >= leastScores && dims.at(-1) === size;
  return isList ? 'top' : undefined;
}

class OutputGlance extends LocalElement<GlanceGiven> {
  #answer: Top | Pixels | 'none' | undefined;

  protected receive({ report, what }: GlanceGiven, before: GlanceGiven | undefined): void {
    if (report !== before?.report || what !== before.what) {
      this.#answer = undefined;
      const answered = (answer: Top | Pixels | undefined): void => {
        if (this.given?.report !== report) return;
        this.#answer = answer ?? 'none';
        this.#update();
      };
      ask((worker) => worker.glance(report.key, what)).then(answered, () => answered(undefined));
    }
    this.#update();
  }

  #update(): void {
    const { what, language } = this.given as GlanceGiven;
    const answer = this.#answer;
    const t = mediaTexts[language];
    if (answer === 'none') render(html`<p class="muted">${t.unreadable}</p>`, this);
    else
      render(what === 'top' ? this.#top(answer as Top | undefined) : this.#picture(answer as Pixels | undefined), this);
  }

  #top(top: Top | undefined): TemplateResult {
    const { report, language, properties } = this.given as GlanceGiven;
    const t = mediaTexts[language];
    const names = classNames(properties);
    const rows = top?.rows ?? Array.from({ length: Math.min(leastScores, report.size) }, () => undefined);
    const length = (part: number) =>
      ref((element) => {
        if (element instanceof HTMLElement) element.style.width = `${100 * part}%`;
      });
    return html`<table class="glance-top" aria-busy=${top === undefined}>
      <caption>${top?.areProbabilities ? t.probabilities : t.top}</caption>
      <thead class="visually-hidden"><tr><th scope="col">${t.index}</th><th scope="col">${t.value}</th></tr></thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
          <th scope="row"><span class="mono">${row?.index ?? '…'}</span> ${row === undefined ? nothing : visible(names[row.index] ?? '')}</th>
          <td>
            <span class="mono">${row === undefined ? '…' : top?.areProbabilities ? `${(100 * row.value).toFixed(2)} %` : row.text}</span>
            ${row !== undefined && top?.areProbabilities ? html`<span class="glance-bar" aria-hidden="true" ${length(row.value)}></span>` : nothing}
          </td>
        </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #picture(pixels: Pixels | undefined): TemplateResult {
    const { report, language } = this.given as GlanceGiven;
    const t = mediaTexts[language];
    const { width = 1, height = 1 } = planeOf('NCHW', report.dims) ?? planeOf('NHWC', report.dims) ?? {};
    const text = pixels ? t.picture(showNumber(pixels.black), showNumber(pixels.white)) : t.reading;
    const draw = ref((element) => {
      if (!(element instanceof HTMLCanvasElement)) return;
      element.style.aspectRatio = `${width} / ${height}`;
      if (pixels === undefined) return;
      Object.assign(element, { width: pixels.width, height: pixels.height });
      element.getContext('2d')?.putImageData(new ImageData(pixels.points, pixels.width, pixels.height), 0, 0);
    });
    return html`<figure class="glance-picture">
      <canvas role="img" aria-label=${text} ${draw}></canvas>
      <figcaption class="muted">${text}</figcaption>
    </figure>`;
  }
}

define('output-glance', OutputGlance);

export function outputGlance(
  { language }: State,
  { metadata: { properties } }: ModelReport,
  report: TensorReport,
): TemplateResult | typeof nothing {
  const what = whatOf(report);
  return what === undefined
    ? nothing
    : html`<output-glance .given=${{ report, what, properties, language }}></output-glance>`;
}
