// Elements that are made from a rule: random ones, and those that go up in steps.
import type { Values } from '../drafts.js';
import type { TypeRow } from '../facts.js';
import { ListError } from './list-error.js';
import { fillRandom, randomRule } from './random.js';
import { typedArrayOf } from './typed-array.js';

type Range = Extract<Values, { kind: 'range' }>;
type Rule = Extract<Values, { kind: 'random' }> | Range;

/** Larger ones take the memory of the page. */
const mostElements = 2 ** 28;
/** Lists take eight bytes for each element, and eight more in the module. */
const mostInList = 2 ** 25;

/** Whether `data` of the type holds values, not bits or bytes of several. */
export function holdsValues({ kind, bits }: TypeRow): boolean {
  return bits >= 8 && kind !== 'mini_float' && kind !== 'string';
}

function checkCount(count: number, most: number, { name }: TypeRow): void {
  if (count > most) throw new ListError('tooMany', count, name, most);
}

/** Whether a typed array takes all numbers from `start` to `end` as they are; if not, the library says what is wrong. */
function fits(row: TypeRow, { start, step }: Range, end: number): boolean {
  const within = (least: number, greatest: number): boolean =>
    Math.min(start, end) >= least && Math.max(start, end) <= greatest;
  if (row.array === 'Float32Array') return Number.isFinite(Math.fround(start)) && Number.isFinite(Math.fround(end));
  if (row.array === 'Float64Array') return Number.isFinite(start) && Number.isFinite(end);
  if (row.kind === 'boolean') return within(0, 1) && Number.isInteger(start) && step === 0;
  if (!Number.isInteger(start) || !Number.isInteger(step)) return false;
  if (row.bits > 32) return within(row.kind === 'signed_integer' ? -(2 ** 31) : 0, 2 ** 31 - 1); // see `addWide`
  return row.kind === 'signed_integer'
    ? within(-(2 ** (row.bits - 1)), 2 ** (row.bits - 1) - 1)
    : within(0, 2 ** row.bits - 1);
}

/** Writes 64-bit integers by halves: bigints would take ten times as long. The numbers have 32 bits, with the sign. */
function addWide(halves: Int32Array, part: Float64Array, start: number): void {
  for (let i = 0; i < part.length; i++) {
    const value = part[i] as number;
    halves[2 * (start + i)] = value;
    halves[2 * (start + i) + 1] = value < 0 ? -1 : 0;
  }
}

/** Collects `count` numbers, which `fill` makes part by part, in the typed array of a type. */
function typedElements(row: TypeRow, count: number, fill: (part: Float64Array, start: number) => void): unknown {
  const target = new (typedArrayOf(row))(count);
  const halves = row.array.startsWith('Big') ? new Int32Array(target.buffer) : undefined;
  eachPart(count, fill, (part, start) => (halves ? addWide(halves, part, start) : target.set(part, start)));
  return target;
}

function listElements<T>(
  count: number,
  fill: (part: Float64Array, start: number) => void,
  convert: (value: number) => T,
): T[] {
  const list: T[] = [];
  eachPart(count, fill, (part) => {
    for (const value of part) list.push(convert(value));
  });
  return list;
}

/** Parts of one kind of array keep the loops over them fast, whatever they are copied to. */
function eachPart(
  count: number,
  fill: (part: Float64Array, start: number) => void,
  use: (part: Float64Array, start: number) => void,
): void {
  const whole = new Float64Array(Math.min(count, 8192));
  for (let start = 0; start < count; start += whole.length) {
    const part = whole.subarray(0, count - start);
    fill(part, start);
    use(part, start);
  }
}

/** The elements of a rule for `Runtime.tensor`: a typed array, or a list of values. `row` is undefined for an unknown type. */
export function generate(values: Rule, row: TypeRow | undefined, size: number): unknown {
  if (row === undefined) return [];
  const parts = row.kind === 'complex' ? 2 : 1;
  const count = parts * size;
  checkCount(count, mostElements, row);
  const isRandom = values.kind === 'random';
  const rule = randomRule(row);
  const valueAt = ({ start, step }: Range, i: number): number => (step === 0 ? start : start + i * step); // -0 stays -0
  const fill = (part: Float64Array, start: number): void => {
    if (isRandom) fillRandom(part, start, values.seed, rule);
    else {
      for (let i = 0; i < part.length; i++) {
        part[i] = (start + i) % parts === 0 ? valueAt(values, (start + i) / parts) : 0;
      }
    }
  };
  const isTyped = holdsValues(row) && (isRandom || fits(row, values, valueAt(values, Math.max(0, size - 1))));
  if (isTyped) return typedElements(row, count, fill);
  checkCount(count, mostInList, row);
  if (row.kind !== 'string') return listElements(count, fill, (value) => value);
  return listElements(count, fill, isRandom ? (code) => String.fromCharCode(code) : String);
}
