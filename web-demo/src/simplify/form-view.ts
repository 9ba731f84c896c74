// The form of the model that is open.
import type { ValueInfo } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { visible } from '../../../shared/visible.js';
import { typeText } from '../models/type-info.js';
import type { State } from '../state.js';
import { simplifyTexts } from '../texts/simplify.js';
import { field, problemAt } from '../views/field.js';
import { type FieldSpec, fieldsOf, numberFields } from './form.js';
import { currentSession, editForm, editText, runSimplify, stop } from './session.js';
import type { Opened } from './work.js';

type Texts = (typeof simplifyTexts)['en'];

function textField(place: string, label: string, hint?: string, isNumber = false): TemplateResult {
  const { form, problem } = currentSession();
  return field({
    ...{ id: place, label, problem },
    ...(hint === undefined ? {} : { hint }),
    control: ({ id, invalid, describedBy }) => html`<input
      id=${id}
      class="mono"
      type="text"
      inputmode=${isNumber ? 'numeric' : 'text'}
      autocomplete="off"
      spellcheck="false"
      aria-invalid=${invalid}
      aria-describedby=${describedBy}
      .value=${live(form.texts[place] ?? '')}
      @input=${(event: Event) => editText(place, (event.target as HTMLInputElement).value)}
    />`,
  });
}

function specField(spec: FieldSpec, inputs: readonly ValueInfo[], t: Texts): TemplateResult {
  switch (spec.kind) {
    case 'dim':
      return textField(spec.place, t.setTo(visible(spec.name)), t.ofInputs(spec.inputs.map(visible)), true);
    case 'axis':
      return textField(spec.place, t.setTo(t.axisOf(visible(spec.input), spec.axis)), t.axisHint);
    case 'shape':
      return textField(spec.place, t.setTo(t.shapeOf(visible(spec.input))), t.shapeHint);
    default: {
      const info = inputs.find(({ name }) => name === spec.input);
      return textField(spec.place, t.setTo(visible(spec.input)), t.valueHint((info && typeText(info)) ?? spec.type));
    }
  }
}

function checkbox(label: string, isChecked: boolean, use: (isChecked: boolean) => void): TemplateResult {
  return html`<label class="simplify-check">
    <input
      type="checkbox"
      .checked=${live(isChecked)}
      @change=${(event: Event) => use((event.target as HTMLInputElement).checked)}
    />
    ${label}
  </label>`;
}

function outputsPart(model: Opened, t: Texts): TemplateResult | typeof nothing {
  const { form } = currentSession();
  if (model.outputs.length < 2) return nothing;
  const keep = (name: string, isKept: boolean): void => {
    const dropped = new Set(form.dropped);
    if (isKept) dropped.delete(name);
    else dropped.add(name);
    editForm({ dropped });
  };
  return html`<fieldset>
    <legend>${t.outputs}</legend>
    ${model.outputs.map(({ name }) => checkbox(visible(name), !form.dropped.has(name), (isKept) => keep(name, isKept)))}
  </fieldset>`;
}

function optionsPart(t: Texts): TemplateResult {
  const { form } = currentSession();
  return html`<fieldset>
    <legend>${t.options}</legend>
    ${checkbox(t.fuseInexact, form.fuseInexact, (fuseInexact) => editForm({ fuseInexact }))}
    ${checkbox(t.valueInfo, form.valueInfo, (valueInfo) => editForm({ valueInfo }))}
    <div class="simplify-fields">
      ${textField(numberFields.unroll, t.unroll, t.unrollHint, true)}
      ${textField(numberFields.maxGrowth, t.maxGrowth, t.maxGrowthHint, true)}
    </div>
  </fieldset>`;
}

export function formView({ language }: State, model: Opened): TemplateResult {
  const t = simplifyTexts[language];
  const { running, problem } = currentSession();
  const fields = fieldsOf(model);
  const sizes = fields.filter(({ kind }) => kind !== 'value');
  const values = fields.filter(({ kind }) => kind === 'value');
  const list = (specs: readonly FieldSpec[]) =>
    html`<div class="simplify-fields">${specs.map((spec) => specField(spec, model.inputs, t))}</div>`;
  const submit = (event: Event): void => {
    event.preventDefault();
    void runSimplify();
  };
  const isElsewhere = problem !== undefined && document.getElementById(problem.place) === null;
  return html`<form class="card simplify-form" @submit=${submit}>
    <fieldset>
      <legend>${t.sizes}</legend>
      <p class="muted">${sizes.length === 0 ? t.noSizes : t.sizesNote}</p>
      ${list(sizes)}
    </fieldset>
    ${
      values.length === 0
        ? nothing
        : html`<fieldset>
            <legend>${t.values}</legend>
            <p class="muted">${t.valuesNote}</p>
            ${list(values)}
          </fieldset>`
    }
    ${outputsPart(model, t)} ${optionsPart(t)}
    <div class="simplify-buttons">
      <button class="button" id="simplify-run" type="submit">${running === undefined ? t.run : t.running}</button>
      ${running === undefined ? nothing : html`<button class="button quiet" id="simplify-stop" type="button" @click=${stop}>${t.stop}</button>`}
    </div>
    ${
      problem === undefined
        ? nothing
        : html`<div role="alert">
            <p>${t.failed}</p>
            ${isElsewhere ? problemAt(problem, problem.place) : nothing}
          </div>`
    }
  </form>`;
}
