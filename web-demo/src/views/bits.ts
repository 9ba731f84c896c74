// <chosen-element>: the element that is pointed at, with its index, its value, where it comes from, and its bits.
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { type TypeRow, typeRow } from '../facts.js';
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import { gridNames } from '../texts/grids.js';
import type { Language } from '../texts/texts.js';
import { type ViewerTexts, viewerTexts } from '../texts/viewer.js';
import { clipped } from '../values/visible.js';
import { bitFields, fillFields, packedByte } from './bit-fields.js';
import type { Pointed } from './grid-plane.js';
import { inputOf, lightLinks, readsOneElement } from './links.js';
import { define, LocalElement } from './local-element.js';
import { indexOf, offsetOf } from './mapping.js';
import { tracedElements } from './traces.js';
import { showCount } from './units.js';
import './bits.css';

export interface ChosenGiven {
  /** The tensor whose first element is shown until another one is pointed at. */
  readonly report: TensorReport;
  readonly call: CallReport | undefined;
  readonly language: Language;
}

/** Characters of a long string. */
const longestShown = 1000;

/** Digits in groups of four from the lowest on, which stay together where a line is too short for all. */
function digitBoxes(digits: string): TemplateResult[] {
  const first = digits.length % 4;
  const groups = [digits.slice(0, first), ...(digits.slice(first).match(/.{4}/g) ?? [])].filter(
    (group) => group !== '',
  );
  return groups.map(
    (group) =>
      html`<span class="bits-group">${[...group].map((digit) => html`<span class="bits-digit">${digit}</span>`)}</span>`,
  );
}

function fieldsView(t: ViewerTexts, row: TypeRow, pattern: number): TemplateResult {
  const field = ({ name, digits, value }: ReturnType<typeof fillFields>[number]): TemplateResult => {
    const isNumber = name === 'exponent' || name === 'mantissa';
    return html`<div class=${`bits-field bits-${name}`}>
      <span class="bits-digits">${digitBoxes(digits)}</span>
      <span class="bits-name">${t[name]}${isNumber ? html` <span class="mono">${value}</span>` : nothing}</span>
    </div>`;
  };
  return html`<div class="bits-fields">${fillFields(row, pattern).map(field)}</div>`;
}

function byteView(t: ViewerTexts, row: TypeRow, { report, position, elements }: Pointed): TemplateResult {
  const patternOf = (other: number): number => elements.bits?.[other - elements.start] ?? 0;
  const { byte, parts } = packedByte(row.bits, position, report.size, patternOf);
  return html`<p class="muted bits-note">${t.byte(showCount(byte), row.bits)}</p>
    <div class="bits-fields bits-byte">
      ${parts.map(({ position: element, highestBit, lowestBit, digits }) => {
        const kind = element === undefined ? 'padding' : element === position ? 'this' : 'other';
        const name =
          element === undefined ? t.padding : kind === 'this' ? t.thisElement : t.elementNumber(showCount(element));
        return html`<div class=${`bits-field bits-${kind}`}>
          <span class="bits-digits">${digitBoxes(digits)}</span>
          <span class="bits-name">${name}<br />${t.bitRange(highestBit, lowestBit)}</span>
        </div>`;
      })}
    </div>`;
}

/** The bits of an element. The details are there for all types: they must not come and go while somebody moves from one to another. */
function bitsView(t: ViewerTexts, chosen: Pointed): TemplateResult {
  const row = typeRow(chosen.report.type);
  const pattern = chosen.elements.bits?.[chosen.position - chosen.elements.start];
  const isShown = pattern !== undefined && bitFields(row).length > 0;
  return html`<details class="bits-details">
    <summary>${t.details}</summary>
    ${isShown ? fieldsView(t, row, pattern) : html`<p class="muted bits-note">${t.noBits(row.name)}</p>`}
    ${isShown && row.bits < 8 ? byteView(t, row, chosen) : nothing}
  </details>`;
}

function nameOf({ name }: TensorReport, index: readonly number[]): string {
  return `${name}[${index.join(', ')}]`;
}

/** The most elements that are named. For more elements, only their number is shown. */
const mostNamed = 4;

/** The elements that an element is computed from, or those that are computed from it, by the trace of the call. */
function tracedText(t: ViewerTexts, call: CallReport, report: TensorReport, position: number): string {
  const isOutput = call.outputs.includes(report);
  const others = (isOutput ? call.inputs : call.outputs).filter((other) => other !== null);
  const parts = others.flatMap((other) => {
    const found = tracedElements(call, report, position, other) ?? [];
    if (found.length > mostNamed) return [t.elementsOf(showCount(found.length), other.name)];
    return found.map((place) => nameOf(other, indexOf(place, other.dims)));
  });
  if (parts.length === 0) return '';
  return isOutput ? t.computedFrom(parts.join(', ')) : t.usedFor(parts.join(', '));
}

/** The row of an element in words, where its columns have names: `batch 0, class 1, box 2`. */
function rowText(language: Language, call: CallReport | undefined, { report, position, elements }: Pointed): string {
  const columns = gridNames(language, call?.operator, report.name)?.columns;
  if (!Array.isArray(columns)) return '';
  const first = position - (position % columns.length) - elements.start;
  return columns.map((name, column) => `${name} ${elements.text[first + column]}`).join(', ');
}

/** Where an element comes from, or what it stands for. */
function originView(t: ViewerTexts, call: CallReport | undefined, { report, position }: Pointed): string {
  if (call === undefined) return '';
  const input = inputOf(call, report);
  if (input !== undefined) return t.comesFrom(nameOf(input, indexOf(offsetOf(position, report), input.dims)));
  if (readsOneElement(call, report)) return t.comesFromOne;
  const output = call.outputs.find((candidate) => inputOf(call, candidate) === report);
  if (report.size === 0) return '';
  if (output === undefined) return tracedText(t, call, report, position);
  const count = output.size / report.size;
  return t.goesTo(showCount(count), output.name, count === 1);
}

class ChosenElement extends LocalElement<ChosenGiven> {
  #chosen: Pointed | undefined;
  #width = 0;
  #height = 0;

  constructor() {
    super();
    const free = (): void => {
      this.style.minHeight = '';
      this.#height = 0;
    };
    this.addEventListener('toggle', free, { capture: true }); // of the details, which may need less room again
  }

  protected receive({ report, call }: ChosenGiven): void {
    const before = this.#chosen;
    const reports = call ? [...call.outputs, ...call.inputs] : [report];
    const same = reports.find((candidate) => candidate?.key === before?.report.key) ?? report;
    if (same !== before?.report) {
      const { elements } = same; // of a large tensor they come with its window
      const position = before !== undefined && before.position < same.size ? before.position : 0;
      this.#chosen = elements && same.size > 0 ? { report: same, position, elements } : undefined;
    }
    this.#update();
    queueMicrotask(() => this.#light(false)); // the grids are given theirs in the same turn
  }

  /** Shows another element. */
  show(pointed: Pointed): void {
    this.#chosen = pointed;
    this.#update();
    this.#light(true);
  }

  /** Marks the described element in its grid, and lights its sources. */
  #light(turns: boolean): void {
    const root = this.closest('.viewer');
    if (root && this.#chosen) lightLinks(root, this.given?.call, this.#chosen, turns);
  }

  #update(): void {
    const { call, language } = this.given as ChosenGiven;
    const t = viewerTexts[language];
    const chosen = this.#chosen;
    if (chosen === undefined) {
      render(nothing, this);
      return;
    }
    const { report, position, elements } = chosen;
    render(
      html`<p class="bits-chosen" role="status">
          <span class="mono">${nameOf(report, indexOf(position, report.dims))}</span>
          <strong class="mono">${clipped(elements.text[position - elements.start] ?? '', longestShown)}</strong>
          <span>${rowText(language, call, chosen)}</span>
          <span class="muted">${originView(t, call, chosen)}</span>
        </p>
        ${bitsView(t, chosen)}`,
      this,
    );
    requestAnimationFrame(() => this.#keepHeight()); // where layout is known without asking for it twice
  }

  /** Never gets lower while its width is the same, so that pointing at elements of another type moves nothing. */
  #keepHeight(): void {
    const { width, height } = this.getBoundingClientRect();
    if (width !== this.#width) this.style.minHeight = '';
    else if (height > this.#height) this.style.minHeight = `${height}px`;
    this.#height = width === this.#width ? Math.max(height, this.#height) : 0;
    this.#width = width;
  }
}

define('chosen-element', ChosenElement);

export type { ChosenElement };
