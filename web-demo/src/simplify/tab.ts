// The tab "Simplify": the open sizes of the model as a form, and what becomes of it.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { KeptModel } from '../models/kept.js';
import { refusedPart } from '../models/refused-part.js';
import { beginningOf } from '../models/sample-models.js';
import { followModel } from '../models/shared-model.js';
import type { State } from '../state.js';
import { simplifyTexts } from '../texts/simplify.js';
import { formView } from './form-view.js';
import { reportView } from './report-view.js';
import { currentSession, openModel } from './session.js';
import './simplify.css';

/** Opens a model with what the form of a sample says at first. */
export const openToSimplify = (model: KeptModel): Promise<void> => openModel(model, beginningOf(model).texts);

followModel('simplify', {
  open: (model) => void openToSimplify(model),
  current: () => (currentSession().opened.status === 'none' ? undefined : currentSession().source),
  isReading: () => currentSession().opened.status === 'reading',
});

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
    ${formView(state, opened.model)} ${result === undefined ? nothing : reportView(state, opened.model, result)}`;
}

export function simplifyTab(state: State): TemplateResult {
  return html`<div class="simplify">${statusLine(state)} ${openedPart(state)}</div>`;
}
