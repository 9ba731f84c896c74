// The form of a model: a field for every open size, and for every input that could become a constant. It also makes options of
// the typed texts. Plain data.
import type { DataType, Model, SimplifyFix, SimplifyOptions, ValueInfo } from 'broadloom';
import type { Place, Problem, TensorDraft } from '../drafts.js';
import { typeRow } from '../facts.js';
import { ListError } from '../values/list-error.js';
import { integerOf } from '../values/numbers.js';
import { parseIntegers, parseValues } from '../values/parse.js';

/** The declared inputs and outputs of a model. */
export type Declared = Pick<Model, 'inputs' | 'outputs'>;

/** The options as plain data. */
export interface Wish extends Omit<SimplifyOptions, 'values' | 'external' | 'verify'> {
  /** Inputs that become constants, each with the place of its field. */
  readonly values: { readonly [input: string]: { readonly place: Place; readonly draft: TensorDraft } };
}

export type FieldSpec =
  /** A name of sizes, with the inputs that have it. */
  | { readonly kind: 'dim'; readonly place: Place; readonly name: string; readonly inputs: readonly string[] }
  /** An axis whose size is open and has no name. */
  | { readonly kind: 'axis'; readonly place: Place; readonly input: string; readonly axis: number }
  /** An input that does not even declare its rank. */
  | { readonly kind: 'shape'; readonly place: Place; readonly input: string }
  /** An input that may become a constant; a list may have any length. */
  | {
      readonly kind: 'value';
      readonly place: Place;
      readonly input: string;
      readonly type: DataType;
      readonly dims: readonly number[] | 'list';
    };

/** The sizes and values that a person has typed, by the places of their fields. */
export interface Form {
  readonly texts: { readonly [place: Place]: string };
  /** Outputs that are not to be kept. */
  readonly dropped: ReadonlySet<string>;
  readonly fuseInexact: boolean;
  readonly valueInfo: boolean;
}

/** Fields for numbers that the library has defaults for. */
export const numberFields = { maxGrowth: 'most-growth', unroll: 'unroll' } as const;

export const emptyForm: Form = { texts: {}, dropped: new Set(), fuseInexact: false, valueInfo: false };

/** The most elements of an input that the form offers to make a constant: a larger input is data, not a choice. */
const mostElements = 16;

/** The values that may make an input a constant: whole numbers and truth values of known shape or in a list; or one number. */
function constantDims({ type, dims }: ValueInfo): readonly number[] | 'list' | undefined {
  if (type === null || dims === null) return undefined;
  const { kind } = typeRow(type);
  const isChoice = kind.endsWith('integer') || kind === 'boolean';
  const sizes = dims.filter((dim) => typeof dim === 'number');
  if (sizes.length < dims.length) return isChoice && dims.length === 1 ? 'list' : undefined;
  const elements = sizes.reduce((product, dim) => product * dim, 1);
  return elements > 0 && elements <= (isChoice ? mostElements : 1) ? sizes : undefined;
}

/** The sizes that the form has fields for: names first, in the order in which they are met. */
export function fieldsOf({ inputs }: Declared): FieldSpec[] {
  const names = new Map<string, string[]>();
  for (const { name, dims } of inputs) {
    for (const dim of new Set(dims ?? [])) {
      if (typeof dim === 'string') names.set(dim, [...(names.get(dim) ?? []), name]);
    }
  }
  const sizes = [...names].map(([name, having], i): FieldSpec => {
    return { kind: 'dim', place: `dim:${i}`, name, inputs: having };
  });
  const open = inputs.flatMap(({ name, dims }, i): FieldSpec[] => {
    if (dims === null) return [{ kind: 'shape', place: `shape:${i}`, input: name }];
    return dims.flatMap((dim, axis): FieldSpec[] =>
      dim === null ? [{ kind: 'axis', place: `axis:${i}:${axis}`, input: name, axis }] : [],
    );
  });
  const values = inputs.flatMap((input, i): FieldSpec[] => {
    const dims = constantDims(input);
    if (dims === undefined) return [];
    return [{ kind: 'value', place: `value:${i}`, input: input.name, type: input.type as DataType, dims }];
  });
  return [...sizes, ...open, ...values];
}

/** A word that is a number is one; any other is the name of a size. */
function sizeOf(word: string): number | string {
  const number = integerOf(word);
  return number === undefined ? word : Number(number);
}

/** The number in a field for one whole number; a finding for any other text. */
function numberIn(text: string): number {
  return Number(parseIntegers(text, 1)[0]);
}

/** The sizes in a text such as `1, 3, h, w`, `[1, 3]`, `(5,)`, or `[]`. */
function listOf(text: string): string[] {
  if (/^[[(]\s*[\])]$/.test(text)) return [];
  return text
    .replace(/^[[(]|,?\s*[\])]$/g, '')
    .split(',')
    .map((word) => word.trim());
}

/** An object whose keys may be any text. */
function record<V>(entries: readonly (readonly [string, V])[]): { [name: string]: V } {
  return Object.fromEntries(entries);
}

/** The shapes that the fields of open axes give. */
function shapesIn(declared: Declared, fields: readonly FieldSpec[], textOf: (place: Place) => string): Wish['shapes'] {
  const shapes = new Map<string, (number | string | null)[]>();
  for (const field of fields) {
    const text = textOf(field.place);
    if (text === '') continue;
    if (field.kind === 'shape') shapes.set(field.input, listOf(text).map(sizeOf));
    if (field.kind !== 'axis') continue;
    const dims = declared.inputs.find(({ name }) => name === field.input)?.dims ?? [];
    const shape = shapes.get(field.input) ?? dims.map(() => null);
    shape[field.axis] = sizeOf(text);
    shapes.set(field.input, shape);
  }
  return record([...shapes]);
}

/** The options that the form gives, or the field that cannot be read. */
export function wishOf(declared: Declared, form: Form): Wish | Problem {
  const fields = fieldsOf(declared);
  const textOf = (place: Place): string => (form.texts[place] ?? '').trim();
  let place: Place = '';
  try {
    const dims: [string, number][] = [];
    const values: [string, Wish['values'][string]][] = [];
    for (const field of fields) {
      place = field.place;
      const text = textOf(place);
      if (text === '') continue;
      if (field.kind === 'dim') dims.push([field.name, numberIn(text)]);
      if (field.kind !== 'value') continue;
      const sizes = field.dims === 'list' ? [parseValues(text, typeRow(field.type)).length] : field.dims;
      const draft = { type: field.type, dims: sizes.join(', '), values: { kind: 'text', text } } as const;
      values.push([field.input, { place, draft }]);
    }
    const numbers = Object.entries(numberFields).flatMap(([option, at]) => {
      place = at;
      const text = textOf(at);
      return text === '' ? [] : [[option, numberIn(text)] as const];
    });
    const kept = declared.outputs.map(({ name }) => name).filter((name) => !form.dropped.has(name));
    return {
      ...{ dims: record(dims), shapes: shapesIn(declared, fields, textOf) ?? {}, values: record(values) },
      ...(form.dropped.size === 0 ? {} : { outputs: kept }),
      ...record(numbers),
      fuseInexact: form.fuseInexact,
      valueInfo: form.valueInfo,
    };
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    return { place, message: error.message, finding: error.finding };
  }
}

/**
 * The field for what a report advises to pass; undefined when there is no advice, or no field.
 *
 * @param axis - the one whose size `shapes` would fix
 */
export function fieldOfFix(
  fields: readonly FieldSpec[],
  fix: SimplifyFix | null,
  axis: number | null,
): FieldSpec | undefined {
  const has = (names: object | undefined, name: string) => names !== undefined && Object.hasOwn(names, name);
  return fields.find((field) => {
    switch (field.kind) {
      case 'dim':
        return has(fix?.dims, field.name);
      case 'axis':
        return has(fix?.shapes, field.input) && field.axis === axis;
      case 'shape':
        return has(fix?.shapes, field.input);
      default:
        return has(fix?.values, field.input);
    }
  });
}
