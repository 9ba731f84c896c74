// The page "Models": an .onnx file as a list of nodes, with forms for its inputs, and its outputs after a run.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { acceptDrops } from '../models/drop.js';
import { tallyOf } from '../models/graphs.js';
import { largestKept } from '../models/kept.js';
import { nodeList } from '../models/node-list.js';
import { openCard } from '../models/open-card.js';
import { runPart } from '../models/run-part.js';
import { type Sample, type SampleName, samples } from '../models/samples.js';
import { closeModel, currentSession, openModel, reopenModel } from '../models/session.js';
import { summary } from '../models/summary.js';
import { warningsPart } from '../models/warnings.js';
import { current, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { showBytes } from '../views/units.js';
import './models.css';

void reopenModel();
acceptDrops(
  () => current().route.page === 'models',
  ([file]) => file && openModel(file.name, file),
);

function openSample({ file, feeds }: Sample): void {
  openModel(file, new URL(`samples/${file}`, document.baseURI).href, feeds);
}

export function modelsPage(state: State): TemplateResult {
  const t = modelsTexts[state.language];
  const names = Object.keys(samples) as SampleName[];
  return html`<div class="models">
    <h1>${t.title}</h1>
    <p class="summary">${t.intro}</p>
    ${openCard({
      ...{ id: 'models-file', texts: t, open: ([file]) => file && openModel(file.name, file) },
      samples: names.map((name) => ({ name, label: t.sampleNames[name], open: () => openSample(samples[name]) })),
    })}
    ${statusLine(state)} ${openedPart(state)}
  </div>`;
}

/** The progress: seen while a file is read, and heard when it is open. */
function statusLine({ language }: State): TemplateResult {
  const t = modelsTexts[language];
  const { opened } = currentSession();
  const isReading = opened.status === 'reading';
  const opening =
    opened.status === 'open' ? t.opened(visible(opened.name), t.nodes(tallyOf(opened.report.nodes))) : nothing;
  return html`<p class=${isReading ? 'muted' : 'visually-hidden'} role="status">
    ${isReading ? t.reading(visible(opened.name)) : opening}
  </p>`;
}

/** Whether a reload opens the model again, and how to be rid of it. */
function keepingPart({ language }: State): TemplateResult {
  const t = modelsTexts[language];
  const { keeping } = currentSession();
  const close = (): void => {
    closeModel();
    document.getElementById('models-file')?.focus();
  };
  return html`<p class="models-keeping">
    <button class="button quiet" type="button" id="close-model" @click=${close}>${t.close}</button>
    <span class="muted" role="status">${keeping && t.keepings[keeping](showBytes(largestKept))}</span>
  </p>`;
}

function openedPart(state: State): TemplateResult | typeof nothing {
  const t = modelsTexts[state.language];
  const { opened } = currentSession();
  if (opened.status === 'refused') {
    const { place, message } = opened.problem;
    return html`<div role="alert">
      <p>${place === 'file' ? t.unreadable : t.refused(visible(opened.name))}</p>
      <p class="problem" lang="en">${visible(message)}</p>
    </div>`;
  }
  if (opened.status !== 'open') return nothing;
  const { name, report } = opened;
  return html`${summary(state, name, report)} ${keepingPart(state)} ${warningsPart(state, report)}
    <section aria-labelledby="models-graph">
      <h2 id="models-graph">${t.graph}</h2>
      ${nodeList(state, report)}
    </section>
    <section aria-labelledby="models-run">
      <h2 id="models-run">${t.run}</h2>
      ${runPart(state, report)}
    </section>`;
}
