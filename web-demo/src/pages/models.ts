// The page "Models": a line for the file that is open, and tabs with its graph, its run, its times, its weights, what simplifying makes of
// it, and the differences from another model.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { compareWith } from '../models/compare.js';
import { compareTab } from '../models/compare-tab.js';
import { desk } from '../models/desk.js';
import { acceptDrops } from '../models/drop.js';
import { fileLine, type ShownFile } from '../models/file-line.js';
import { tallyOf } from '../models/graphs.js';
import { keptFeeds } from '../models/kept.js';
import { missingPart } from '../models/missing-part.js';
import { openCard } from '../models/open-card.js';
import { refusedPart } from '../models/refused-part.js';
import { runTab } from '../models/run-part.js';
import '../models/sample-media.js';
import { beginningOf, offeredSamples, sampleNamed } from '../models/sample-models.js';
import { currentSession, openFiles, openModel, openReport } from '../models/session.js';
import { followModel } from '../models/shared-model.js';
import { showTab, type TabName, tabOf, tabs } from '../models/tabs.js';
import { weightsTab } from '../models/weights-tab.js';
import { licencesFile, realSamples } from '../simplify/samples.js';
import { openFiles as openFilesToSimplify, currentSession as simplifySession } from '../simplify/session.js';
import { openToSimplify, simplifyTab } from '../simplify/tab.js';
import { current, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { simplifyTexts } from '../texts/simplify.js';
import { rescueFocus } from '../views/pass-focus.js';
import './models.css';

followModel('models', {
  open: (model, isKept) => void openModel(model, isKept ? keptFeeds() : beginningOf(model).feeds),
  current: () => currentSession().source,
  isReading: () => currentSession().opened.status === 'reading',
});

/** Takes files that were dropped or chosen: a model, or two to be compared, with the files that they have data in. */
export async function takeFiles(files: readonly File[]): Promise<void> {
  const [model, other, ...more] = files.filter(({ name }) => /\.onnx$/i.test(name));
  if (model === undefined || other === undefined || more.length > 0) {
    if (tabOf(current()) === 'simplify') openFilesToSimplify(files);
    else openFiles(files);
    return;
  }
  const beside = files.filter((file) => file !== model && file !== other);
  showTab('compare');
  await openModel({ name: model.name, source: model, beside });
  await compareWith([other, ...beside]);
}

/** A model that is dropped on the tab that compares is the second one. */
function takeDrop(files: readonly File[]): void {
  const isSecond = tabOf(current()) === 'compare' && openReport() !== undefined;
  const models = files.filter(({ name }) => /\.onnx$/i.test(name));
  if (isSecond && models.length === 1) void compareWith(files);
  else void takeFiles(files);
}

acceptDrops(() => ['models', 'simplify'].includes(current().route.page), takeDrop);

/** Folds what opens other models, whose buttons had the focus. */
function foldOthers(): void {
  const others = document.getElementById('models-others');
  const isInside = others?.contains(document.activeElement) ?? false;
  others?.removeAttribute('open');
  if (isInside) others?.querySelector('summary')?.focus();
}

async function openSample(name: string): Promise<void> {
  const model = sampleNamed(name);
  if (model === undefined) return;
  foldOthers();
  if (tabOf(current()) === 'simplify') await openToSimplify(model);
  else await openModel(model, beginningOf(model).feeds);
  rescueFocus('[role=tab][aria-selected=true]');
}

function othersPart({ language }: State): TemplateResult {
  const t = modelsTexts[language];
  const realTexts = simplifyTexts[language];
  const open = (files: readonly File[]): void => {
    if (currentSession().opened.status === 'open' || simplifySession().opened.status === 'open') foldOthers();
    void takeFiles(files);
  };
  return html`${openCard({
    ...{ id: 'models-file', texts: t, isMultiple: true, open },
    samples: offeredSamples(language).map((sample) => ({ ...sample, open: () => void openSample(sample.name) })),
  })}
  ${realSamples.length === 0 ? nothing : html`<p class="muted">${realTexts.licences} <a href=${`./${licencesFile}`}>${realTexts.licencesLink}</a></p>`}`;
}

/** The file that the tabs other than Simplify have open; while they read another one, the one before. */
function fileOfModels(session = currentSession()): ShownFile | undefined {
  const { opened, source, before } = session;
  if (opened.status === 'open' && source !== undefined)
    return { source, bytes: opened.report.size, report: opened.report };
  return opened.status === 'reading' && before !== undefined ? fileOfModels(before) : undefined;
}

function fileOfSimplify(session = simplifySession()): ShownFile | undefined {
  const { opened, source, before } = session;
  if (opened.status === 'open') {
    const known = fileOfModels();
    return known?.source === source ? known : { source, bytes: opened.model.model.size, report: undefined };
  }
  return opened.status === 'reading' && before !== undefined ? fileOfSimplify(before) : undefined;
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

/** The content of the tabs other than Simplify. */
function modelTab(state: State, tab: Exclude<TabName, 'simplify'>): TemplateResult {
  const { opened, refused } = currentSession();
  const { media } = modelsTexts[state.language];
  if (opened.status !== 'open') {
    return html`${statusLine(state)} ${opened.status === 'refused' ? refusedPart(state.language, opened, undefined, media) : nothing}`;
  }
  const { name, report } = opened;
  const content = (): TemplateResult => {
    if (tab === 'graph' || tab === 'time') return desk(state, report, tab);
    if (tab === 'run') return runTab(state, report);
    return tab === 'weights' ? weightsTab(state, report) : compareTab(state, name);
  };
  return html`${statusLine(state)} ${refused === undefined ? nothing : refusedPart(state.language, refused, name, media)}
    ${missingPart(state, report)} ${content()}`;
}

export function modelsPage(state: State): TemplateResult {
  const tab = tabOf(state);
  const texts = tab === 'simplify' ? simplifyTexts[state.language] : modelsTexts[state.language];
  const file = tab === 'simplify' ? (fileOfSimplify() ?? fileOfModels()) : (fileOfModels() ?? fileOfSimplify());
  const content = tab === 'simplify' ? simplifyTab(state) : modelTab(state, tab);
  return html`<div class=${file === undefined ? 'models' : 'models models-opened'}>
    <h1>${texts.title}</h1>
    <p class="summary">${texts.intro}</p>
    ${fileLine(state, file, othersPart(state))} ${file === undefined ? content : tabs(state, content)}
  </div>`;
}
