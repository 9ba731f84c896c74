// The buttons of an operator's presets, and the sentence of the one that is shown.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CallDraft } from '../drafts.js';
import { edit, type State } from '../state.js';
import type { OperatorText } from '../texts/operator-text.js';
import { stageTexts } from '../texts/stage.js';
import { presetCalls, presetOf } from './presets.js';

export function presetsView(
  { language }: State,
  call: CallDraft,
  words: OperatorText | undefined,
): TemplateResult | typeof nothing {
  const texts = words?.presets ?? [];
  if (texts.length === 0) return nothing;
  const t = stageTexts[language];
  const calls = presetCalls(call.operator);
  const chosen = presetOf(call);
  return html`<div class="stage-presets" role="group" aria-label=${t.presets}>
      ${texts.map(
        ({ name }, i) => html`<button
          class="button quiet"
          type="button"
          data-preset=${i}
          aria-pressed=${i === chosen}
          @click=${() => calls[i] && edit({ call: calls[i] }, `preset ${i}`)}
        >
          ${name}
        </button>`,
      )}
    </div>
    <p class="stage-question" aria-live="polite">${texts[chosen]?.see ?? t.free}</p>`;
}
