// The range of a curve and its element type.
import type { DataType } from 'broadloom';
import { html, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { typeChoices } from '../choices.js';
import type { CallDraft } from '../drafts.js';
import { type Curve, operatorOf, playOf, typeRow } from '../facts.js';
import { current, edit, type State } from '../state.js';
import { curveTexts } from '../texts/curve.js';
import { field } from '../views/field.js';
import { typed } from '../views/typed.js';
import { callOf } from './calls.js';
import { rangeOf, withRange } from './curve-call.js';

type Range = Curve & { readonly type: DataType };

/** Changes the range of the call as it is by then. */
function update(call: CallDraft, next: (now: Range) => Range, what: string): void {
  const now = callOf(current()) ?? call;
  const range = rangeOf(now);
  if (range === undefined) return;
  const { type, ...ends } = next(range);
  if (Number.isFinite(ends.from) && Number.isFinite(ends.to) && ends.from < ends.to)
    edit({ call: withRange(now, type, ends) }, what);
}

/** The range around the same middle, `factor` times as wide. */
function zoomed({ from, to, type }: Range, factor: number): Range {
  const [middle, half] = [(from + to) / 2, ((to - from) / 2) * factor];
  return { type, from: tidy(middle - half), to: tidy(middle + half) };
}

/** The number without the last digits, which rounding made. */
const tidy = (value: number): number => Number(value.toPrecision(9));

/** Element types whose numbers have an order: curves have no strings or complex numbers. */
function typesOf({ operator, opset }: CallDraft): DataType[] {
  const known = operatorOf(operator);
  const allowed = known
    ? typeChoices(known, opset, 'inputs', 0).filter(({ allowedFrom }) => allowedFrom === undefined)
    : [];
  return allowed.map(({ value }) => value).filter((type) => !/string|complex|boolean/.test(typeRow(type).kind));
}

export function curveForm({ language, problem }: State, call: CallDraft, range: Range): TemplateResult {
  const t = curveTexts[language];
  const end = (name: 'from' | 'to'): TemplateResult =>
    field({
      ...{ id: `curve:${name}`, label: t[name], problem: undefined },
      control: ({ id }) => html`<input
        id=${id}
        type="number"
        step="any"
        class="mono"
        .value=${typed(String(tidy(range[name])))}
        @change=${(event: Event) => {
          const value = (event.target as HTMLInputElement).valueAsNumber;
          update(call, (now) => ({ ...now, [name]: value }), `curve:${name}`);
        }}
      />`,
    });
  const button = (label: string, next: (now: Range) => Range): TemplateResult =>
    html`<button class="button quiet" type="button" @click=${() => update(call, next, `curve:${label}`)}>${label}</button>`;
  const whole = playOf(call.operator).curve ?? range;
  return html`<div class="curve-range">
    ${field({
      ...{ id: 'input:0:type', label: t.type, problem },
      control: ({ id, invalid, describedBy }) => html`<select
        id=${id}
        aria-invalid=${invalid}
        aria-describedby=${describedBy}
        @change=${(event: Event) => {
          const type = (event.target as HTMLSelectElement).value as DataType;
          update(call, (now) => ({ ...now, type }), 'curve:type');
        }}
      >
        ${typesOf(call).map((type) => html`<option value=${type} .selected=${live(type === range.type)}>${type}</option>`)}
      </select>`,
    })}
    ${end('from')} ${end('to')}
    ${button(t.nearer, (now) => zoomed(now, 1 / 4))} ${button(t.farther, (now) => zoomed(now, 4))}
    ${button(t.first, ({ type }) => ({ ...whole, type }))}
  </div>`;
}
