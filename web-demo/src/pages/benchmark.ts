// "Benchmark": chosen calls measured in this browser. main.ts loads this page when it is first shown.
import { html, nothing, type TemplateResult } from 'lit-html';
import { benchmarkChoices } from '../benchmark/choices.js';
import { networkResults } from '../benchmark/network-table.js';
import { type Benchmark, benchmark } from '../benchmark/run.js';
import { benchmarkResults } from '../benchmark/tables.js';
import type { State } from '../state.js';
import { benchmarkTexts } from '../texts/benchmark.js';
import '../benchmark/benchmark.css';

function notes({ clockStep }: Benchmark, state: State): TemplateResult {
  const t = benchmarkTexts[state.language];
  const clock = clockStep === undefined ? t.clockUnknown : t.clock(String(Number(clockStep.toPrecision(2))));
  return html`<section aria-labelledby="benchmark-about">
    <h2 id="benchmark-about">${t.about}</h2>
    <ul>
      ${[...t.notes, clock].map((note) => html`<li>${note}</li>`)}
    </ul>
  </section>`;
}

export function benchmarkPage(state: State): TemplateResult {
  const t = benchmarkTexts[state.language];
  const current = benchmark();
  return html`
    <h1>${t.title}</h1>
    <p>${t.intro}</p>
    ${benchmarkChoices(current, state.language)}
    <section aria-labelledby="benchmark-results">
      <h2 id="benchmark-results">${t.results}</h2>
      ${current.measured === 0 ? html`<p class="muted">${t.noResults}</p>` : nothing}
      ${networkResults(current, state.language)} ${benchmarkResults(current, state)}
    </section>
    ${notes(current, state)}
  `;
}
