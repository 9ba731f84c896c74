// Memory through time as a line: a step for each node, as wide as the node took.
import { html, svg, type TemplateResult } from 'lit-html';
import { visible } from '../../../shared/visible.js';
import type { State } from '../state.js';
import { workspaceTexts } from '../texts/workspace.js';
import { showBytes } from '../views/units.js';
import { chosenPath } from './choice.js';
import { showDrawnNode } from './drawing-part.js';
import { nodeAt } from './graphs.js';
import { type MemoryStep, memorySteps } from './memory-line.js';
import { operatorName } from './operator-name.js';
import type { ModelReport, ProfileAnswer } from './protocol.js';

const [width, height] = [600, 90];

interface Bar extends MemoryStep {
  readonly start: number;
  readonly end: number;
}

const known = new WeakMap<ProfileAnswer, readonly Bar[]>();

/** The steps side by side; of a run that was too short for the clock, all have the same width. */
function barsOf(report: ModelReport, answer: ProfileAnswer): readonly Bar[] {
  const made = known.get(answer);
  if (made !== undefined) return made;
  const steps = memorySteps(report, answer);
  const total = steps.reduce((sum, { microseconds }) => sum + microseconds, 0);
  let at = 0;
  const bars = steps.map((step) => {
    const start = at;
    at += (width * (total === 0 ? 1 : step.microseconds)) / (total === 0 ? steps.length : total);
    return { ...step, start, end: at };
  });
  known.set(answer, bars);
  return bars;
}

export function memoryChart({ language }: State, report: ModelReport, answer: ProfileAnswer): TemplateResult {
  const t = workspaceTexts[language];
  const bars = barsOf(report, answer);
  const most = bars.reduce((one, other) => (other.bytes > one.bytes ? other : one), bars[0] as Bar);
  const place = (bytes: number): number => height - (height * bytes) / Math.max(1, most.bytes);
  // The line leaves steps without time out, except the highest.
  const drawn = bars.filter((bar) => bar.end > bar.start || bar === most);
  const line = drawn.map(({ start, end, bytes }) => `L${start},${place(bytes)}L${end},${place(bytes)}`).join('');
  const chosen = bars.find(({ path }) => path === chosenPath());
  const mostNode = nodeAt(report.nodes, most.path);
  const choose = (event: MouseEvent): void => {
    const { left, width: whole } = (event.currentTarget as Element).getBoundingClientRect();
    const at = (width * (event.clientX - left)) / whole;
    const bar = bars.find(({ end }) => end >= at);
    if (bar !== undefined) showDrawnNode(bar.path);
  };
  const name = mostNode === undefined ? '' : visible(`${operatorName(mostNode)} ${most.path}`);
  return html`<figure class="memory-chart">
    <figcaption>${t.memoryLine(showBytes(most.bytes), name)}</figcaption>
    <svg viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label=${t.memoryLabel(showBytes(most.bytes), bars.length)} @click=${choose}>
      ${svg`<path class="memory-area" d=${`M0,${height}${line}L${width},${height}Z`} />
        <path class="memory-line" d=${`M0,${height}${line}`} vector-effect="non-scaling-stroke" />`}
      ${chosen === undefined ? '' : svg`<rect class="memory-chosen" x=${chosen.start} y="0" width=${Math.max(2, chosen.end - chosen.start)} height=${height} />`}
    </svg>
    <p class="muted">${t.memoryNote}</p>
  </figure>`;
}
