// The page of one operator: what it does, its versions and what changed between them, its examples, running.
import type { Operator, OperatorVersion } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { documentOf } from '../documents.js';
import { examplesOf, operatorOf, playOf } from '../facts.js';
import { stageView } from '../stage/stage-view.js';
import type { State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import type { OperatorText } from '../texts/operator-text.js';
import { stageTexts } from '../texts/stage.js';
import { exampleCard } from '../views/example-card.js';
import { missing } from '../views/missing.js';
import { operatorList } from '../views/operator-list.js';
import { versionSection } from '../views/versions.js';
import { wordsOf } from '../words.js';
import './operator.css';

/** The version that is shown, and the one that it is compared with: by default the newest and the one before it. */
function chosen(operator: Operator, route: State['route']): { from: OperatorVersion | undefined; to: OperatorVersion } {
  const { versions } = operator;
  const asked = route.page === 'operator' ? route : { from: undefined, to: undefined };
  const find = (version: number | undefined) => versions.find(({ sinceVersion }) => sinceVersion === version);
  const to = find(asked.to) ?? (versions.at(-1) as OperatorVersion);
  return { to, from: find(asked.from) ?? (asked.to === undefined ? versions[versions.indexOf(to) - 1] : undefined) };
}

export function operatorPage(state: State): TemplateResult {
  const { route, language } = state;
  const name = route.page === 'operator' ? route.operator : state.call.operator;
  const words = wordsOf(name, language);
  return html`<div class="operator-page">
    ${operatorList(state, name)}
    <div class="content" id="content" tabindex="-1">
      <h1>${name}</h1>
      <p class="summary">${playOf(name).summary?.[language]}</p>
      ${stageView(state, true)}
      ${words === undefined ? nothing : words instanceof Error ? missing(state, words) : about(state, name, words)}
    </div>
  </div>`;
}

/** Below the stage: what the operator does, its examples and its versions. */
function about(state: State, name: string, words: OperatorText): TemplateResult {
  const { route, language } = state;
  const t = operatorPageTexts[language];
  const operator = operatorOf(name) as Operator;
  const { from, to } = chosen(operator, route);
  const examples = examplesOf(name);
  return html`<h2>${stageTexts[language].about(name)}</h2>
    ${words.details.map((paragraph) => html`<p>${paragraph}</p>`)}
    <p><a href=${documentOf(name)}>${t.document(name)}</a></p>
    <section aria-labelledby="examples">
      <h2 id="examples">${t.examples}</h2>
      <p class="muted">${t.examplesNote}</p>
      <div class="cards">
        ${examples.map((example) => exampleCard(state, example, words.examples?.[example.name]))}
      </div>
    </section>
    ${versionSection(state, operator, words, from, to)}`;
}
