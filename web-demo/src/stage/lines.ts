// The first call of an operator in one line of JavaScript, of NumPy and of PyTorch.
import { html, nothing, type TemplateResult } from 'lit-html';
import { playOf } from '../facts.js';
import type { State } from '../state.js';
import { stageTexts } from '../texts/stage.js';

const languages = ['javascript', 'numpy', 'torch'] as const;

export function linesView({ language }: State, operator: string): TemplateResult | typeof nothing {
  const { lines } = playOf(operator);
  const t = stageTexts[language];
  if (lines === undefined) return nothing;
  return html`<dl class="stage-lines" aria-label=${t.lines}>
    ${languages.map((name) =>
      lines[name] === undefined
        ? nothing
        : html`<div>
            <dt>${t.languages[name]}</dt>
            <dd><code class="scroll-x" tabindex="0" role="group" aria-label=${t.languages[name]}>${lines[name]}</code></dd>
          </div>`,
    )}
  </dl>`;
}
