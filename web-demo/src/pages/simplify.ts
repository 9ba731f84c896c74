// The page "Simplify": an .onnx file, its open sizes as a form, and what becomes of it. main.ts loads this page when it is
// first shown.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import { acceptDrops } from '../models/drop.js';
import type { KeptModel } from '../models/kept.js';
import { openCard } from '../models/open-card.js';
import { refusedPart } from '../models/refused-part.js';
import { beginningOf, sampleNamed } from '../models/sample-models.js';
import { followModel } from '../models/shared-model.js';
import { formView } from '../simplify/form-view.js';
import { reportView } from '../simplify/report-view.js';
import { licencesFile, realSamples, samples } from '../simplify/samples.js';
import { currentSession, openFiles, openModel } from '../simplify/session.js';
import { current, type State } from '../state.js';
import { simplifyTexts } from '../texts/simplify.js';
import { showBytes } from '../views/units.js';
import './simplify.css';

acceptDrops(() => current().route.page === 'simplify', openFiles);

const open = (model: KeptModel): void => void openModel(model, beginningOf(model).texts);

followModel('simplify', {
  open,
  current: () => (currentSession().opened.status === 'none' ? undefined : currentSession().source),
  isReading: () => currentSession().opened.status === 'reading',
});

function openSample(name: string): void {
  const model = sampleNamed(name);
  if (model !== undefined) open(model);
}

export function simplifyPage(state: State): TemplateResult {
  const t = simplifyTexts[state.language];
  return html`<div class="simplify">
    <h1>${t.title}</h1>
    <p class="summary">${t.intro}</p>
    ${openCard({
      ...{ id: 'simplify-file', texts: t, isMultiple: true, open: openFiles },
      samples: samples.map((sample) => ({
        ...{ name: sample.name, label: t.sampleNames[sample.name] ?? sample.name, open: () => openSample(sample.name) },
      })),
    })}
    ${realSamples.length === 0 ? nothing : html`<p class="muted">${t.licences} <a href=${`./${licencesFile}`}>${t.licencesLink}</a></p>`}
    ${statusLine(state)} ${openedPart(state)}
  </div>`;
}

/** The progress: heard, and seen while somebody waits. */
function statusLine({ language }: State): TemplateResult {
  const t = simplifyTexts[language];
  const { opened, source, running, result } = currentSession();
  const name = visible(source.name);
  const isWaiting = opened.status === 'reading' || running !== undefined;
  const text = (): string => {
    if (opened.status === 'reading') return t.reading(name);
    if (opened.status !== 'open') return '';
    if (running !== undefined) return t.running;
    return result === undefined ? t.opened(name) : t.done(result.report.before.nodes, result.report.after.nodes);
  };
  return html`<p class=${isWaiting ? 'muted' : 'visually-hidden'} role="status">${text()}</p>`;
}

function openedPart(state: State): TemplateResult | typeof nothing {
  const { opened, source, result, refused } = currentSession();
  if (opened.status === 'refused') return refusedPart(state.language, { name: source.name, problem: opened.problem });
  if (opened.status !== 'open') return nothing;
  return html`${refused === undefined ? nothing : refusedPart(state.language, refused, source.name)}
    <h2 class="simplify-name" id="simplify-name">
      ${visible(source.name)} <span class="chip">${showBytes(opened.model.model.size)}</span>
    </h2>
    ${formView(state, opened.model)} ${result === undefined ? nothing : reportView(state, opened.model, result)}`;
}
