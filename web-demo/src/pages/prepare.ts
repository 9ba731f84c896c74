// The page "Prepare": a picture or a sound, a form with the steps that make a tensor of it, the result of each step, the result
// of a canvas, and the steps as code or as a model.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { acceptDrops } from '../models/drop.js';
import { openCard } from '../models/open-card.js';
import { comparePart } from '../prepare/compare.js';
import { devicePart, leaveDevice } from '../prepare/device-part.js';
import { stepsForm } from '../prepare/form.js';
import { results, tensorPart } from '../prepare/results.js';
import { type SampleName, samples } from '../prepare/samples.js';
import { begin, currentSession, openFile, openSample } from '../prepare/session.js';
import { takePart } from '../prepare/take-panel.js';
import { current, type State } from '../state.js';
import { prepareTexts } from '../texts/prepare.js';
import { problemAt } from '../views/field.js';
import { staleNote } from '../views/stale.js';
import './prepare.css';

void Promise.resolve().then(begin);

function takeFiles(files: readonly File[]): void {
  const [file] = files;
  if (file === undefined) return;
  leaveDevice();
  void openFile(file);
}

function takeSample(name: SampleName): void {
  leaveDevice();
  void openSample(name);
}

acceptDrops(() => current().route.page === 'prepare', takeFiles);

function sourceCard(state: State): TemplateResult {
  const t = prepareTexts[state.language];
  const { problem, isReading, image, sound } = currentSession();
  const name = (state.prepare.media === 'image' ? image : sound)?.name;
  return html`${openCard({
    ...{ id: 'prepare-file', texts: t, accept: 'image/*,audio/*,video/*', open: takeFiles, more: devicePart(state) },
    samples: (Object.keys(samples) as SampleName[]).map((sample) => ({
      ...{ name: sample, label: t.sampleNames[sample], open: () => takeSample(sample) },
    })),
  })}
    <div role="status" class="prepare-status">
      ${isReading ? html`<p class="muted">${t.reading}</p>` : nothing} ${problemAt(problem, 'prepare:file')}
      ${name === undefined ? nothing : html`<p class="mono prepare-name">${visible(name)}</p>`}
    </div>`;
}

export function preparePage(state: State): TemplateResult {
  const t = prepareTexts[state.language];
  const { imageReport, soundReport, problem } = currentSession();
  const report = state.prepare.media === 'image' ? imageReport : soundReport;
  const outcome = (content: TemplateResult): TemplateResult =>
    html`<div class="prepare-outcome" data-stale=${problem !== undefined} data-note=${staleNote({ ...state, problem })}>${content}</div>`;
  return html`<div class="prepare">
    <h1>${t.title}</h1>
    <p class="summary">${t.intro}</p>
    ${state.isLinkDamaged ? html`<p class="problem" role="alert">${t.damaged}</p>` : nothing}
    <div class="prepare-desk">
      <div class="prepare-source">${sourceCard(state)}</div>
      ${report === undefined ? nothing : outcome(results(state, report))} ${stepsForm(state)}
    </div>
    ${
      report === undefined
        ? nothing
        : outcome(html`${report.kind === 'image' ? comparePart(state, report) : nothing} ${takePart(state, report)}
            ${tensorPart(state, report)}`)
    }
  </div>`;
}
