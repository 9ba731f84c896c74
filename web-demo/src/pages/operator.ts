// The page of one operator: what it does, its versions and what changed between them, its examples, running.
import type { AttributeRow, Operator, OperatorVersion, ParameterRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Difference, differences } from '../differences.js';
import { examples, operatorOf, operators, typeRows, typesOf } from '../facts.js';
import { hashOf } from '../router.js';
import type { State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { operatorTexts } from '../texts/operators.js';
import { typeTexts } from '../texts/types.js';
import { exampleCard } from '../views/example-card.js';
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
  const t = operatorPageTexts[language];
  const name = route.page === 'operator' ? route.operator : 'Expand';
  const operator = operatorOf(name) as Operator;
  const words = operatorTexts[language][name];
  const { from, to } = chosen(operator, route);
  const own = examples.filter((example) => example.operator === name);
  return html`<div class="operator-page">
    <nav class="operators" aria-label=${t.operators}>
      <ul>
        ${operators.map(
          ({ name: other }) =>
            html`<li>
              <a href=${hashOf({ page: 'operator', operator: other })} aria-current=${other === name ? 'page' : 'false'}
                >${other}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    <div class="content">
      <h1>${name}</h1>
      <p class="summary">${words?.summary}</p>
      ${words?.details.map((paragraph) => html`<p>${paragraph}</p>`)}
      <section aria-labelledby="examples">
        <h2 id="examples">${t.examples}</h2>
        <p class="muted">${own.length > 0 ? t.examplesNote : t.noExamples}</p>
        <div class="cards">${own.map((example) => exampleCard(state, example))}</div>
      </section>
      ${versionSection(state, operator, from, to)}
    </div>
  </div>`;
}

function versionSection(
  { language }: State,
  operator: Operator,
  from: OperatorVersion | undefined,
  to: OperatorVersion,
): TemplateResult {
  const t = operatorPageTexts[language];
  const label = ({ sinceVersion }: OperatorVersion) => t.versionOption(operator.name, sinceVersion);
  const next = operator.versions[operator.versions.indexOf(to) + 1]?.sinceVersion;
  const go = (versions: { from?: number | undefined; to: number }): void => {
    location.hash = hashOf({ page: 'operator', operator: operator.name, ...versions });
  };
  const select = (id: string, text: string, now: OperatorVersion | undefined, use: (version: number) => void) =>
    html`<label class="inline" for=${id}>${text}</label>
      <select id=${id} @change=${(event: Event) => use(Number((event.target as HTMLSelectElement).value))}>
        ${now === undefined ? html`<option selected value="">–</option>` : nothing}
        ${operator.versions.map(
          (version) =>
            html`<option value=${version.sinceVersion} .selected=${version === now}>${label(version)}</option>`,
        )}
      </select>`;
  const news = operatorTexts[language][operator.name]?.versions[to.sinceVersion];
  return html`<section class="versions" aria-labelledby="versions">
    <h2 id="versions">${t.version}</h2>
    <p class="choice">
      ${select('version', t.version, to, (version) => go({ from: from?.sinceVersion, to: version }))}
      ${select('compared', t.compared, from, (version) => go({ from: version, to: to.sinceVersion }))}
      <span class="muted">${t.since(to.sinceVersion, next)}</span>
    </p>
    ${news === undefined ? nothing : html`<p>${news}</p>`}
    ${from === undefined ? nothing : changes(language, label(from), label(to), differences(from, to))}
    <h3>${t.signature}</h3>
    ${signature(language, operator, to)}
    <h3>${t.types}</h3>
    ${typeLists(language, from, to)}
  </section>`;
}

function changes(language: State['language'], from: string, to: string, list: readonly Difference[]): TemplateResult {
  const t = operatorPageTexts[language];
  return html`<h3>${t.changes(from, to)}</h3>
    ${
      list.length === 0
        ? html`<p>${t.noChanges}</p>`
        : html`<ul class="differences">
          ${list.map(
            ({ kind, what, name, details }) =>
              html`<li data-kind=${kind}>
                <strong>${t.kinds[kind]}</strong> ${t.whats[what]} <span class="mono">${name}</span>:
                <span class="mono">${details.join(', ')}</span>
              </li>`,
          )}
        </ul>`
    }`;
}

function signature(language: State['language'], operator: Operator, version: OperatorVersion): TemplateResult {
  const t = operatorPageTexts[language];
  const words = operatorTexts[language][operator.name];
  const row = (kind: string, name: string, type: string, about: string | undefined) =>
    html`<tr>
      <th scope="row"><span class="mono">${name}</span> <span class="muted">${kind}</span></th>
      <td class="mono">${type}</td>
      <td>${about}</td>
    </tr>`;
  const parameter = (kind: string, texts: { readonly [name: string]: string } | undefined) => (it: ParameterRow) =>
    row(
      kind,
      it.name,
      [it.type, ...(it.option === 'Single' ? [] : [t.options[it.option]])].join(', '),
      texts?.[it.name],
    );
  const attribute = (it: AttributeRow) => {
    const notes = [it.type, it.required ? t.required : '', it.default === undefined ? '' : t.default(it.default)];
    return row(t.table.attribute, it.name, notes.filter(Boolean).join(', '), words?.attributes[it.name]);
  };
  return html`<div class="scroll-x" tabindex="0" role="group" aria-label=${t.signature}>
    <table>
      <thead>
        <tr>
          <th scope="col">${t.table.name}</th>
          <th scope="col">${t.table.type}</th>
          <th scope="col">${t.table.about}</th>
        </tr>
      </thead>
      <tbody>
        ${version.inputs.map(parameter(t.table.input, words?.inputs))}
        ${version.outputs.map(parameter(t.table.output, words?.outputs))} ${version.attributes.map(attribute)}
      </tbody>
    </table>
  </div>`;
}

/** For each type constraint, all element types: those that it allows, and those that are new, marked. */
function typeLists(
  language: State['language'],
  from: OperatorVersion | undefined,
  version: OperatorVersion,
): TemplateResult[] {
  const t = operatorPageTexts[language];
  return Object.keys(version.typeConstraints).map((constraint) => {
    const parameters = [...version.inputs, ...version.outputs].filter(({ type }) => type === constraint);
    const allowed = typesOf(version, constraint);
    const before = from && [...from.inputs, ...from.outputs].find(({ name }) => name === parameters[0]?.name);
    const had = from && before ? typesOf(from, before.type) : allowed;
    return html`<h4>
        <span class="mono">${constraint}</span> ${t.typesOf(parameters.map(({ name }) => name).join(', '))}
      </h4>
      <ul class="types">
        ${typeRows.map(({ name }) => {
          const isAllowed = allowed.includes(name);
          const isNew = isAllowed && !had.includes(name);
          const note = isNew ? t.newHere : isAllowed ? '' : t.notAllowed;
          return html`<li
            class="chip mono"
            data-allowed=${isAllowed}
            data-new=${isNew}
            title=${[typeTexts[language][name], note].filter(Boolean).join('; ')}
          >
            ${name}${note ? html`<span class="visually-hidden"> (${note})</span>` : nothing}
          </li>`;
        })}
      </ul>`;
  });
}
