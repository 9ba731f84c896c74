// The attributes of every operator and version: accepted where the schema declares them, refused elsewhere.
import { describe, expect, test } from '@jest/globals';
import { type AttributeValue, load, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { type Words, wordsOf } from './helpers/reference.js';
import { type Row, rows, rowsOf } from './helpers/rows.js';
import { expectRefusal, expectWords } from './helpers/runtime.js';
import type { Data } from './helpers/types.js';

const ops = await load({});

interface Case {
  name: string;
  /** The value in a call, and in a file. */
  value: AttributeValue;
  file: Uint8Array;
  wanted: Words;
}

const f32 = (dims: number[], ...values: number[]): Words =>
  wordsOf({ type: 'float32', dims, data: Float32Array.from(values) });
const i64 = (dims: number[], ...values: (number | bigint)[]): Words =>
  wordsOf({ type: 'int64', dims, data: BigInt64Array.from(values, BigInt) });
const text = (dims: number[], ...data: string[]): Words => wordsOf({ type: 'string', dims, data });

const data: { type: 'float32'; dims: number[]; data: Float32Array } = {
  type: 'float32',
  dims: [2],
  data: Float32Array.of(1.5, -2),
};
const sparse = {
  values: { type: 'float32' as const, dims: [2], data: Float32Array.of(5, 7) },
  indices: { type: 'int64' as const, dims: [2], data: BigInt64Array.of(1n, 4n) },
  dims: [2, 3],
};
const sparseFile = proto.sparseTensor(proto.tensor('float32', [2], [5, 7]), proto.tensor('int64', [2], [1, 4]), [2, 3]);

const constantCases: Case[] = [
  {
    name: 'value',
    value: data,
    file: proto.attribute.tensor('value', proto.tensor('float32', [2], [1.5, -2])),
    wanted: f32([2], 1.5, -2),
  },
  {
    name: 'sparse_value',
    value: sparse,
    file: proto.attribute.sparse('sparse_value', sparseFile),
    wanted: f32([2, 3], 0, 5, 0, 0, 7, 0),
  },
  { name: 'value_float', value: 0.1, file: proto.attribute.float('value_float', 0.1), wanted: f32([], 0.1) },
  {
    name: 'value_floats',
    value: [1, 2.5],
    file: proto.attribute.floats('value_floats', [1, 2.5]),
    wanted: f32([2], 1, 2.5),
  },
  {
    name: 'value_int',
    value: -(2n ** 63n),
    file: proto.attribute.int('value_int', -(2n ** 63n)),
    wanted: i64([], -(2n ** 63n)),
  },
  {
    name: 'value_ints',
    value: [1, -2, 3],
    file: proto.attribute.ints('value_ints', [1, -2, 3]),
    wanted: i64([3], 1, -2, 3),
  },
  {
    name: 'value_string',
    value: 'w\u00f6rd',
    file: proto.attribute.string('value_string', 'w\u00f6rd'),
    wanted: text([], 'w\u00f6rd'),
  },
  {
    name: 'value_strings',
    value: ['a', ''],
    file: proto.attribute.strings('value_strings', ['a', '']),
    wanted: text([2], 'a', ''),
  },
];

const cases: { [operator: string]: Case[] } = {
  Constant: constantCases,
  ConstantOfShape: [
    {
      name: 'value',
      value: { ...data, dims: [1], data: Float32Array.of(7) },
      file: proto.attribute.tensor('value', proto.tensor('float32', [1], [7])),
      wanted: f32([2], 7, 7),
    },
  ],
  Shape: [
    { name: 'start', value: 1, file: proto.attribute.int('start', 1), wanted: i64([2], 3, 4) },
    { name: 'end', value: -1, file: proto.attribute.int('end', -1), wanted: i64([2], 2, 3) },
  ],
  Expand: [],
  Identity: [],
};

/** The inputs of the calls. */
const inputs: { [operator: string]: { dims: number[]; type: 'float32' | 'int64'; data: Data }[] } = {
  Constant: [],
  ConstantOfShape: [{ type: 'int64', dims: [1], data: BigInt64Array.of(2n) }],
  Shape: [{ type: 'float32', dims: [2, 3, 4], data: new Float32Array(24) }],
  Expand: [data, { type: 'int64', dims: [1], data: BigInt64Array.of(2n) }],
  Identity: [data],
};

/** A model of one node, which computes `y` from initializers. */
function modelOf(
  { operator, since }: Row,
  attributes: Uint8Array[],
  outputType: 'float32' | 'int64' | 'string',
): Uint8Array {
  const names = inputs[operator].map((_, i) => `x${i}`);
  return proto.model({
    opset: since,
    nodes: [{ op: operator, inputs: names, outputs: ['y'], attributes }],
    initializers: inputs[operator].map((input, i) => proto.tensor(input.type, input.dims, input.data, names[i])),
    outputs: [proto.value('y', outputType)],
  });
}

function resultOfModel(row: Row, attribute: Uint8Array, wanted: Words): Tensor {
  const model = ops.loadModel(modelOf(row, [attribute], wanted.type as 'int64'));
  const { y } = model.run();
  model.dispose();
  return y;
}

const givenInputs = (operator: string): never[] => inputs[operator] as never[];

describe.each(rows)('$operator-$since', (row) => {
  const { operator, since: opset } = row;
  const version = `${operator}-${opset}`;
  for (const { name, value, file, wanted } of cases[operator]) {
    if (row.attributes.some((declared) => declared.name === name)) {
      test(`${version} accepts the attribute ${name} in calls and models`, () => {
        ops.scope(() => {
          expectWords(ops.run(operator, givenInputs(operator), { [name]: value }, { opset })[0], wanted);
          const result = resultOfModel(row, file, wanted);
          expectWords(result, wanted);
        });
      });
    } else {
      test(`${version} refuses the attribute ${name} and names the version that brought it`, () => {
        const first = rowsOf(operator).find(({ attributes }) => attributes.some((declared) => declared.name === name));
        const says = [`${version}: `, `no attribute '${name}'`, `${operator}-${first?.since}`];
        const call = (): unknown => ops.run(operator, givenInputs(operator), { [name]: value }, { opset });
        expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', operator, opset, says });
        expectRefusal(ops, () => ops.loadModel(modelOf(row, [file], 'float32')), {
          code: 'INVALID_MODEL',
          operator,
          opset,
          node: '#0',
          says,
        });
      });
    }
  }

  test(`${version} refuses an attribute that no version has`, () => {
    const call = (): unknown => ops.run(operator, givenInputs(operator), { warp: 1 }, { opset });
    const says = [`${version}: `, "no attribute 'warp'"];
    expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', operator, opset, says });
    expectRefusal(ops, () => ops.loadModel(modelOf(row, [proto.attribute.int('warp', 1)], 'float32')), {
      code: 'INVALID_MODEL',
      operator,
      opset,
      node: '#0',
      says,
    });
  });

  test(`${version} ignores attributes whose names start with two underscores`, () => {
    ops.scope(() => {
      const required = operator === 'Constant' ? { value: data } : {};
      expect(ops.run(operator, givenInputs(operator), { ...required, __origin: 'loom' }, { opset })).toHaveLength(1);
    });
  });

  if (row.attributes.some(({ required }) => required)) {
    test(`${version} refuses a call without its required attribute value`, () => {
      const says = [`${version}: `, "attribute 'value' is missing"];
      expectRefusal(ops, () => ops.run(operator, [], {}, { opset }), {
        code: 'INVALID_ARGUMENT',
        operator,
        opset,
        says,
      });
      expectRefusal(ops, () => ops.loadModel(modelOf(row, [], 'float32')), {
        code: 'INVALID_MODEL',
        operator,
        opset,
        node: '#0',
        says,
      });
    });
  }
});

const wrongTypes: [operator: string, name: string, value: AttributeValue, has: string, wanted: string][] = [
  ['Shape', 'start', 1.5, 'FLOAT', 'INT'],
  ['Shape', 'end', 'last', 'STRING', 'INT'],
  ['Shape', 'start', [1], 'INTS', 'INT'],
  ['Shape', 'start', data, 'TENSOR', 'INT'],
  ['ConstantOfShape', 'value', 7, 'INT', 'TENSOR'],
  ['ConstantOfShape', 'value', sparse, 'SPARSE_TENSOR', 'TENSOR'],
  ['Constant', 'value', [1, 2], 'INTS', 'TENSOR'],
  ['Constant', 'value_float', 'x', 'STRING', 'FLOAT'],
  ['Constant', 'value_float', 1n, 'INT', 'FLOAT'],
  ['Constant', 'value_floats', ['x'], 'STRINGS', 'FLOATS'],
  ['Constant', 'value_int', 0.5, 'FLOAT', 'INT'],
  ['Constant', 'value_ints', [0.5], 'FLOATS', 'INTS'],
  ['Constant', 'value_string', 1, 'INT', 'STRING'],
  ['Constant', 'value_strings', 'x', 'STRING', 'STRINGS'],
  ['Constant', 'sparse_value', data, 'TENSOR', 'SPARSE_TENSOR'],
];

test.each(wrongTypes)(
  '%s refuses the attribute %s given as %p: it is %s, wanted %s',
  (operator, name, value, has, wanted) => {
    const says = [`${operator}-`, `attribute '${name}' is ${has}, wanted ${wanted}`];
    expectRefusal(ops, () => ops.run(operator, givenInputs(operator), { [name]: value }), {
      code: 'INVALID_ARGUMENT',
      operator,
      opset: 28,
      says,
    });
  },
);

test.each([
  [
    'a list of several kinds',
    ['a', 1],
    ["attribute 'value_ints': entry 1 is 1, wanted a list of numbers or of strings"],
  ],
  ['an object that is not a tensor', { dims: 1 }, ["attribute 'value_ints' is Object"]],
  ['null', null, ["attribute 'value_ints' is null"]],
  ['a boolean for a list', true, ["attribute 'value_ints' is INT, wanted INTS"]],
  ['a bigint above int64', 2n ** 63n, ['9223372036854775808n']],
  ['a number that is not exact in a list', [1, 2 ** 53], ['9007199254740992']],
  ['a lone surrogate', '\ud800', ['lone surrogate']],
])('an attribute that is %s is refused', (_title, value, says) => {
  expectRefusal(ops, () => ops.run('Constant', [], { value_ints: value as never }), {
    code: 'INVALID_ARGUMENT',
    operator: 'Constant',
    opset: 28,
    says,
  });
});

test.each([
  ['start', Number.NaN, "attribute 'start' is FLOAT, wanted INT: the value is NaN"],
  ['start', -0.5, "attribute 'start' is FLOAT, wanted INT: the value is -0.5"],
  ['end', 'last', "attribute 'end' is STRING, wanted INT: the value is 'last'"],
])('a number or a string of another type stands in the message: %s is %p', (name, value, says) => {
  const call = () => ops.run('Shape', [data], { [name]: value });
  expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', operator: 'Shape', opset: 28, says: [says] });
});

test('an attribute that is undefined counts as left out', () => {
  ops.scope(() => expectWords(ops.shape(data, { start: undefined, end: undefined }), i64([1], 2)));
});
