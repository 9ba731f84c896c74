// A documented example as a card that runs: its call, the expected output and the one that this page computes.
import { html, nothing, type TemplateResult } from 'lit-html';
import { attributeText, exampleDraft, isFilled, isTensor } from '../example-draft.js';
import { type Example, type ExampleTensor, newestOpset, operatorOf, versionOf } from '../facts.js';
import { parameterName } from '../inputs.js';
import { hashOf } from '../router.js';
import { ask, unanswered } from '../runtime/client.js';
import type { ExampleReport } from '../runtime/protocol.js';
import { change, edit, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { nested } from '../values/nested.js';
import { shownWords, tensorLines } from '../values/shown.js';
import './example-card.css';

/** The outcome of an example. If it could not run, `actual` says why. */
type Outcome = ExampleReport | { readonly agreement: 'failed'; readonly actual: string };

const outcomes = new Map<Example, Outcome | 'running'>();

function unknown(error: unknown): Outcome {
  return { agreement: 'failed', actual: unanswered(error).problem.message };
}

function outcomeOf(example: Example): Outcome | undefined {
  const known = outcomes.get(example);
  if (known === undefined) {
    outcomes.set(example, 'running');
    const asked: Promise<Outcome> = ask((worker) => worker.example(exampleDraft(example), example.outputs));
    void asked.catch(unknown).then((result) => {
      outcomes.set(example, result);
      const agrees = result.agreement === 'equal' || result.agreement === 'close';
      if (agrees && performance.getEntriesByName('first-example').length === 0) performance.mark('first-example');
      change({});
    });
  }
  return known === 'running' ? undefined : known;
}

/** Longer lists are folded: their beginning stands there, and all of it when somebody asks. */
const mostAtOnce = 60;

/** A tensor as type, dims and nested list; filled ones by their value. */
function tensorText(tensor: ExampleTensor, language: State['language']): string {
  const { type, dims, data } = tensor;
  const head = `${type} [${dims.join(', ')}]`;
  if (isFilled(tensor)) return `${head}: ${operatorPageTexts[language].elements(data.length, Number(data[0]))}`;
  return `${head}: ${nested(shownWords(tensor), dims)}`;
}

/** A named part of a call, with a long list folded. */
function partView(name: string, value: ExampleTensor | string, language: State['language']): TemplateResult {
  if (typeof value === 'string') return html`<p class="mono"><b>${name}</b> = ${value}</p>`;
  const count = value.data.length;
  if (count <= mostAtOnce || isFilled(value))
    return html`<p class="mono"><b>${name}</b>: ${tensorText(value, language)}</p>`;
  const words = shownWords(value);
  const beginning = words.slice(0, mostAtOnce / 3).join(', ');
  return html`<p class="mono"><b>${name}</b>: ${`${value.type} [${value.dims.join(', ')}]: ${beginning}, …`}</p>
    <details>
      <summary>${operatorPageTexts[language].allElements(count)}<span class="visually-hidden">: ${name}</span></summary>
      <p class="mono">${nested(words, value.dims)}</p>
    </details>`;
}

/** The names of the inputs and outputs of an example, as its version has them. */
function namesOf({ operator, opset = newestOpset }: Example, kind: 'inputs' | 'outputs'): (index: number) => string {
  const known = operatorOf(operator);
  const rows = (known && versionOf(known, opset)?.[kind]) ?? [];
  return (index) => parameterName(rows, index);
}

function callView(example: Example, language: State['language']): TemplateResult {
  const t = operatorPageTexts[language];
  const { operator, opset, inputs, attributes } = example;
  const name = namesOf(example, 'inputs');
  return html`<div class="example-call" role="group" aria-label=${t.call}>
    <p class="mono">${opset === undefined ? operator : `${operator}, opset ${opset}`}</p>
    ${inputs.map((input, i) => partView(name(i), input ?? t.leftOut, language))}
    ${Object.entries(attributes).map(([one, value]) => partView(one, isTensor(value) ? value : attributeText(value), language))}
  </div>`;
}

/** @param words - what is told about it, if anything is */
export function exampleCard(state: State, example: Example, words: string | undefined): TemplateResult {
  const t = operatorPageTexts[state.language];
  const result = outcomeOf(example);
  const status = result?.agreement ?? 'running';
  const open = (): void => {
    edit({ call: exampleDraft(example) }, `example ${example.name}`);
    location.hash = hashOf({ page: 'try' });
  };
  const outputs = example.outputs.map((_, i) => namesOf(example, 'outputs')(i)).join(', ');
  const expected = example.outputs.map((one) => tensorLines(one.type, one.dims, shownWords(one))).join('\n');
  const id = `example-${example.name.replace(/\W+/g, '-')}`;
  // Until the result is there, the expected output keeps its place.
  return html`<article class="card example" data-status=${status} aria-labelledby=${id}>
    <header>
      <h3 id=${id} class="mono">${example.name}</h3>
      <span class="status">${t.states[status]}</span>
    </header>
    ${words === undefined ? nothing : html`<p>${words}</p>`}
    <h4>${t.call}</h4>
    ${callView(example, state.language)}
    <div class="outputs">
      <div>
        <h4>${t.expected} <code>${outputs}</code></h4>
        <pre class="scroll-x expected" tabindex="0" role="group" aria-label=${t.expected}>${expected}</pre>
      </div>
      <div>
        <h4>${t.actual} <code>${outputs}</code></h4>
        <pre class="scroll-x actual" tabindex="0" role="group" aria-label=${t.actual}>${result?.actual ?? expected}</pre>
      </div>
    </div>
    <button class="button quiet" @click=${open}>
      ${t.tryIt}<span class="visually-hidden">: ${example.name}</span>
    </button>
  </article>`;
}
