// The result of simplifying: how much smaller the model is, what was done, what stayed and why.

import type { DynamicSize, ModelSummary, SimplifyReport } from 'broadloom';
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { fixText } from '../../../shared/fix-text.js';
import { visible } from '../../../shared/visible.js';
import { compareWith } from '../models/compare.js';
import type { KeptModel } from '../models/kept.js';
import { currentSession as modelsSession, openModel as openToRun } from '../models/session.js';
import { showTab } from '../models/tabs.js';
import type { State } from '../state.js';
import { simplifyTexts } from '../texts/simplify.js';
import type { Language } from '../texts/texts.js';
import { libraryText } from '../views/library-text.js';
import { saveFile } from '../views/save-file.js';
import { showBytes, showCount, showTime } from '../views/units.js';
import { type FieldSpec, fieldOfFix, fieldsOf } from './form.js';
import './graph-view.js';
import { currentSession, editText } from './session.js';
import type { Opened, Simplified } from './work.js';

type Texts = (typeof simplifyTexts)['en'];

const firstOperators = 12;
const firstItems = 20;

/** Items of a list: those that are many fold. */
function folding<T>(items: readonly T[], first: number, t: Texts, view: (items: readonly T[]) => TemplateResult) {
  const rest = items.slice(first);
  return html`${view(items.slice(0, first))}
    ${
      rest.length === 0
        ? nothing
        : html`<details class="simplify-more">
            <summary>${t.more(rest.length)}</summary>
            ${view(rest)}
          </details>`
    }`;
}

function figures({ before, after }: SimplifyReport, took: number, t: Texts): TemplateResult {
  const line = (name: string, from: number, to: number, show: (value: number) => string) => html`<div>
    <dt>${name}</dt>
    <dd>
      <span class="mono">${show(from)} → <strong>${show(to)}</strong></span>
      <span class="simplify-less">${t.difference(from, to)}</span>
    </dd>
  </div>`;
  return html`<dl class="simplify-figures">
      ${line(t.nodes, before.nodes, after.nodes, showCount)} ${line(t.file, before.bytes, after.bytes, showBytes)}
    </dl>
    <p class="muted">${t.took(showTime(took * 1000))}</p>`;
}

/** A bar as long as its part of the longest one. */
function bar(count: number, most: number, side: 'before' | 'after'): TemplateResult {
  return html`<svg class="simplify-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class=${`simplify-bar-${side}`} width=${count === 0 ? 0 : Math.max(0.6, (100 * count) / most)} height="1" />`}
  </svg>`;
}

function operatorsTable({ before, after }: SimplifyReport, t: Texts): TemplateResult {
  const countIn = ({ operators }: ModelSummary, name: string): number =>
    Object.hasOwn(operators, name) ? (operators[name] as number) : 0;
  const names = [...new Set([...Object.keys(before.operators), ...Object.keys(after.operators)])];
  const rows = names
    .map((name) => ({ name, before: countIn(before, name), after: countIn(after, name) }))
    .sort((a, b) => b.before - a.before || b.after - a.after || (a.name < b.name ? -1 : 1));
  const most = Math.max(1, ...rows.flatMap((row) => [row.before, row.after]));
  const table = (shown: readonly (typeof rows)[number][]): TemplateResult => html`<table class="simplify-operators">
    <thead>
      <tr>
        <th scope="col">${t.operator}</th>
        <th scope="col">${t.before}</th>
        <th scope="col">${t.after}</th>
      </tr>
    </thead>
    <tbody>
      ${shown.map(
        (row) => html`<tr>
          <th scope="row">${visible(row.name)}</th>
          ${(['before', 'after'] as const).map((side) => html`<td><span class="mono">${row[side]}</span>${bar(row[side], most, side)}</td>`)}
        </tr>`,
      )}
    </tbody>
  </table>`;
  const rest = rows.slice(firstOperators);
  return html`<section aria-labelledby="simplify-operators">
    <h3 id="simplify-operators">${t.operators}</h3>
    ${table(rows.slice(0, firstOperators))}
    ${
      rest.length === 0
        ? nothing
        : html`<details class="simplify-more">
            <summary>${t.moreOperators(rest.length)}</summary>
            ${table(rest)}
          </details>`
    }
  </section>`;
}

function passesPart({ passes }: SimplifyReport, t: Texts): TemplateResult {
  const text = (kind: string, count: number): string => t.passNames[kind]?.(count) ?? t.otherPass(kind, count);
  const counts = new Map<string, number>();
  for (const { kind, count } of passes) counts.set(kind, (counts.get(kind) ?? 0) + count);
  return html`<section aria-labelledby="simplify-passes">
    <h3 id="simplify-passes">${t.passes}</h3>
    ${passes.length === 0 ? html`<p>${t.noPasses}</p>` : html`<ul>${[...counts].map(([kind, count]) => html`<li>${text(kind, count)}</li>`)}</ul>`}
  </section>`;
}

/** Goes to the field that a fix speaks of, with a size that is likely. */
function fill({ place }: FieldSpec, size: string): void {
  if (size !== '') editText(place, size);
  const input = document.getElementById(place);
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.select();
}

/** The size that a click fills in: most first axes are a batch, which is 1. A text that somebody has typed stays. */
function firstSize({ place }: FieldSpec, axis: number | null): string {
  return axis === 0 && (currentSession().form.texts[place] ?? '').trim() === '' ? '1' : '';
}

/** The fix in the words of its field. */
function setText(field: FieldSpec, axis: number | null, t: Texts): string {
  switch (field.kind) {
    case 'dim':
      return t.set(visible(field.name), firstSize(field, axis));
    case 'axis':
      return t.set(t.axisOf(visible(field.input), field.axis), firstSize(field, axis));
    case 'shape':
      return t.set(t.shapeOf(visible(field.input)), '');
    default:
      return t.setValue(visible(field.input));
  }
}

/** A button that goes to the field for what a report advises to pass; nothing when the form has none. */
function fillButton(
  { fix, axis }: Pick<DynamicSize, 'fix' | 'axis'>,
  model: Opened,
  t: Texts,
): TemplateResult | undefined {
  const field = fieldOfFix(fieldsOf(model), fix, axis);
  if (field === undefined) return undefined;
  const isSize = field.kind === 'dim' || field.kind === 'axis';
  return html`<button
    class="button quiet simplify-fix"
    type="button"
    @click=${() => fill(field, isSize ? firstSize(field, axis) : '')}
  >
    ${setText(field, axis, t)}
  </button>`;
}

/** A button where the form has a field, else the option as text. */
function adviceOn(advised: Pick<DynamicSize, 'fix' | 'axis'>, model: Opened, t: Texts) {
  if (advised.fix === null) return nothing;
  return fillButton(advised, model, t) ?? html`${t.pass} <code>${visible(fixText(advised.fix))}</code>`;
}

function dynamicItem(size: DynamicSize, model: Opened, t: Texts): TemplateResult {
  const { from, value, operator, axis, name, nodes, shapeNodes } = size;
  const what =
    from === 'input'
      ? t.dynamicInput(visible(value), axis, name === null ? null : visible(name))
      : t.dynamicOperator(visible(operator ?? ''), visible(value), axis);
  return html`<li>${what} ${t.hanging(nodes, shapeNodes)} ${adviceOn(size, model, t)}</li>`;
}

function dynamicPart({ dynamic }: SimplifyReport, model: Opened, t: Texts): TemplateResult {
  return html`<section aria-labelledby="simplify-dynamic">
    <h3 id="simplify-dynamic">${t.dynamic}</h3>
    ${
      dynamic.length === 0
        ? html`<p>${t.noDynamic}</p>`
        : folding(
            dynamic,
            firstItems,
            t,
            (items) => html`<ul class="simplify-reasons">${items.map((size) => dynamicItem(size, model, t))}</ul>`,
          )
    }
  </section>`;
}

function keptPart(
  { kept }: SimplifyReport,
  model: Opened,
  language: Language,
  t: Texts,
): TemplateResult | typeof nothing {
  if (kept.length === 0) return nothing;
  return html`<section aria-labelledby="simplify-kept">
    <h3 id="simplify-kept">${t.kept}</h3>
    ${folding(
      kept,
      firstItems,
      t,
      (items) => html`<ul class="simplify-reasons">
        ${items.map(
          (graph) =>
            html`<li><strong>${t.keptGraph(graph.operator, visible(graph.node))}</strong>: ${libraryText(graph.reason, language)} ${adviceOn(graph, model, t)}</li>`,
        )}
      </ul>`,
    )}
  </section>`;
}

function warningsPart({ warnings }: SimplifyReport, language: Language, t: Texts): TemplateResult | typeof nothing {
  if (warnings.length === 0) return nothing;
  return html`<section aria-labelledby="simplify-warnings">
    <h3 id="simplify-warnings">${t.warnings}</h3>
    ${folding(warnings, firstItems, t, (items) => html`<ul>${items.map((text) => html`<li>${libraryText(text, language)}</li>`)}</ul>`)}
  </section>`;
}

/** The files beside the model that the result has weights in. */
function filesPart({ files }: SimplifyReport, t: Texts): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<section aria-labelledby="simplify-files">
    <h3 id="simplify-files">${t.beside}</h3>
    ${folding(files, firstItems, t, (items) => html`<ul>${items.map((location) => html`<li>${visible(location)}</li>`)}</ul>`)}
  </section>`;
}

function graphPart({ picture, collapsed }: Simplified, { language, theme }: State, t: Texts): TemplateResult {
  return html`<section aria-labelledby="simplify-graph">
    <h3 id="simplify-graph">${t.graph}</h3>
    ${
      typeof picture === 'string'
        ? html`<p>${t[picture]}</p>`
        : html`<simplify-graph .given=${{ picture, collapsed, language, theme }}></simplify-graph>`
    }
  </section>`;
}

const resultName = (name: string): string => name.replace(/(\.onnx)?$/i, '.simplified.onnx');

/** Shows the model and the result side by side in the tab Compare. */
async function compare(source: KeptModel, blob: Blob): Promise<void> {
  const { opened, source: open } = modelsSession();
  const opening = opened.status === 'open' && open === source ? undefined : openToRun(source);
  showTab('compare');
  await opening;
  await compareWith([new File([blob], resultName(source.name)), ...(source.beside ?? [])]);
}

export function reportView(state: State, model: Opened, result: Simplified): TemplateResult {
  const t = simplifyTexts[state.language];
  const { form, resultForm, source } = currentSession();
  const { report, took, blob } = result;
  return html`<section aria-labelledby="simplify-result">
    <h2 id="simplify-result">${t.result}</h2>
    ${figures(report, took, t)}
    <p class="simplify-buttons">
      <button class="button" id="simplify-download" type="button" @click=${() => saveFile(resultName(source.name), blob)}>${t.download}</button>
      <button class="button quiet" id="simplify-compare" type="button" @click=${() => void compare(source, blob)}>${t.compare}</button>
      <span class="muted" role="status">${form === resultForm ? nothing : t.stale}</span>
    </p>
    <div class="simplify-columns">
      ${passesPart(report, t)}
      <div>${dynamicPart(report, model, t)} ${keptPart(report, model, state.language, t)} ${warningsPart(report, state.language, t)} ${filesPart(report, t)}</div>
    </div>
    ${graphPart(result, state, t)} ${operatorsTable(report, t)}
  </section>`;
}
