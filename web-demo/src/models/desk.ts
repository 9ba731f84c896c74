// The tabs Graph and Time: one drawing, with what is chosen or the slowest nodes beside it.
import { html, nothing, type TemplateResult } from 'lit-html';
import type { State } from '../state.js';
import { modelsTexts } from '../texts/models.js';
import './desk.css';
import { drawingPart } from './drawing-part.js';
import { nodeFinder, nodeList } from './node-list.js';
import { panel } from './panel.js';
import type { ModelReport } from './protocol.js';
import { timePart } from './time-part.js';
import { isWide } from './wide.js';

/** One template, so that the drawing stays as it is from tab to tab. */
export function desk(state: State, report: ModelReport, tab: 'graph' | 'time'): TemplateResult {
  const t = modelsTexts[state.language];
  const isGraph = tab === 'graph';
  return html`${isGraph ? nodeFinder(state, report) : nothing}
    <div class=${isWide() ? 'models-desk models-wide' : 'models-desk'}>
      <div class="models-drawing">${drawingPart(state, report)}</div>
      ${isGraph ? panel(state, report) : timePart(state, report)}
      ${
        isGraph
          ? html`<div class="models-list">
              <h3>${t.nodeList}</h3>
              ${nodeList(state, report)}
            </div>`
          : nothing
      }
    </div>`;
}
