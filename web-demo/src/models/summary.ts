// The model at a glance: how many nodes, how many of them can run, what is missing, what goes in and out.
import type { ValueInfo } from 'broadloom';
import { html, nothing, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import { showBytes } from '../views/units.js';
import { everyNode, type Nodes, tallyOf } from './graphs.js';
import { filterNodes } from './list-state.js';
import { operatorName } from './operator-name.js';
import type { ModelReport } from './protocol.js';
import { typeText } from './type-info.js';

/** How many unsupported nodes each operator has, the most frequent first. */
function missingOperators(nodes: Nodes): [operator: string, count: number][] {
  const counts = new Map<string, number>();
  for (const { node } of everyNode(nodes)) {
    // A node that has a version cannot run only because of one in its graphs.
    if (node.unsupported === null || node.version !== null) continue;
    const name = operatorName(node);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

export function summary({ language }: State, name: string, report: ModelReport): TemplateResult {
  const t = modelsTexts[language];
  const { opset, nodes, inputs, outputs, size } = report;
  const missing = missingOperators(nodes);
  const tally = tallyOf(nodes);
  const { unsupported } = tally;
  const values = (label: string, list: readonly ValueInfo[]) => html`
    <dt>${label}</dt>
    <dd>
      ${list.length === 0 ? html`<span class="muted">${t.none}</span>` : nothing}
      ${list.map(
        (value) =>
          html`<span><strong class="mono">${visible(value.name)}</strong> ${
            typeText(value) === undefined
              ? html`<span class="muted">${t.noType}</span>`
              : html`<span class="mono">${typeText(value)}</span>`
          }</span>`,
      )}
    </dd>`;
  return html`
    <h2 class="models-name" id="models-name" tabindex="-1">${visible(name)}</h2>
    <ul class="models-facts" role="list">
      <li class="chip">${t.nodes(tally)}</li>
      <li class="chip models-good">${t.supported(tally.nodes - unsupported)}</li>
      ${unsupported === 0 ? nothing : html`<li class="chip models-bad">${t.unsupportedCount(unsupported)}</li>`}
      ${opset === null ? nothing : html`<li class="chip">${t.opset(opset)}</li>`}
      <li class="chip">${showBytes(size)}</li>
    </ul>
    <dl class="models-values">
      ${values(t.inputs, inputs)} ${values(t.outputs, outputs)}
      ${
        unsupported === 0
          ? nothing
          : html`<dt>${t.missing}</dt>
            <dd>
              ${missing.map(
                ([operator, count]) => html`<button
                  class="chip models-missing"
                  type="button"
                  @click=${() => filterNodes({ text: operator, onlyUnsupported: true })}
                >
                  <span class="mono">${operator}</span> × ${count}<span class="visually-hidden">: ${t.showMissing}</span>
                </button>`,
              )}
            </dd>`
      }
    </dl>`;
}
