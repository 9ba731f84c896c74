// The page of one operator: what it does, its versions and what changed between them, its examples, running.
import type { Operator, OperatorVersion } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { documentOf } from '../documents.js';
import { examplesOf, foreignOf, operatorOf, playOf } from '../facts.js';
import { hashOf } from '../router.js';
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
import { codeLinks, codeSection } from './operator-code.js';
import './operator.css';

/** The version that is shown, and the one that it is compared with: by default the newest and the one before it. */
function chosen(operator: Operator, route: State['route']): { from: OperatorVersion | undefined; to: OperatorVersion } {
  const { versions } = operator;
  const asked = route.page === 'operator' ? route : { from: undefined, to: undefined };
  const find = (version: number | undefined) => versions.find(({ sinceVersion }) => sinceVersion === version);
  const to = find(asked.to) ?? (versions.at(-1) as OperatorVersion);
  return { to, from: find(asked.from) ?? (asked.to === undefined ? versions[versions.indexOf(to) - 1] : undefined) };
}

/** The words that were shown last: they stand while those of another language are on their way. */
let last: { readonly operator: string; readonly words: OperatorText } | undefined;

export function operatorPage(state: State): TemplateResult {
  const { route, language } = state;
  const name = route.page === 'operator' ? route.operator : state.call.operator;
  const known = wordsOf(name, language);
  if (known !== undefined && !(known instanceof Error)) last = { operator: name, words: known };
  const words = known ?? (last?.operator === name ? last.words : undefined);
  return html`<div class="operator-page">
    ${operatorList(state, name)}
    <div class="content" id="content" tabindex="-1">
      <h1>${name}</h1>
      <p class="summary">${playOf(name).summary?.[language]}</p>
      ${words === undefined ? html`<div class="operator-waits"></div>` : stage(state, name, words)}
    </div>
  </div>`;
}

/** The interactive part, and what stands below it once that has a result. */
function stage(state: State, name: string, words: OperatorText | Error): TemplateResult {
  const text = words instanceof Error ? undefined : words;
  return html`${stageView(state, true, text)} ${codeLinks(state)}
  ${words instanceof Error ? missing(state, words) : about(state, name, words)}`;
}

/** Below the stage: what the operator does, its versions, code, examples, and where to go from here. */
function about(state: State, name: string, words: OperatorText): TemplateResult {
  const { route, language } = state;
  const t = operatorPageTexts[language];
  const operator = operatorOf(name) as Operator;
  const { from, to } = chosen(operator, route);
  const examples = examplesOf(name);
  return html`<h2>${stageTexts[language].about(name)}</h2>
    ${words.details.map((paragraph) => html`<p>${paragraph}</p>`)}
    ${versionSection(state, operator, words, from, to)} ${codeSection(state, name)}
    <section aria-labelledby="examples">
      <h2 id="examples">${t.examples}</h2>
      <p class="muted">${t.examplesNote}</p>
      <div class="cards">
        ${examples.map((example) => exampleCard(state, example, words.examples?.[example.name]))}
      </div>
    </section>
    ${seeAlso(state, name)}`;
}

/** Names in other libraries, operators nearby, and what ONNX and the documentation say. */
function seeAlso({ language }: State, name: string): TemplateResult {
  const t = operatorPageTexts[language];
  const { aliases = [], see = [] } = playOf(name);
  return html`<section class="see-also" aria-labelledby="see-also">
    <h2 id="see-also">${t.seeAlso}</h2>
    ${see.length === 0 ? nothing : html`<p>${t.neighbours} ${see.map((one) => html`<a class="chip" href=${hashOf(pageOf(one))}>${one}</a> `)}</p>`}
    ${aliases.length === 0 ? nothing : html`<p>${t.inLibraries} ${aliases.map((one) => html`<code class="chip">${one}</code> `)}</p>`}
    <ul>
      <li><a href=${documentOf(name)}>${t.document(name)}</a></li>
      <li><a href="https://onnx.ai/onnx/operators/onnx__${name}.html">${t.reference(name)}</a></li>
    </ul>
  </section>`;
}

/** The page of an operator, which may be one that does not run. */
function pageOf(operator: string): State['route'] {
  return { page: foreignOf(operator) === undefined ? 'operator' : 'foreign', operator };
}
