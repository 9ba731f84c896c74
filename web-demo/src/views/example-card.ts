// A documented example as a card that runs: its call, the expected output and the one that this page computes.
import { html, nothing, type TemplateResult } from 'lit-html';
import { attributeText, exampleDraft, isFilled, isTensor, listText } from '../example-draft.js';
import type { Example, ExampleTensor } from '../facts.js';
import { hashOf } from '../router.js';
import { ask, unanswered } from '../runtime/client.js';
import type { ExampleReport } from '../runtime/protocol.js';
import { change, edit, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import './example-card.css';

/** Of an example that could not run, `actual` says why. */
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

/** The most elements that a line has. */
const mostInLine = 60;

/** A tensor in one line; long ones that hold one value by that value. */
function tensorLine(tensor: ExampleTensor, language: State['language']): string {
  const { type, dims, data } = tensor;
  const t = operatorPageTexts[language];
  const [first = 0] = data;
  const beginning = listText({ ...tensor, data: data.slice(0, mostInLine) });
  const list = data.length > mostInLine ? `${beginning}, …` : beginning;
  return `${type} [${dims.join(', ')}]: ${isFilled(tensor) ? t.elements(data.length, Number(first)) : list}`;
}

function callLines({ operator, opset, inputs, attributes }: Example, language: State['language']): string {
  const t = operatorPageTexts[language];
  return [
    opset === undefined ? operator : `${operator}, opset ${opset}`,
    ...inputs.map((input) => `  ${input === null ? t.leftOut : tensorLine(input, language)}`),
    ...Object.entries(attributes).map(
      ([name, value]) => `  ${name} = ${isTensor(value) ? tensorLine(value, language) : attributeText(value)}`,
    ),
  ].join('\n');
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
  const id = `example-${example.name.replace(/\W+/g, '-')}`;
  // Until the result is there, the expected output keeps its place.
  return html`<article class="card example" data-status=${status} aria-labelledby=${id}>
    <header>
      <h3 id=${id} class="mono">${example.name}</h3>
      <span class="status">${t.states[status]}</span>
    </header>
    ${words === undefined ? nothing : html`<p>${words}</p>`}
    <h4>${t.call}</h4>
    <pre class="scroll-x" tabindex="0" role="group" aria-label=${t.call}>${callLines(example, state.language)}</pre>
    <div class="outputs">
      <div>
        <h4>${t.expected}</h4>
        <pre class="scroll-x expected" tabindex="0" role="group" aria-label=${t.expected}>${example.expected}</pre>
      </div>
      <div>
        <h4>${t.actual}</h4>
        <pre class="scroll-x actual" tabindex="0" role="group" aria-label=${t.actual}>${result?.actual ?? example.expected}</pre>
      </div>
    </div>
    <button class="button quiet" @click=${open}>
      ${t.tryIt}<span class="visually-hidden">: ${example.name}</span>
    </button>
  </article>`;
}
