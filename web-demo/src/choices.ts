// Which choices a version leaves, with the reasons for those that it does not: from the rows.
import type { AttributeRow, DataType, Operator, OperatorVersion } from 'broadloom';
import { newestOpset, typeRows, typesOf, versionOf } from './facts.js';

/** A choice; greyed when there is a reason against it. */
export interface Choice<T> {
  readonly value: T;
  /** The first version that allows it: none when no version does; undefined when this one does. */
  readonly allowedFrom?: number | 'none' | undefined;
}

/** The name of a parameter as it stands in `version`, in another version of the operator: the same name or place. */
function typesIn(version: OperatorVersion, kind: 'inputs' | 'outputs', index: number): readonly DataType[] {
  const rows = version[kind];
  const row = rows[index] ?? rows.at(-1);
  return row === undefined ? [] : typesOf(version, row.type);
}

/** All element types for an input, or for what decides the type of an output. */
export function typeChoices(
  operator: Operator,
  opset: number,
  kind: 'inputs' | 'outputs',
  index: number,
): Choice<DataType>[] {
  const version = versionOf(operator, opset);
  const allowed = version ? typesIn(version, kind, index) : [];
  return typeRows.map(({ name }) => {
    if (allowed.includes(name)) return { value: name };
    const first = operator.versions.find((other) => typesIn(other, kind, index).includes(name));
    return { value: name, allowedFrom: first?.sinceVersion ?? 'none' };
  });
}

/** All opsets that are known; before the operator's first version there is nothing to choose. */
export function opsetChoices(operator: Operator): Choice<number>[] {
  const first = operator.versions[0]?.sinceVersion ?? 1;
  return Array.from({ length: newestOpset }, (_, i) => i + 1).map((value) => ({
    value,
    allowedFrom: value < first ? first : undefined,
  }));
}

/** All attributes that any version has, in the newest row of each; those that this version lacks are greyed. */
export function attributeChoices(operator: Operator, opset: number): Choice<AttributeRow>[] {
  const version = versionOf(operator, opset);
  const names = new Set(operator.versions.flatMap(({ attributes }) => attributes.map(({ name }) => name)));
  return [...names].map((name) => {
    const own = version?.attributes.find((row) => row.name === name);
    if (own !== undefined) return { value: own };
    const having = operator.versions.filter(({ attributes }) => attributes.some((row) => row.name === name));
    const row = having.at(-1)?.attributes.find((it) => it.name === name) as AttributeRow;
    return { value: row, allowedFrom: having[0]?.sinceVersion ?? 'none' };
  });
}
