// <output-boxes>: the boxes that an output holds, drawn on the picture that the input got.
import { html, nothing, render, svg, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import { visible } from '../../../shared/visible.js';
import type { PictureValues, TensorDraft } from '../drafts.js';
import type { Box, BoxLayout } from '../runtime/boxes.js';
import { ask } from '../runtime/client.js';
import type { TensorReport } from '../runtime/protocol.js';
import type { State } from '../state.js';
import { mediaTexts } from '../texts/media.js';
import type { Language } from '../texts/texts.js';
import { workspaceTexts } from '../texts/workspace.js';
import { parseIntegers } from '../values/parse.js';
import { bitmapOf, drawPicture } from '../values/picture-elements.js';
import { layoutOf, type Plane, planeOf } from '../values/plane.js';
import { define, LocalElement } from '../views/local-element.js';
import { boxLayout, classNames } from './box-layout.js';
import './boxes.css';
import { feedsOf, isTensorInput } from './feeds.js';
import { pictureLayout } from './media-inputs.js';
import type { ModelReport } from './protocol.js';
import { shownRun } from './session.js';

interface BoxesGiven {
  readonly report: TensorReport;
  readonly layout: BoxLayout;
  readonly model: ModelReport;
  readonly draft: TensorDraft;
  readonly language: Language;
}

/** The most boxes that are told one by one. */
const mostTold = 10;

function planeOfDraft({ dims, values }: TensorDraft): Plane | undefined {
  try {
    const sizes = parseIntegers(dims).map(Number);
    return planeOf(values.kind === 'picture' ? values.layout : layoutOf(sizes), sizes);
  } catch {
    return undefined;
  }
}

class OutputBoxes extends LocalElement<BoxesGiven> {
  #boxes: readonly Box[] | 'none' | undefined;

  protected receive({ report, layout, draft }: BoxesGiven, before: BoxesGiven | undefined): void {
    if (report !== before?.report) {
      this.#boxes = undefined;
      const answered = (boxes: readonly Box[] | undefined): void => {
        if (this.given?.report !== report) return;
        this.#boxes = boxes ?? 'none';
        this.#update();
        if (draft.values.kind === 'picture') void this.#draw(draft.values);
      };
      ask((worker) => worker.boxes(report.key, layout)).then(answered, () => answered(undefined));
    }
    this.#update();
  }

  get #plane(): Plane {
    return planeOfDraft((this.given as BoxesGiven).draft) as Plane;
  }

  async #draw({ file, fit }: PictureValues): Promise<void> {
    const canvas = this.querySelector('canvas');
    if (file === undefined || canvas === null) return;
    try {
      const bitmap = await bitmapOf(file);
      canvas.getContext('2d')?.putImageData(drawPicture(bitmap, this.#plane, fit), 0, 0);
      bitmap.close();
    } catch {} // the boxes alone are shown
  }

  #update(): void {
    const { layout, language, model } = this.given as BoxesGiven;
    const t = workspaceTexts[language];
    const boxes = this.#boxes;
    if (boxes === 'none') {
      render(html`<p class="muted">${mediaTexts[language].unreadable}</p>`, this);
      return;
    }
    const names = classNames(model.metadata.properties);
    const told = (boxes ?? []).map(({ index, score, ...box }) => {
      return { ...box, text: `${visible(names[index] ?? t.classNumber(index))} ${(100 * score).toFixed(0)} %` };
    });
    const { width, height } = this.#plane;
    const label = t.boxesLabel(told.map(({ text }) => text).join(', '));
    const letters = Math.max(width, height) / 32;
    const size = ref((canvas) => {
      if (canvas instanceof HTMLCanvasElement && canvas.width !== width) Object.assign(canvas, { width, height });
    });
    const mark = ({ box: [left, top, right, bottom], text }: (typeof told)[number]): TemplateResult =>
      svg`
      <rect class="boxes-box" x=${left} y=${top} width=${Math.max(0, right - left)} height=${Math.max(0, bottom - top)} vector-effect="non-scaling-stroke" />
      <text class="boxes-text" x=${left} y=${Math.max(letters, top - letters / 3)} font-size=${letters}>${text}</text>` as TemplateResult;
    render(
      html`<figure class="boxes">
        <div class="boxes-picture" aria-busy=${boxes === undefined}>
          <canvas aria-hidden="true" ${size}></canvas>
          <svg viewBox=${`0 0 ${width} ${height}`} role="img" aria-label=${label}>${told.map(mark)}</svg>
        </div>
        <figcaption>
          <strong>${boxes === undefined ? mediaTexts[language].reading : boxes.length === 0 ? t.noBoxes : t.boxes(boxes.length)}</strong>
          <span class="muted">${t.boxesNote(layout)}</span>
        </figcaption>
      </figure>
      ${told.length === 0 ? nothing : html`<ol class="boxes-list">${told.slice(0, mostTold).map(({ text, box }) => html`<li>${text} <span class="mono muted">[${box.map((side) => Math.round(side)).join(', ')}]</span></li>`)}</ol>`}`,
      this,
    );
  }
}

define('output-boxes', OutputBoxes);

/** The boxes of an output on the picture of the run; nothing for an output whose dims are not those of boxes. */
export function outputBoxes(
  { language }: State,
  model: ModelReport,
  report: TensorReport,
): TemplateResult | typeof nothing {
  const ran = shownRun();
  const inputs = model.inputs.filter(isTensorInput);
  const input = inputs.find((one) => pictureLayout(one) !== undefined);
  if (ran === undefined || input === undefined || !report.written || report.type !== 'float32') return nothing;
  const draft = feedsOf(ran.feeds, inputs)[input.name] as TensorDraft;
  const plane = planeOfDraft(draft);
  const layout = plane && boxLayout(report.dims, plane);
  if (layout === undefined) return nothing;
  return html`<output-boxes .given=${{ report, layout, model, draft, language }}></output-boxes>`;
}
