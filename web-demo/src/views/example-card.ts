// A documented example as a card that runs: its call, the expected output and the one that this page computes.
import { html, type TemplateResult } from 'lit-html';
import { exampleDraft } from '../example-draft.js';
import { type Example, type ExampleTensor, examples } from '../facts.js';
import { hashOf } from '../router.js';
import { ask, unanswered } from '../runtime/client.js';
import type { ExampleReport } from '../runtime/protocol.js';
import { change, edit, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { exampleTexts } from '../texts/operators.js';
import './example-card.css';

/** Of an example that could not run, `actual` says why. */
type Outcome = ExampleReport | { readonly equal: 'unknown'; readonly actual: string };

const outcomes = new Map<number, Outcome | 'running'>();

function unknown(error: unknown): Outcome {
  return { equal: 'unknown', actual: unanswered(error).problem.message };
}

function outcomeOf(index: number): Outcome | undefined {
  const known = outcomes.get(index);
  if (known === undefined) {
    outcomes.set(index, 'running');
    const asked: Promise<Outcome> = ask((worker) => worker.example(index));
    void asked.catch(unknown).then((result) => {
      outcomes.set(index, result);
      if (result.equal === true && performance.getEntriesByName('first-example').length === 0)
        performance.mark('first-example');
      change({});
    });
  }
  return known === 'running' ? undefined : known;
}

/** A tensor in one line; long ones that hold one value by that value. */
function tensorLine({ type, dims, data }: ExampleTensor, language: State['language']): string {
  const t = operatorPageTexts[language];
  const [first = 0] = data;
  const isFilled = data.length > 12 && data.every((value) => value === first);
  return `${type} [${dims.join(', ')}]: ${isFilled ? t.elements(data.length, first) : data.join(', ')}`;
}

function callLines({ operator, inputs, attributes }: Example, language: State['language']): string {
  return [
    operator,
    ...inputs.map((input) => `  ${tensorLine(input, language)}`),
    ...Object.entries(attributes).map(
      ([name, value]) => `  ${name} = ${typeof value === 'number' ? value : tensorLine(value, language)}`,
    ),
  ].join('\n');
}

function statusOf({ equal }: Outcome): 'equal' | 'different' | 'failed' {
  if (equal === 'unknown') return 'failed';
  return equal ? 'equal' : 'different';
}

export function exampleCard(state: State, example: Example): TemplateResult {
  const t = operatorPageTexts[state.language];
  const index = examples.indexOf(example);
  const result = outcomeOf(index);
  const status = result === undefined ? 'running' : statusOf(result);
  const open = (): void => {
    edit({ call: exampleDraft(example) }, `example ${index}`);
    location.hash = hashOf({ page: 'try' });
  };
  const id = `example-${index}`;
  // Until the result is there, the expected output keeps its place.
  return html`<article class="card example" data-status=${status} aria-labelledby=${id}>
    <header>
      <h3 id=${id} class="mono">${example.name}</h3>
      <span class="status">${t.states[status]}</span>
    </header>
    <p>${exampleTexts[state.language][`${example.operator} ${example.name}`]}</p>
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
