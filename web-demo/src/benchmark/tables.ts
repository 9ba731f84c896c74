// The results of the benchmark: per pattern a chart, and a table with the same numbers.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { benchmarkTexts } from '../texts/benchmark.js';
import type { Language } from '../texts/texts.js';
import type { ChartContent } from './chart.js';
import { looks } from './looks.js';
import { type Contestant, contestants, numberText, type Row, shareText, sizeText } from './results.js';
import { type Benchmark, choose } from './run.js';
import './chart.js';

type Texts = (typeof benchmarkTexts)[Language];

/** The contestants that have a result in any row. */
function present(rows: readonly Row[]): Contestant[] {
  return contestants.filter((name) => rows.some(({ results }) => results[name]));
}

function legend(names: readonly Contestant[], t: Texts): TemplateResult {
  const item = (name: Contestant): TemplateResult => html`<li>
    <svg class="benchmark-look-${name}" width="40" height="14" viewBox="-20 -7 40 14" aria-hidden="true">
      ${svg`<path d="M-20,0h40" stroke="currentColor" stroke-width="2" stroke-dasharray=${looks[name].dash.join(' ')}></path>
      <path d=${looks[name].mark} fill="currentColor"></path>`}
    </svg>
    ${t.chart.names[name]}
  </li>`;
  return html`<ul class="benchmark-legend">
    ${names.map(item)}
  </ul>`;
}

function cells({ item, results }: Row, name: Contestant, t: Texts): TemplateResult {
  const result = results[name];
  const columns = name === 'limit' ? 1 : 2;
  if (result === undefined) return html`<td colspan=${columns}></td>`;
  if ('differsAt' in result) {
    return html`<td class="benchmark-problem" colspan=${columns}>${t.differs(result.differsAt)}</td>`;
  }
  if ('failure' in result) {
    return html`<td class="benchmark-problem" colspan=${columns}>
      ${t.couldNotRun} <span lang="en">${result.failure}</span>
    </td>`;
  }
  const speed = html`<td>${numberText(item.bytes / result.time)}</td>`;
  return name === 'limit' ? speed : html`${speed}<td>${t.share(shareText(result.ratio))}</td>`;
}

function table(pattern: string, rows: readonly Row[], t: Texts): TemplateResult {
  const names = present(rows);
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t.tableLabel(pattern)}>
    <table class="benchmark-table">
      <caption class="visually-hidden">
        ${t.caption(pattern, rows[0]?.item.type ?? '')}
      </caption>
      <thead>
        <tr>
          <th scope="col" rowspan="2">${t.sizeColumn}</th>
          ${names.map((name) => html`<th scope="colgroup" colspan=${name === 'limit' ? 1 : 2}>${t.chart.names[name]}</th>`)}
        </tr>
        <tr>
          ${names.map(
            (name) =>
              html`<th scope="col">${t.speedColumn}</th>
                ${name === 'limit' ? nothing : html`<th scope="col">${t.shareColumn}</th>`}`,
          )}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr>
            <th scope="row">${sizeText(row.item.size)}</th>
            ${names.map((name) => cells(row, name, t))}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function benchmarkResults(
  { rows, isLogarithmic }: Benchmark,
  { language, theme }: State,
): TemplateResult | typeof nothing {
  const t = benchmarkTexts[language];
  if (rows.size === 0) return nothing;
  const chartOf = (pattern: string, ofPattern: readonly Row[]): TemplateResult => {
    const content: ChartContent = { rows: ofPattern, texts: t.chart, theme, isLogarithmic };
    return html`<section class="card benchmark-pattern">
      <h3>${t.caption(pattern, ofPattern[0]?.item.type ?? '')}</h3>
      <benchmark-chart role="img" aria-label=${t.chartLabel(pattern)} .content=${content}></benchmark-chart>
      ${table(pattern, ofPattern, t)}
    </section>`;
  };
  return html`
    ${legend(present([...rows.values()].flat()), t)}
    <label class="benchmark-scale">
      <input type="checkbox" .checked=${isLogarithmic} @change=${() => choose({ isLogarithmic: !isLogarithmic })} />
      ${t.logarithmic}
    </label>
    ${[...rows].map(([pattern, ofPattern]) => chartOf(pattern, ofPattern))}
  `;
}
