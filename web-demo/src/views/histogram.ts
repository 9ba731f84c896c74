// The histogram of a tensor, and its statistics in words.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Summary } from '../runtime/protocol.js';
import type { ViewerTexts } from '../texts/viewer.js';
import { showCount, showNumber } from './units.js';

const [width, height] = [256, 72];

function bars(t: ViewerTexts, { histogram, least, greatest }: Summary): TemplateResult[] {
  const most = Math.max(1, ...histogram);
  const step = width / histogram.length;
  const edge = (bin: number): string => showNumber(least + ((greatest - least) * bin) / histogram.length);
  return histogram.map((count, bin) => {
    // A bar that is not empty can be seen, however small it is beside the rest.
    const length = count === 0 ? 0 : Math.max(1.5, (height * count) / most);
    return svg`<rect x=${bin * step} y=${height - length} width=${step - 0.75} height=${length}>
      <title>${t.histogramBin(edge(bin), edge(bin + 1), showCount(count))}</title>
    </rect>` as TemplateResult;
  });
}

/** Takes the same room before there is an answer. */
export function histogramView(t: ViewerTexts, summary: Summary | undefined): TemplateResult {
  const hasBins = summary !== undefined && summary.least <= summary.greatest;
  const [least, greatest] = hasBins ? [summary.leastText, summary.greatestText] : ['', ''];
  const most = summary ? showCount(Math.max(0, ...summary.histogram)) : '';
  return html`<figure class="picture-histogram">
    <figcaption>
      <h4>${t.histogram}</h4>
      <span class="muted">${hasBins ? t.mostInBin(most) : nothing}</span>
    </figcaption>
    <svg
      viewBox=${`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label=${hasBins ? t.histogramLabel(least, greatest, most) : t.histogram}
    >
      ${hasBins ? bars(t, summary) : nothing}
    </svg>
    <div class="picture-ends mono"><span>${least}</span><span>${greatest}</span></div>
  </figure>`;
}

export function statisticsView(t: ViewerTexts, summary: Summary | undefined): TemplateResult {
  const line = (name: string, value: string | undefined): TemplateResult =>
    html`<div><dt>${name}</dt><dd class="mono">${value ?? '…'}</dd></div>`;
  const finite = (value: number | undefined, text: string | undefined): string | undefined =>
    value === undefined || Number.isFinite(value) ? text : t.noFinite;
  return html`<dl class="picture-statistics">
    ${line(t.least, finite(summary?.least, summary?.leastText))}
    ${line(t.mean, finite(summary?.mean, summary && showNumber(summary.mean)))}
    ${line(t.greatest, finite(summary?.greatest, summary?.greatestText))}
    ${line(t.zeros, summary && showCount(summary.zeros))}
    ${line(t.notFinite, summary && showCount(summary.notFinite))}
  </dl>`;
}
