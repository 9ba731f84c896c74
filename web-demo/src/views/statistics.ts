// <tensor-statistics>: the histogram of a tensor and its statistics in words, for one whose elements are all shown.
import { html, render } from 'lit-html';
import { ask, latest } from '../runtime/client.js';
import type { Summary, TensorReport } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { viewerTexts } from '../texts/viewer.js';
import { histogramView, statisticsView } from './histogram.js';
import { define, LocalElement } from './local-element.js';
import './picture.css';

interface StatisticsGiven {
  readonly report: TensorReport;
  readonly language: Language;
}

class TensorStatistics extends LocalElement<StatisticsGiven> {
  #summary: Summary | undefined;
  readonly #ask = latest(
    ({ key, dims }: TensorReport) => {
      const outer = dims.slice(0, -2).map(() => 0);
      return ask((worker) => worker.summary(key, outer)).catch(() => undefined);
    },
    (summary, report) => {
      if (report !== this.given?.report) return;
      this.#summary = summary;
      this.#update();
    },
  );

  protected receive({ report }: StatisticsGiven, before: StatisticsGiven | undefined): void {
    if (report !== before?.report) this.#ask(report);
    this.#update();
  }

  #update(): void {
    const t = viewerTexts[(this.given as StatisticsGiven).language];
    render(
      html`<div class="picture picture-side">${statisticsView(t, this.#summary)} ${histogramView(t, this.#summary)}</div>`,
      this,
    );
  }
}

define('tensor-statistics', TensorStatistics);
