// The differences between two versions of an operator, from their rows.
import type { AttributeRow, DataType, OperatorVersion, ParameterRow } from 'broadloom';
import { typesOf } from './facts.js';

export interface Difference {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly what: 'attribute' | 'input' | 'output' | 'types';
  /** The attribute or parameter. */
  readonly name: string;
  /** The new state; of types, those that were added or removed. */
  readonly details: readonly string[];
}

function attributeDetails({ type, required, default: value, choices }: AttributeRow): string[] {
  return [
    type,
    ...(required ? ['required'] : []),
    ...(choices === undefined ? [] : [`one of ${choices.join(', ')}`]),
    ...(value === undefined ? [] : [`default ${value}`]),
  ];
}

function compare<R extends { readonly name: string }>(
  what: Difference['what'],
  before: readonly R[],
  after: readonly R[],
  details: (row: R) => readonly string[],
): Difference[] {
  const found = (rows: readonly R[], { name }: R): R | undefined => rows.find((row) => row.name === name);
  const removed = before.filter((row) => !found(after, row));
  return [
    ...after.flatMap((row): Difference[] => {
      const old = found(before, row);
      if (old === undefined) return [{ kind: 'added', what, name: row.name, details: details(row) }];
      if (String(details(old)) === String(details(row))) return [];
      return [{ kind: 'changed', what, name: row.name, details: details(row) }];
    }),
    ...removed.map((row): Difference => ({ kind: 'removed', what, name: row.name, details: details(row) })),
  ];
}

/** Types that each parameter gained and lost. Parameters that renamed their constraint are the same parameter. */
function compareTypes(before: OperatorVersion, after: OperatorVersion): Difference[] {
  const rows = (version: OperatorVersion): [string, readonly DataType[]][] =>
    [...version.inputs, ...version.outputs].map(({ name, type }) => [name, typesOf(version, type)]);
  const old = new Map(rows(before));
  return rows(after).flatMap(([name, types]): Difference[] => {
    const had = old.get(name);
    if (had === undefined) return [];
    const added = types.filter((type) => !had.includes(type));
    const removed = had.filter((type) => !types.includes(type));
    return [
      ...(added.length > 0 ? [{ kind: 'added', what: 'types', name, details: added } as const] : []),
      ...(removed.length > 0 ? [{ kind: 'removed', what: 'types', name, details: removed } as const] : []),
    ];
  });
}

export function differences(before: OperatorVersion, after: OperatorVersion): Difference[] {
  const option = ({ option }: ParameterRow) => [option];
  return [
    ...compare('attribute', before.attributes, after.attributes, attributeDetails),
    ...compare('input', before.inputs, after.inputs, option),
    ...compare('output', before.outputs, after.outputs, option),
    ...compareTypes(before, after),
  ];
}
