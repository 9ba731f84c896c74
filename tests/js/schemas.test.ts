// Compares the operators' rows with ONNX's schemas.
import { expect, test } from '@jest/globals';
import { type AttributeRow, load, type Operator, type OperatorVersion } from 'broadloom';
import { operatorNames, type Row, schemaRows as rows, rowsOf } from './helpers/rows.js';
import { types } from './helpers/types.js';

const ops = await load({});
const operators: Operator[] = ops.operators();

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

function versionOf({ operator, since }: Row): OperatorVersion {
  const version = operators
    .find(({ name }) => name === operator)
    ?.versions.find(({ sinceVersion }) => sinceVersion === since);
  if (version === undefined) throw new Error(`${operator}-${since} is not there`);
  return version;
}

test('the operators that run are those that have words in data/operators', () => {
  expect(operators.map(({ name }) => name)).toEqual(operatorNames);
});

test.each(operatorNames)('%s has exactly the versions of the schemas, in ascending order', (operator) => {
  const found = operators.filter(({ name }) => name === operator);
  expect(found).toHaveLength(1);
  expect(found[0].versions.map(({ sinceVersion }) => sinceVersion)).toEqual(rowsOf(operator).map(({ since }) => since));
});

test.each(rows)(
  '$operator-$since declares the attributes of its schema, with types, required marks, defaults and choices',
  (row) => {
    const declared: readonly AttributeRow[] = versionOf(row).attributes;
    // Rows have no lists as defaults. The one operator that has such a default knows it.
    const told = row.attributes.map(({ default: value, ...others }) =>
      value === undefined || Array.isArray(value) ? others : { ...others, default: value },
    );
    expect([...declared].sort(byName)).toEqual(told.sort(byName));
  },
);

test.each(rows)('$operator-$since declares the inputs and outputs of its schema', (row) => {
  const { inputs, outputs } = versionOf(row);
  expect({ inputs, outputs }).toEqual({ inputs: row.inputs, outputs: row.outputs });
});

test.each(rows.filter(({ ignored }) => ignored.length === 0))(
  '$operator-$since allows the element types of its schema',
  (row) => {
    expectTypes(row);
  },
);

test.each(rows.filter(({ ignored }) => ignored.length > 0))(
  '$operator-$since allows the tensor types of its schema; its sequence and optional types are left out on purpose',
  (row) => {
    expect(row.operator).toBe('Identity');
    expect(row.ignored.filter((type) => !/^(optional\(|seq\()/.test(type))).toEqual([]);
    expectTypes(row);
  },
);

function expectTypes(row: Row): void {
  const { typeConstraints } = versionOf(row);
  const order = (list: readonly string[]): string[] => [...list].sort();
  const sorted = (constraints: { readonly [name: string]: readonly string[] }) =>
    Object.fromEntries(Object.entries(constraints).map(([name, list]) => [name, order(list)]));
  expect(sorted(typeConstraints)).toEqual(sorted(row.typeConstraints));
}

test('every element type of ONNX is allowed somewhere', () => {
  const allowed = new Set(
    operators.flatMap(({ versions }) =>
      versions.flatMap(({ typeConstraints }) => Object.values(typeConstraints).flat()),
    ),
  );
  expect(types.map(({ name }) => name).filter((name) => !allowed.has(name))).toEqual([]);
});

test('operators() gives fresh rows that a caller cannot spoil', () => {
  (ops.operators()[0].versions as OperatorVersion[]).length = 0;
  expect(ops.operators()).toEqual(operators);
});
