// Elements and attributes of a call as numbers, and numbers as short texts.
import type { CallDraft } from '../drafts.js';
import { operatorOf, versionOf } from '../facts.js';
import type { TensorReport } from '../runtime/protocol.js';
import { parseIntegers, parseValues } from '../values/parse.js';

export function numberOf(text: string | undefined): number {
  if (text === 'True') return 1;
  if (text === 'False') return 0;
  if (text === 'inf') return Number.POSITIVE_INFINITY;
  return text === '-inf' ? Number.NEGATIVE_INFINITY : Number(text);
}

const known = new WeakMap<readonly string[], readonly number[]>();

/** Texts of elements as numbers; the same list for the same texts. */
export function numbersIn(texts: readonly string[]): readonly number[] {
  const found = known.get(texts) ?? texts.map(numberOf);
  known.set(texts, found);
  return found;
}

/** The elements of a tensor as texts; none where they have not come with the report. */
export function textsOf(report: TensorReport | null | undefined): readonly string[] {
  return report?.elements?.text ?? [];
}

export function numbersOf(report: TensorReport | null | undefined): readonly number[] {
  return report?.elements ? numbersIn(report.elements.text) : [];
}

/** Whether all elements are known. */
export function isKnown(report: TensorReport | null | undefined): report is TensorReport {
  return report?.elements !== undefined && report.size > 0;
}

/** A number in at most about six characters. */
export function short(value: number | string): string {
  const text = String(value);
  const number = typeof value === 'number' ? value : numberOf(value);
  if (text.length <= 5 || Number.isNaN(number) || !Number.isFinite(number)) return text.slice(0, 7);
  const size = Math.abs(number);
  if (size >= 1e5 || size < 1e-3) return number === 0 ? '0' : number.toExponential(0).replace('e+', 'e');
  return String(Number(number.toPrecision(size < 0.1 ? 2 : 3)));
}

/** A number as a factor in a written sum: negative ones have brackets. */
export function factor(value: number | string): string {
  const text = short(value);
  return text.startsWith('-') ? `(${text})` : text;
}

/** A complex number in a few characters. */
export function complex(real: number, imaginary: number): string {
  return `${short(real)} ${imaginary < 0 ? '−' : '+'} ${short(Math.abs(imaginary))}j`;
}

export function product(dims: readonly number[]): number {
  return dims.reduce((size, dim) => size * dim, 1);
}

/** The position in row-major order of the element at an index. */
export function positionAt(index: readonly number[], dims: readonly number[]): number {
  return index.reduce((position, at, axis) => position * (dims[axis] as number) + at, 0);
}

export const countTo = (count: number): number[] => Array.from({ length: Math.max(0, count) }, (_, i) => i);

/** The attributes of a call, with the defaults of its version. */
export class CallAttributes {
  readonly draft: CallDraft;

  constructor(draft: CallDraft) {
    this.draft = draft;
  }

  word(name: string): string | undefined {
    const draft = this.draft.attributes[name];
    if (draft?.kind === 'text') return draft.text.trim();
    const operator = operatorOf(this.draft.operator);
    const row = operator && versionOf(operator, this.draft.opset)?.attributes.find((one) => one.name === name);
    return row?.default === undefined ? undefined : String(row.default);
  }

  has(name: string): boolean {
    return this.draft.attributes[name] !== undefined;
  }

  integers(name: string): number[] | undefined {
    const text = this.word(name);
    return text === undefined || text === '' ? undefined : parseIntegers(text).map(Number);
  }

  integer(name: string, otherwise: number): number {
    return this.integers(name)?.[0] ?? otherwise;
  }

  number(name: string, otherwise: number): number {
    const text = this.word(name);
    return text === undefined || text === '' ? otherwise : Number(parseValues(text, undefined)[0]);
  }
}

/** An axis counted from the front. */
export const axisOf = (axis: number, rank: number): number => (axis < 0 ? axis + rank : axis);
