// Why the call on the page is refused: a drawing of the reason, a sentence, and calls nearby that run as buttons.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import { edit, type State } from '../state.js';
import { type WhyTexts, whyTexts } from '../texts/why.js';
import { endTyping } from '../views/typed.js';
import { axesDrawing, factorsDrawing, rulerDrawing, typesDrawing } from './drawings.js';
import type { Reason } from './reason.js';
import { whyOf } from './why.js';
import './why.css';

function drawing(t: WhyTexts, reason: Reason): TemplateResult {
  switch (reason.kind) {
    case 'axes':
      return axesDrawing(t, reason);
    case 'factors':
      return factorsDrawing(t, reason);
    case 'ruler':
      return rulerDrawing(t, reason);
    case 'types':
      return typesDrawing(t, reason);
  }
}

/** Goes to the field that was wrong, or to the first one: the button has gone. */
function focusNear(place: string): void {
  const names = [place, place.replace(/:(?:dims|type)$/, ':values')];
  const field = names.map((id) => document.getElementById(id)).find((element) => element !== null);
  (field ?? document.querySelector<HTMLElement>('.stage-call input'))?.focus();
}

export function whyView({ language, problem }: State, call: CallDraft): TemplateResult | typeof nothing {
  const reason = problem && whyOf(call, problem);
  if (reason === undefined) return nothing;
  const t = whyTexts[language];
  const take = (mend: CallDraft): void => {
    endTyping();
    edit({ call: mend }, 'mend');
    focusNear(problem?.place ?? '');
  };
  return html`<section class="card why" aria-label=${t.title}>
    <h3>${t.title}</h3>
    ${drawing(t, reason)}
    <p>${reason.says(t)}</p>
    ${
      reason.mends.length === 0
        ? nothing
        : html`<div class="why-mends" role="group" aria-label=${t.mends}>
            ${reason.mends.map(
              (mend, i) =>
                html`<button class=${i === 0 ? 'button' : 'button quiet'} type="button" @click=${() => take(mend.call)}>${mend.name(t)}</button>`,
            )}
          </div>`
    }
  </section>`;
}
