// The panel while nothing is chosen: who wrote the file, its texts, its functions, its inputs, outputs and initializers.
import type { ValueInfo } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible, visibleLines } from '../../../shared/visible.js';
import { change, type State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { showBytes } from '../views/units.js';
import { chooseValue } from './looked.js';
import type { ModelReport } from './protocol.js';
import { onOther } from './session.js';
import { initializerButton, type Texts, typeLine } from './values-part.js';

const firstInitializers = 20;
const moreInitializers = 100;
let shown = firstInitializers;

onOther(() => {
  shown = firstInitializers;
});

type Row = readonly [label: string, text: string];

function rowsPart(rows: readonly Row[]): TemplateResult | typeof nothing {
  const given = rows.filter(([, text]) => text !== '');
  if (given.length === 0) return nothing;
  return html`<dl class="panel-rows">
    ${given.map(([label, text]) => html`<dt>${visible(label)}</dt><dd class="panel-doc">${visibleLines(text)}</dd>`)}
  </dl>`;
}

function valuesPart(label: string, kind: 'input' | 'output', values: readonly ValueInfo[], t: Texts): TemplateResult {
  return html`<h4>${label}</h4>
    ${values.length === 0 ? html`<p class="muted">${t.none}</p>` : nothing}
    <ul class="panel-list" role="list">
      ${values.map(
        (value) => html`<li>
          <button class="panel-link mono" type="button" @click=${() => chooseValue({ kind, place: '', name: value.name })}>${visible(value.name)}</button>
          ${typeLine({ declared: value }, t)}
        </li>`,
      )}
    </ul>`;
}

function initializersPart({ initializers }: ModelReport, t: Texts): TemplateResult | typeof nothing {
  if (initializers.length === 0) return nothing;
  const rest = initializers.length - shown;
  const bytes = initializers.reduce((sum, one) => sum + one.bytes, 0);
  const more = (): void => {
    shown += moreInitializers;
    change({});
  };
  return html`<h4>${t.initializers(initializers.length, showBytes(bytes))}</h4>
    <ul class="panel-list" role="list">
      ${initializers.slice(0, shown).map(
        (one, i) => html`<li>
          <span class="mono panel-text">${visible(one.name)}</span> ${typeLine({ declared: one }, t)}
          ${one.graph === '' ? nothing : html`<span class="muted mono">${visible(one.graph)}</span>`}
          ${initializerButton(t, i, one)}
        </li>`,
      )}
    </ul>
    ${rest > 0 ? html`<button class="button quiet" type="button" @click=${more}>${t.more(Math.min(moreInitializers, rest))}</button>` : nothing}`;
}

export function modelFacts({ language }: State, report: ModelReport): TemplateResult {
  const t = modelsTexts[language];
  const { metadata, inputs, outputs } = report;
  const { producerName, producerVersion, irVersion, opsets, domain, modelVersion } = metadata;
  const { docString, properties, graphName, graphDocString, graphProperties, functions } = metadata;
  const opsetText = opsets.map((one) => `${one.domain === '' ? 'ai.onnx' : one.domain} ${one.version}`).join(', ');
  const functionRows = functions.map((one): Row => {
    const name = [one.domain, one.name, one.overload].filter((part) => part !== '').join('.');
    return [name, one.docString || '–'];
  });
  const propertyRows = [...Object.entries(properties), ...Object.entries(graphProperties)];
  return html`<h3 class="panel-title" id="panel-title">${t.aboutModel}</h3>
    <p class="muted">${t.chooseHint}</p>
    ${rowsPart([
      [t.producer, `${producerName} ${producerVersion}`.trim()],
      [t.format, `IR ${irVersion}`],
      [t.opsets, opsetText],
      [t.domain, domain],
      [t.modelVersion, Number(modelVersion) === 0 ? '' : String(modelVersion)],
      [t.graphName, graphName],
      [t.docString, docString],
      [t.graphDocString, graphDocString],
    ])}
    ${propertyRows.length === 0 ? nothing : html`<h4>${t.properties}</h4> ${rowsPart(propertyRows)}`}
    ${functions.length === 0 ? nothing : html`<h4>${t.functions}</h4> ${rowsPart(functionRows)}`}
    ${valuesPart(t.inputs, 'input', inputs, t)} ${valuesPart(t.outputs, 'output', outputs, t)}
    ${initializersPart(report, t)}`;
}
