// How a tensor's layout looks before it is written out, and what it costs.
import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { CallReport, TensorReport, Times } from '../runtime/protocol.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { isBroadcast } from './mapping.js';
import { showBytes, showCount, showRate, showTime } from './units.js';
import './layout.css';

/** The least bytes of a result whose rate is shown: for smaller results, the call itself takes most of the time. */
const largeResult = 1e6;

function axesTable(t: ViewerTexts, report: TensorReport): TemplateResult {
  if (report.dims.length === 0) return html`<p class="muted">${t.scalar}</p>`;
  const row = (dim: number, axis: number): TemplateResult => html`<tr>
    <th scope="row">${axis}</th>
    <td>${dim}</td>
    <td>
      ${report.strides[axis]}
      ${isBroadcast(report, axis) ? html`<span class="layout-broadcast">${t.isBroadcast}</span>` : nothing}
    </td>
  </tr>`;
  return html`<div class="scroll-x" tabindex="0" role="region" aria-label=${t.layout}>
    <table class="layout-axes">
      <thead>
        <tr>
          <th scope="col">${t.axisHeading}</th>
          <th scope="col">${t.dim}</th>
          <th scope="col">${t.stride}</th>
        </tr>
      </thead>
      <tbody>
        ${report.dims.map(row)}
      </tbody>
    </table>
  </div>`;
}

/** A bar as long as its part of the whole, and never so short that it cannot be seen. */
function bar(bytes: number, whole: number, kind: 'read' | 'written'): TemplateResult {
  const length = whole === 0 ? 0 : Math.max(0.6, (100 * bytes) / whole);
  return html`<svg class="layout-bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<rect class=${`layout-${kind}`} width=${length} height="1" />`}
  </svg>`;
}

function bytesView(t: ViewerTexts, { bytesRead, bytesWritten, written }: TensorReport): TemplateResult {
  const whole = Math.max(bytesRead, bytesWritten);
  const line = (name: string, bytes: number, kind: 'read' | 'written'): TemplateResult => html`<div>
    <dt>${name}</dt>
    <dd>
      <strong class="mono">${showBytes(bytes)}</strong>
      ${bytes >= 1000 ? html`<span class="muted">${t.exactBytes(showCount(bytes))}</span>` : nothing}
      ${bar(bytes, whole, kind)}
    </dd>
  </div>`;
  return html`<h4 class="layout-heading">${t.memory}</h4>
    <dl class="layout-bytes">
    ${line(t.bytesRead, bytesRead, 'read')}
    ${line(written ? t.bytesWritten : t.bytesIfWritten, bytesWritten, 'written')}
    </dl>`;
}

/** Axes, strides and bytes of a tensor. */
export function layoutView(language: Language, report: TensorReport): TemplateResult {
  const t = viewerTexts[language];
  return html`<section class="card layout">
    <h3>${t.layout}</h3>
    <p class="muted">${t.layoutNote}</p>
    ${axesTable(t, report)} ${bytesView(t, report)}
  </section>`;
}

/** The time of a call, and of writing its results out. Takes the same room before it is known. */
export function timeView(language: Language, { outputs }: CallReport, times: Times | undefined): TemplateResult {
  const t = viewerTexts[language];
  const { callTime, writeTime } = times ?? { callTime: undefined, writeTime: undefined };
  const bytes = outputs.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  const isWritten = outputs.every(({ written }) => written);
  const words = isWritten ? (writeTime === 0 ? t.tooShort : undefined) : t.notWrittenOut;
  return html`<dl class="layout-times">
    <div><dt>${t.callTime}</dt><dd class="mono">${callTime === undefined ? '…' : showTime(callTime)}</dd></div>
    <div>
      <dt>${t.writeTime}</dt>
      <dd>
        ${words ? html`<span class="muted">${words}</span>` : html`<span class="mono">${writeTime === undefined ? '…' : showTime(writeTime)}</span>`}
        ${writeTime && bytes >= largeResult ? html`<span class="muted mono">${showRate(bytes, writeTime)}</span>` : nothing}
      </dd>
    </div>
  </dl>`;
}
