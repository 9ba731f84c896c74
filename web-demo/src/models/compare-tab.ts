// The tab "Compare": where a second model is chosen, and both side by side.
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { workspaceTexts } from '../texts/workspace.js';
import { rescueFocus } from '../views/pass-focus.js';
import { compareWith, compareWithModel, currentComparison } from './compare.js';
import { comparePart } from './compare-part.js';
import { offeredSamples, sampleNamed } from './sample-models.js';
import { currentSession } from './session.js';

function fileField({ language }: State): TemplateResult {
  const choose = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    void compareWith([...(field.files ?? [])]);
    field.value = ''; // the same file can be chosen again
  };
  return html`<label class="button models-choose">
    ${modelsTexts[language].compareWith}
    <input id="compare-file" class="visually-hidden" type="file" multiple @change=${choose} />
  </label>`;
}

function samplesPart({ language }: State): TemplateResult {
  const t = workspaceTexts[language];
  const open = currentSession().source?.source;
  const others = offeredSamples(language).filter(({ name }) => sampleNamed(name)?.source !== open);
  const compare = async (name: string): Promise<void> => {
    const model = sampleNamed(name);
    if (model !== undefined) await compareWithModel(model);
    rescueFocus('#compare-end');
  };
  return html`<p id="compare-samples">${t.compareSample}</p>
    <ul class="models-samples" role="list" aria-labelledby="compare-samples">
      ${others.map(({ name, label }) => html`<li><button class="button quiet" type="button" data-compare=${name} @click=${() => void compare(name)}>${visible(label)}</button></li>`)}
    </ul>`;
}

export function compareTab(state: State, name: string): TemplateResult {
  const t = workspaceTexts[state.language];
  const isCompared = currentComparison() !== undefined;
  return html`${isCompared ? nothing : html`<p>${t.compareIntro}</p>`}
    <div class=${isCompared ? 'compare-choose' : 'compare-choose card'}>
      <p>${fileField(state)} ${isCompared ? nothing : t.compareDrop}</p>
      ${isCompared ? nothing : samplesPart(state)}
    </div>
    ${comparePart(state, name)}`;
}
