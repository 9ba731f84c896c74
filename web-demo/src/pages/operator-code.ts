// The code of an operator's page: the first call in one line of each library, and the call on the page in whole.
import { html, nothing, type TemplateResult } from 'lit-html';
import { callToLink } from '../link.js';
import { callOf } from '../stage/calls.js';
import { linesView } from '../stage/lines.js';
import { change, type State } from '../state.js';
import { operatorPageTexts } from '../texts/operator-page.js';
import { stageTexts } from '../texts/stage.js';
import { missing } from '../views/missing.js';

/** The panel, which comes when it is first opened; an error when it does not come. */
let panel: ((state: State) => TemplateResult) | Error | undefined;
let isOpen = false;

async function open(): Promise<void> {
  isOpen = true;
  change({});
  if (typeof panel === 'function') return;
  panel = await import('../views/take-panel.js').then(
    ({ takePanel }) => takePanel,
    (error: Error) => error,
  );
  change({});
}

function toggle(): void {
  if (!isOpen) return void open();
  isOpen = false;
  change({});
}

/** Opens the panel, and goes there. */
function goToCode(): void {
  void open();
  const section = document.getElementById('get-code');
  section?.scrollIntoView({ block: 'center' });
  section?.focus({ preventScroll: true });
}

/** Below a result: the ways to its code, and to all its types. */
export function codeLinks(state: State): TemplateResult | typeof nothing {
  const call = callOf(state);
  if (call === undefined) return nothing;
  return html`<p class="call-links">
    <button class="button" type="button" id="to-code" @click=${goToCode}>${operatorPageTexts[state.language].getCode}</button>
    <a class="button quiet" href=${`#/try/${callToLink(call) ?? ''}`}>${stageTexts[state.language].tryIt}</a>
  </p>`;
}

export function codeSection(state: State, operator: string): TemplateResult {
  const t = operatorPageTexts[state.language];
  return html`<section aria-labelledby="code-heading">
    <h2 id="code-heading">${t.code}</h2>
    <p class="muted">${t.codeOf(operator)}</p>
    ${linesView(state, operator)}
    <p>
      <button
        class="button quiet"
        type="button"
        id="get-code"
        aria-expanded=${isOpen}
        aria-controls="call-code"
        @click=${toggle}
      >
        ${t.getCode}
      </button>
    </p>
    <div id="call-code" ?hidden=${!isOpen}>
      ${isOpen ? html`<p class="muted">${t.codeNote}</p>` : nothing}
      ${!isOpen || panel === undefined ? nothing : panel instanceof Error ? missing(state, panel) : panel(state)}
    </div>
  </section>`;
}
