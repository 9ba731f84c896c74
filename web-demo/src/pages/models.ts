// The page "Models": an .onnx file as a drawing and a list of nodes, with a panel of what is chosen, forms for its inputs, and
// its outputs after a run.
import { html, nothing, type TemplateResult } from 'lit-html';
import { type MissingFile, mostNames } from '../../../shared/missing-files.js';
import { visible } from '../../../shared/visible.js';
import { compareWith } from '../models/compare.js';
import { compareField, comparePart } from '../models/compare-part.js';
import { drawingPart } from '../models/drawing-part.js';
import { acceptDrops } from '../models/drop.js';
import { tallyOf } from '../models/graphs.js';
import { keptFeeds, largestKept } from '../models/kept.js';
import { nodeFinder, nodeList } from '../models/node-list.js';
import { openCard } from '../models/open-card.js';
import { panel } from '../models/panel.js';
import { profilePart } from '../models/profile-part.js';
import type { ModelReport } from '../models/protocol.js';
import { refusedPart } from '../models/refused-part.js';
import { runPart } from '../models/run-part.js';
import { beginningOf, sampleNamed } from '../models/sample-models.js';
import { type SampleName, samples } from '../models/samples.js';
import { closeModel, currentSession, openFiles, openModel } from '../models/session.js';
import { followModel } from '../models/shared-model.js';
import { summary } from '../models/summary.js';
import { warningsPart } from '../models/warnings.js';
import { hashOf } from '../router.js';
import { licencesFile, realSamples } from '../simplify/samples.js';
import { current, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { simplifyTexts } from '../texts/simplify.js';
import { showBytes } from '../views/units.js';
import './models.css';

followModel('models', {
  open: (model, isKept) => void openModel(model, isKept ? keptFeeds() : beginningOf(model).feeds),
  current: () => currentSession().source,
  isReading: () => currentSession().opened.status === 'reading',
});

/** Takes files that were dropped or chosen: a model, or two to be compared, with the files that they have data in. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const [model, other, ...more] = files.filter(({ name }) => /\.onnx$/i.test(name));
  const isPair = model !== undefined && other !== undefined && more.length === 0;
  const beside = files.filter((file) => file !== model && file !== other);
  if (!isPair) return void openFiles(files);
  await openModel({ name: model.name, source: model, beside });
  await compareWith([other, ...beside]);
}

acceptDrops(
  () => current().route.page === 'models',
  (files) => void takeFiles(files),
);

function openSample(name: string): void {
  const model = sampleNamed(name);
  if (model !== undefined) void openModel(model, beginningOf(model).feeds);
}

export function modelsPage(state: State): TemplateResult {
  const t = modelsTexts[state.language];
  const realTexts = simplifyTexts[state.language];
  const names = Object.keys(samples) as SampleName[];
  const isOpen = currentSession().opened.status === 'open';
  return html`<div class=${isOpen ? 'models models-opened' : 'models'}>
    <h1>${t.title}</h1>
    <p class="summary">${t.intro}</p>
    ${openCard({
      ...{ id: 'models-file', texts: t, isMultiple: true, open: (files) => void takeFiles(files) },
      samples: [
        ...names.map((name) => ({ name, label: t.sampleNames[name], open: () => openSample(name) })),
        ...realSamples.map(({ name }) => ({
          name,
          label: realTexts.sampleNames[name] ?? name,
          open: () => openSample(name),
        })),
      ],
    })}
    ${realSamples.length === 0 || isOpen ? nothing : html`<p class="muted">${realTexts.licences} <a href=${`./${licencesFile}`}>${realTexts.licencesLink}</a></p>`}
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
function keepingPart(state: State): TemplateResult {
  const t = modelsTexts[state.language];
  const { keeping } = currentSession();
  const goToRun = (): void => {
    document.getElementById('models-run')?.scrollIntoView();
    document.getElementById('run')?.focus({ preventScroll: true });
  };
  const close = (): void => {
    closeModel();
    document.getElementById('models-file')?.focus();
  };
  return html`<p class="models-keeping">
    <button class="button" type="button" id="to-run" @click=${goToRun}>
      ${t.run}
    </button>
    <a class="button quiet" href=${hashOf({ page: 'simplify' })}>${t.simplify}</a>
    ${compareField(state)}
    <button class="button quiet" type="button" id="close-model" @click=${close}>${t.close}</button>
    <span class="muted" role="status">${keeping && t.keepings[keeping](showBytes(largestKept))}</span>
  </p>`;
}

/** The most files that are named. */
const mostMissing = 5;

/** The initializers that a file has, the first by their names. */
function lackedText({ initializers }: MissingFile, t: (typeof modelsTexts)['en']): string {
  const first = initializers.slice(0, mostNames).map(visible);
  return t.lacked(initializers.length, first, initializers.length - first.length);
}

/** The files with weights that are not there. */
function missingPart({ language }: State, { missing }: ModelReport): TemplateResult | typeof nothing {
  if (missing.length === 0) return nothing;
  const t = modelsTexts[language];
  const rest = missing.length - mostMissing;
  return html`<div class="models-lacks card" role="status">
    <p>${t.lacks(missing.length)}</p>
    <ul class="mono">
      ${missing
        .slice(0, mostMissing)
        .map((file) => html`<li>${visible(file.location)} <span class="muted">${lackedText(file, t)}</span></li>`)}
    </ul>
    ${rest > 0 ? html`<p class="muted">${t.moreFiles(rest)}</p>` : nothing}
  </div>`;
}

function openedPart(state: State): TemplateResult | typeof nothing {
  const t = modelsTexts[state.language];
  const { opened, refused } = currentSession();
  if (opened.status === 'refused') return refusedPart(state.language, opened, undefined, t.media);
  if (opened.status !== 'open') return nothing;
  const { name, report } = opened;
  return html`${refused === undefined ? nothing : refusedPart(state.language, refused, name, t.media)}
    ${summary(state, name, report)} ${keepingPart(state)} ${missingPart(state, report)}
    ${warningsPart(state, report)} ${comparePart(state, name)}
    <section aria-labelledby="models-graph">
      <h2 id="models-graph">${t.graph}</h2>
      ${nodeFinder(state, report)}
      <div class="models-desk">
        <div class="models-drawing">${drawingPart(state, report)}</div>
        ${panel(state, report)}
        <div class="models-list">
          <h3>${t.nodeList}</h3>
          ${nodeList(state, report)}
        </div>
      </div>
    </section>
    <section aria-labelledby="models-run">
      <h2 id="models-run">${t.run}</h2>
      ${runPart(state, report)}
    </section>
    ${profilePart(state, report)}`;
}
