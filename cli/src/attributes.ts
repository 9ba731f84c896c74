// The values of `--attr`, by the type that the operator's row has for them.
import type { AttributeRow, AttributeValue, Runtime, SparseTensorLike, TensorJson } from 'broadloom';
import { quote } from '../../shared/visible.js';
import { during, UsageError } from './errors.js';
import { type Assignment, readValue } from './inputs.js';
import { quoteSpecial, specialNumber } from './literal.js';

const wanted: { readonly [type: string]: [what: string, example: string] } = {
  INT: ['a whole number', '=1'],
  FLOAT: ['a number', '=0.5'],
  INTS: ['a list of whole numbers', '=[1, 2]'],
  FLOATS: ['a list of numbers', '=[0.5, 1]'],
  STRINGS: ['a list of strings', '=["a", "b"]'],
  TENSOR: ['a tensor', ':float32=[1]'],
  SPARSE_TENSOR: ['a sparse tensor in JSON', '={"values": {...}, "indices": {...}, "dims": [3]}'],
};

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers. Whole ones are exact: a number with more digits than JavaScript's numbers keep is a BigInt. */
function jsonNumbers(text: string): unknown {
  if (text.includes('"')) return undefined;
  const exact = (_: string, value: unknown) => (typeof value === 'string' ? specialNumber(value) : value);
  try {
    return JSON.parse(quoteSpecial(text), exact);
  } catch {
    return undefined;
  }
}

const isInt = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value);
const isNumber = (value: unknown): boolean => typeof value === 'bigint' || typeof value === 'number';
const isList = (value: unknown, holds: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(holds);

const isFlag = (value: unknown): boolean => typeof value === 'boolean';

const checks: { readonly [type: string]: (value: unknown) => boolean } = {
  INT: (value) => isInt(value) || isFlag(value),
  FLOAT: isNumber,
  INTS: (value) => isInt(value) || isList(value, isInt),
  FLOATS: (value) => isList(value, isNumber),
  STRINGS: (value) => isList(value, (one) => typeof one === 'string'),
};

/** The string that a text in double quotes stands for; every other text stands for itself. */
function stringOf(text: string): string {
  const value = text.startsWith('"') ? json(text) : undefined;
  return typeof value === 'string' ? value : text;
}

function sparse(ops: Runtime, what: string, text: string): SparseTensorLike {
  const value = json(text) as { values?: TensorJson; indices?: TensorJson<'int64'>; dims?: number[] } | undefined;
  if (value?.values === undefined || !Array.isArray(value.dims)) throw refused(what, 'SPARSE_TENSOR', text);
  try {
    const indices = value.indices && ops.fromMessage(value.indices);
    return { values: ops.fromMessage(value.values), indices, dims: value.dims };
  } catch (error) {
    throw during(what, error);
  }
}

function refused(what: string, type: string, text: string): UsageError {
  const [kind = '', example = ''] = wanted[type] ?? [];
  return new UsageError(`${what} is ${quote(text)}, wanted ${kind}: write --attr '${what.split("'")[1]}${example}'`);
}

/** @param row - undefined for an attribute that the operator does not have; the runtime says so */
export function readAttribute(ops: Runtime, assignment: Assignment, row: AttributeRow | undefined): AttributeValue {
  const { name, text, type } = assignment;
  const what = `attribute ${quote(name)}`;
  if (row === undefined) return (json(text) ?? text) as AttributeValue;
  if (row.type === 'SPARSE_TENSOR') return sparse(ops, what, text);
  if (row.type === 'TENSOR')
    return readValue(ops, what, assignment, () => {
      throw new UsageError(`${what} is a tensor: say its type, such as --attr '${name}:float32=${text}'`);
    });
  if (type !== undefined) throw new UsageError(`${what} is not a tensor: write --attr ${name}=VALUE, without a type`);
  if (row.type === 'STRING' || (row.isDataType && !/^\d+$/.test(text))) return stringOf(text);
  const value = row.type === 'STRINGS' ? json(text) : jsonNumbers(text);
  if (checks[row.type]?.(value) !== true) throw refused(what, row.type, text);
  return (row.type.startsWith('FLOAT') ? numbers(value) : value) as AttributeValue;
}

const numbers = (value: unknown): unknown => (Array.isArray(value) ? value.map(Number) : Number(value));
