// The choice of cases, the buttons that start and stop measuring, and its progress.
import { html, nothing, type TemplateResult } from 'lit-html';
import { benchmarkTexts } from '../texts/benchmark.js';
import type { Language } from '../texts/texts.js';
import { type CaseType, caseTypes, patterns, sizes } from './cases.js';
import { networkNames } from './networks.js';
import { sizeText } from './results.js';
import { addOnnxruntime, type Benchmark, choose, chosenItems, run, stop, toggled } from './run.js';

type Texts = (typeof benchmarkTexts)[Language];

function checkboxes<T>(
  legend: string,
  items: readonly { readonly value: T; readonly label: string }[],
  chosen: ReadonlySet<T>,
  choice: (chosen: Set<T>) => void,
): TemplateResult {
  return html`<fieldset>
    <legend>${legend}</legend>
    <div class="benchmark-options">
      ${items.map(
        ({ value, label }) => html`<label>
          <input
            type="checkbox"
            .checked=${chosen.has(value)}
            @change=${() => choice(toggled(chosen, value))}
          />${label}
        </label>`,
      )}
    </div>
  </fieldset>`;
}

function typeChoice({ type }: Benchmark, t: Texts): TemplateResult {
  return html`<div class="field">
    <label for="benchmark-type">${t.type}</label>
    <select
      id="benchmark-type"
      @change=${({ target }: Event) => choose({ type: (target as HTMLSelectElement).value as CaseType })}
    >
      ${caseTypes.map((name) => html`<option .selected=${name === type}>${name}</option>`)}
    </select>
  </div>`;
}

const megabytes = `${(onnxruntimeBytes / 1e6).toFixed(1)} MB`;

function onnxruntimeChoice({ onnxruntime, onnxruntimeText, phase }: Benchmark, t: Texts): TemplateResult {
  const button = html`<div class="benchmark-actions">
      <button class="button quiet" type="button" ?disabled=${phase === 'running' || onnxruntime === 'loading'} @click=${addOnnxruntime}>
        ${t.addOnnxruntime(megabytes)}
      </button>
    </div>
    <p class="muted">${t.addNote}</p>`;
  return html`<fieldset>
    <legend>${t.onnxruntime}</legend>
    ${onnxruntime === 'ready' ? nothing : button}
    <div role="status">
      ${onnxruntime === 'loading' ? html`<p>${t.loading}</p>` : nothing}
      ${onnxruntime === 'ready' ? html`<p>${t.added(onnxruntimeText)}</p>` : nothing}
      ${
        onnxruntime === 'failed'
          ? html`<p class="problem">${t.notAdded} <span lang="en">${onnxruntimeText}</span></p>`
          : nothing
      }
    </div>
  </fieldset>`;
}

/** The words for screen readers: few, and seldom, so that a long run does not talk all the time. */
function heard({ phase, measured, items }: Benchmark, t: Texts): string {
  if (phase === 'running') return t.running(Math.floor((measured / items.length) * 4) * 25);
  if (phase === 'done') return t.done(measured);
  if (phase === 'stopped') return t.stopped(measured, items.length);
  return '';
}

function now(state: Benchmark, t: Texts): TemplateResult {
  const { phase, measured, items } = state;
  const item = items[measured];
  const name = typeof item === 'string' ? t.networkNames[item] : item && `${item.pattern}, ${sizeText(item.size)}`;
  const seen = phase === 'running' && name ? t.measuring(measured, items.length, name) : heard(state, t);
  return html`
    <p class="benchmark-now" aria-hidden="true">${seen}</p>
    <p class="visually-hidden" role="status">${heard(state, t)}</p>
    ${
      phase === 'failed'
        ? html`<p class="problem" role="alert">${t.failed} <span lang="en">${state.failure}</span></p>`
        : nothing
    }
  `;
}

export function benchmarkChoices(state: Benchmark, language: Language): TemplateResult {
  const t = benchmarkTexts[language];
  const count = chosenItems(state).length;
  const isRunning = state.phase === 'running';
  const networkItems = networkNames.map((name) => ({ value: name, label: t.networkNames[name] }));
  const patternItems = patterns.map(({ name }) => ({ value: name, label: name }));
  const sizeItems = sizes.map((size) => ({ value: size, label: sizeText(size) }));
  return html`<section class="card benchmark-choices">
    ${checkboxes(t.networks, networkItems, state.networks, (chosen) => choose({ networks: chosen }))}
    ${checkboxes(t.patterns, patternItems, state.patterns, (chosen) => choose({ patterns: chosen }))}
    ${checkboxes(t.sizes, sizeItems, state.sizes, (chosen) => choose({ sizes: chosen }))}
    ${typeChoice(state, t)} ${onnxruntimeChoice(state, t)}
    <div class="benchmark-actions">
      ${
        isRunning
          ? html`<button class="button" type="button" @click=${stop}>${t.stop}</button>`
          : html`<button class="button" type="button" ?disabled=${count === 0 || state.onnxruntime === 'loading'} @click=${run}>
              ${count === 0 ? t.nothingChosen : t.run(count)}
            </button>`
      }
      <progress aria-label=${t.progress} max=${Math.max(1, state.items.length)} .value=${state.measured}></progress>
    </div>
    ${now(state, t)}
  </section>`;
}
