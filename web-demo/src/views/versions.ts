// The versions of an operator: the one that is shown with its parameters and types, and what changed since another one.
import type { AttributeRow, Operator, OperatorVersion, ParameterRow } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Difference, differences } from '../differences.js';
import { typeRows, typesOf } from '../facts.js';
import { hashOf } from '../router.js';
import type { State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import type { OperatorText } from '../texts/operator-text.js';
import { colonOf } from '../texts/texts.js';
import { typeTexts } from '../texts/types.js';

export function versionSection(
  { language }: State,
  operator: Operator,
  words: OperatorText,
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
  return html`<section class="versions" aria-labelledby="versions">
    <h2 id="versions">${t.version}</h2>
    <p class="choice">
      ${select('version', t.version, to, (version) => go({ from: from?.sinceVersion, to: version }))}
      ${select('compared', t.compared, from, (version) => go({ from: version, to: to.sinceVersion }))}
      <span class="muted">${t.since(to.sinceVersion, next)}</span>
    </p>
    ${newsView(language, operator, words, from, to)}
    ${from === undefined ? nothing : changes(language, label(from), label(to), differences(from, to))}
    <h3>${t.signature}</h3>
    ${signature(language, words, to)}
    <h3>${t.types}</h3>
    ${typeLists(language, from, to)}
  </section>`;
}

/** The words about each version after `from`, up to `to`. */
function newsView(
  language: State['language'],
  { name, versions }: Operator,
  words: OperatorText,
  from: OperatorVersion | undefined,
  to: OperatorVersion,
): TemplateResult | typeof nothing {
  const t = operatorPageTexts[language];
  const isLater = ({ sinceVersion }: OperatorVersion) => sinceVersion > (from?.sinceVersion ?? 0);
  const since = versions.filter((one) => one === to || (isLater(one) && one.sinceVersion < to.sinceVersion));
  const news = (from === undefined ? [to] : since).flatMap(({ sinceVersion }) => {
    const text = words.versions?.[sinceVersion];
    return text === undefined ? [] : [[t.versionOption(name, sinceVersion), text] as const];
  });
  if (news.length < 2) return news.length === 0 ? nothing : html`<p>${news[0]?.[1]}</p>`;
  return html`<ul class="versions-news">
    ${news.map(([version, text]) => html`<li><strong>${version}</strong>${colonOf(language)}${text}</li>`)}
  </ul>`;
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

function signature(language: State['language'], words: OperatorText, version: OperatorVersion): TemplateResult {
  const t = operatorPageTexts[language];
  const row = (kind: string, name: string, type: string, about: string | undefined) =>
    html`<tr>
      <th scope="row"><span class="mono">${name}</span> <span class="muted">${kind}</span></th>
      <td class="mono">${type}</td>
      <td>${about}</td>
    </tr>`;
  const parameter = (kind: string, texts: { readonly [name: string]: string }) => (it: ParameterRow) =>
    row(kind, it.name, [it.type, ...(it.option === 'Single' ? [] : [t.options[it.option]])].join(', '), texts[it.name]);
  const attribute = (it: AttributeRow) => {
    const notes = [
      it.isDataType ? t.elementType : it.type,
      it.required ? t.required : '',
      it.choices === undefined ? '' : t.choices(it.choices),
      it.default === undefined ? '' : t.default(it.default),
    ];
    return row(t.table.attribute, it.name, notes.filter(Boolean).join(', '), words.attributes[it.name]);
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
        ${version.inputs.map(parameter(t.table.input, words.inputs))}
        ${version.outputs.map(parameter(t.table.output, words.outputs))} ${version.attributes.map(attribute)}
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
