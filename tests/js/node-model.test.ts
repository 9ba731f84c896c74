// nodeModel: calls as files.
import { describe, expect, test } from '@jest/globals';
import { type Attributes, type DataType, load, type OperatorInput, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expectRuns, tensorsOf } from './helpers/node-models.js';
import { wordsOf } from './helpers/reference.js';
import { type Row, rows, rowsOf, testedConstraint } from './helpers/rows.js';
import { counters, errorOf, expectRefusal, sampleTensor } from './helpers/runtime.js';
import { typeRow } from './helpers/types.js';

const ops = await load({});
const scoped = (title: string, work: () => void): void =>
  test(title, () => {
    const before = counters(ops);
    ops.scope(work);
    expect(counters(ops)).toEqual(before);
  });

/** Arguments of a call in which the tested type is `type`. */
function call(row: Row, type: DataType): [inputs: OperatorInput[], attributes: Attributes] {
  const tensor = sampleTensor(ops, type);
  if (row.operator === 'Constant') return [[], { value: tensor }];
  if (row.operator === 'ConstantOfShape') {
    const bits = typeRow(type).bits;
    const last =
      type === 'string' ? ['weft'] : (tensor.toArray() as Uint8Array).slice(0, type.startsWith('complex') ? 2 : 1);
    if (bits > 0 && bits < 8) (last as Uint8Array)[0] &= 2 ** bits - 1;
    return [[[3, 0, 2]].map((dims) => dims.map((dim) => dim + 1)), { value: ops.tensor(type, last as never, [1]) }];
  }
  return [row.operator === 'Expand' ? [tensor, [2, 2, 1]] : [tensor], {}];
}

describe.each(rows)('$operator-$since', (row) => {
  const { operator } = row;
  for (const type of row.typeConstraints[testedConstraint(row)]) {
    scoped(`the files of ${operator}-${row.since} of ${type} run, with the result of run`, () => {
      for (const opset of row.opsets) {
        const [inputs, attributes] = call(row, type);
        const files = ops.nodeModel(operator, inputs, attributes, { opset });
        expect(expectRuns(ops, files)).toEqual(ops.run(operator, inputs, attributes, { opset }).map(wordsOf));
        const given = tensorsOf(ops, files, 'input').map(wordsOf);
        const wanted = inputs.map((input) =>
          Array.isArray(input)
            ? wordsOf({ type: 'int64', dims: [input.length], data: BigInt64Array.from(input, BigInt) })
            : wordsOf(input as never),
        );
        expect(given).toEqual(wanted);
      }
    });
  }
});

scoped('the model has the fields that onnx.proto requires', () => {
  const files = ops.nodeModel('Shape', [ops.tensor('int8', new Int8Array(6), [2, 3])], {
    start: -1,
    __note: 'x',
  } as object);
  const { concat, bytes, integer } = proto;
  const attribute = concat(bytes(1, 'start'), integer(3, -1), integer(20, 2));
  const node = concat(bytes(1, 'data'), bytes(2, 'shape'), bytes(4, 'Shape'), bytes(5, attribute));
  const graph = concat(
    bytes(1, node),
    bytes(2, 'Shape'),
    bytes(11, proto.value('data', 'int8', [2, 3])),
    bytes(12, proto.value('shape', 'int64', [1])),
  );
  const wanted = concat(integer(1, 13), bytes(2, 'broadloom'), bytes(7, graph), proto.opsetImport('', 25));
  expect(files['model.onnx']).toEqual(wanted);
  expect(Object.keys(files)).toEqual(['model.onnx', 'test_data_set_0/input_0.pb', 'test_data_set_0/output_0.pb']);
  expect(files['test_data_set_0/output_0.pb']).toEqual(
    concat(integer(1, 1), integer(2, 7), bytes(8, 'shape'), bytes(9, Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0))),
  );
});

scoped('files belong to JavaScript: each has its own buffer', () => {
  const files = Object.values(ops.nodeModel('Expand', [ops.tensor('int8', [3], [1]), [2, 2]]));
  expect(files.map(({ buffer, byteLength }) => buffer.byteLength === byteLength)).toEqual([true, true, true, true]);
});

const irVersions: readonly (readonly [opset: number, ir: number])[] = [
  ...[1, 8].map((opset) => [opset, 3] as const),
  [9, 4],
  [10, 5],
  [11, 6],
  ...[12, 14].map((opset) => [opset, 7] as const),
  ...[15, 18].map((opset) => [opset, 8] as const),
  ...[19, 20].map((opset) => [opset, 9] as const),
  ...[21, 22].map((opset) => [opset, 10] as const),
  [23, 11],
  [24, 12],
  ...[25, 27].map((opset) => [opset, 13] as const),
  ...[28, 2 ** 40].map((opset) => [opset, 14] as const),
];
test.each(irVersions)('a model of opset %i has IR version %i', (opset, ir) => {
  ops.scope(() => {
    const files = ops.nodeModel('Identity', [ops.tensor('int8', [1], [])], {}, { opset });
    expect([...files['model.onnx'].subarray(0, 2)]).toEqual([8, ir]);
    expect(expectRuns(ops, files)[0].words).toEqual(['01']);
  });
});

scoped('a model has the opset of the call, or else the oldest with the same version of the operator', () => {
  const x = ops.tensor('float32', [1, 2], [2]);
  const opsets = (runtime: typeof ops, options?: { opset?: number | undefined }) =>
    [runtime.nodeModel('Expand', [x, [3, 2]], {}, options), runtime.nodeModel('Identity', [x], undefined, options)].map(
      (files) => {
        const model = ops.loadModel(files['model.onnx']);
        const [{ version }] = model.nodes;
        model.dispose();
        return [version, model.opset, files['model.onnx'][1]];
      },
    );
  const oldest = [
    [13, 13, 7],
    [25, 25, 13],
  ];
  expect(opsets(ops)).toEqual(oldest);
  expect(opsets(ops, {})).toEqual(oldest);
  expect(opsets(ops, { opset: undefined })).toEqual(oldest);
  expect(opsets(ops, { opset: 26 })).toEqual([
    [13, 26, 13],
    [25, 26, 13],
  ]);
  expect(opsets(ops, { opset: 20 })).toEqual([
    [13, 20, 9],
    [19, 20, 9],
  ]);
});

test('the opset of a runtime chooses the version of a call as a model', async () => {
  const runtime = await load({ opset: 12 });
  const x = { type: 'float32' as const, dims: [2], data: [1, 2] };
  const files = runtime.nodeModel('Expand', [x, [3, 2]]);
  expect([files['model.onnx'][1], runtime.loadModel(files['model.onnx']).opset]).toEqual([3, 8]);
});

const int64Extremes = [2n ** 63n - 1n, -(2n ** 63n), 0n, -1n, 127n, 128n];
const constants: readonly (readonly [title: string, attributes: Attributes])[] = [
  ['a float', { value_float: 1.1 }],
  ['-0', { value_float: -0 }],
  ['a whole number for a FLOAT', { value_float: 7 }],
  ['NaN', { value_float: Number.NaN }],
  ['floats', { value_floats: [1.5, -0, Infinity] }],
  ['no floats', { value_floats: [] }],
  ['an int', { value_int: 5 }],
  ['the largest int64', { value_int: 2n ** 63n - 1n }],
  ['the smallest int64', { value_int: -(2n ** 63n) }],
  ['ints', { value_ints: int64Extremes }],
  ['no ints', { value_ints: [] }],
  ['a string', { value_string: '\u{1f9f6} wool\0' }],
  ['an empty string', { value_string: '' }],
  ['strings', { value_strings: ['a', '', 'weft '.repeat(100)] }],
  ['no strings', { value_strings: [] }],
  ['a scalar', { value: { type: 'int64', dims: [], data: [-(2n ** 63n)] } }],
  ['an empty tensor', { value: { type: 'string', dims: [2, 0], data: [] } }],
  ['a packed tensor', { value: { type: 'int4', dims: [3], data: [-8, 7, 1] } }],
  [
    'a sparse tensor',
    {
      sparse_value: {
        dims: [2, 3],
        values: { type: 'float32', dims: [2], data: [5, 7] },
        indices: { type: 'int64', dims: [2, 2], data: [0, 1, 1, 2] },
      },
    },
  ],
  ['a sparse tensor without indices', { sparse_value: { dims: [2], values: { type: 'string', dims: [0], data: [] } } }],
];
test.each(constants)('the files of a Constant of %s run, and give the same value', (_, attributes) => {
  ops.scope(() => {
    const wanted = ops.run('Constant', [], attributes).map(wordsOf);
    for (const { since, typeConstraints } of rowsOf('Constant')) {
      if (since < 12 || !typeConstraints.T.includes(wanted[0].type as DataType)) continue;
      const files = ops.nodeModel('Constant', [], attributes, { opset: since });
      expect(Object.keys(files)).toEqual(['model.onnx', 'test_data_set_0/output_0.pb']);
      expect(expectRuns(ops, files)).toEqual(wanted);
    }
  });
});

scoped('lazy inputs and attributes are written out, and stay lazy', () => {
  const value = ops.expand(ops.tensor('int16', [-3], [1]), [1]);
  const wide = ops.expand(ops.tensor('string', ['a', 'bc'], [2, 1]), [2, 3]);
  expect(expectRuns(ops, ops.nodeModel('Expand', [wide, [2, 1, 1]]))[0].words.slice(0, 6)).toEqual(wordsOf(wide).words);
  const packed = ops.constantOfShape([3], { value: { type: 'uint2', dims: [1], data: [3] } });
  expect(expectRuns(ops, ops.nodeModel('Identity', [packed]))[0].words).toEqual(['3', '3', '3']);
  expect(expectRuns(ops, ops.nodeModel('ConstantOfShape', [[2]], { value }))[0].words).toEqual(['fdff', 'fdff']);
  const lazy = ops.expand(ops.tensor('float32', [2], [1]), [100]);
  ops.nodeModel('Identity', [lazy]);
  expect(lazy.strides).toEqual([0]);
});

scoped('a call is written with the runtime’s opset, or the one that it names', () => {
  const older = ops.nodeModel('Identity', [ops.tensor('int8', [1], [1])], undefined, { opset: 13 });
  expect(Buffer.from(older['model.onnx']).includes(Buffer.from(proto.opsetImport('', 13)))).toBe(true);
});

const one = { type: 'int64' as const, dims: [1], data: [1] };
const refused: readonly (readonly [title: string, work: (ops: Runtime, method: 'run' | 'nodeModel') => unknown])[] = [
  ['an unknown operator', (rt, method) => rt[method]('Weave')],
  ['an operator that the opset does not have', (rt, method) => rt[method]('Expand', [[1], [1]], {}, { opset: 7 })],
  ['an opset that is not a number', (rt, method) => rt[method]('Shape', [[1]], {}, { opset: 0.5 })],
  ['inputs that are not a list', (rt, method) => rt[method]('Shape', 3 as never)],
  ['a missing input', (rt, method) => rt[method]('Expand', [one, null])],
  ['too many inputs', (rt, method) => rt[method]('Shape', [one, null, null])],
  ['an input that is not a tensor', (rt, method) => rt[method]('Shape', ['x' as never])],
  ['a list of halves', (rt, method) => rt[method]('ConstantOfShape', [[0.5]])],
  ['an attribute of another type', (rt, method) => rt[method]('Shape', [one], { start: 'x' as never })],
  ['an attribute that nobody knows', (rt, method) => rt[method]('Shape', [one], { first: 1 } as object)],
  [
    'a type that the version does not allow',
    (rt, method) => rt[method]('Expand', [{ type: 'int4', dims: [1], data: [1] }, [2]]),
  ],
  [
    'a shape that does not broadcast',
    (rt, method) => rt[method]('Expand', [{ type: 'int64', dims: [3], data: [1, 2, 3] }, [2]]),
  ],
  ['a Constant of nothing', (rt, method) => rt[method]('Constant')],
];
test.each(refused)('%s is refused as run refuses it, and leaves nothing behind', (_, work) => {
  const wanted = errorOf(() => work(ops, 'run'));
  const { code, operator, opset } = wanted;
  const error = expectRefusal(ops, () => work(ops, 'nodeModel'), { code, says: [], operator, opset });
  expect(error.message).toBe(wanted.message);
});

test('a result that does not fit in memory is refused, and nothing is lost', async () => {
  const small = await load({ maximumMemory: 2 ** 23 });
  const x = small.tensor('int8', [7], [1]);
  const wide = small.expand(x, [2 ** 40]);
  for (const work of [
    () => small.nodeModel('ConstantOfShape', [[2 ** 22]]),
    () => small.nodeModel('ConstantOfShape', [[2 ** 50]]),
    () => small.nodeModel('Shape', [wide]),
    () => small.nodeModel('Expand', [x, [2 ** 22, 2 ** 10]]),
    () => small.nodeModel('Constant', [], { value: wide }),
  ]) {
    expectRefusal(small, work, { code: 'OUT_OF_MEMORY', says: [] });
  }
  expect(expectRuns(small, small.nodeModel('Expand', [x, [2]]))[0].words).toEqual(['07', '07']);
});

test('files that do not fit in memory leave nothing behind', () => {
  const { slice } = Uint8Array.prototype;
  const x = ops.tensor('int8', [7], [1]);
  const before = counters(ops);
  Uint8Array.prototype.slice = () => {
    throw new RangeError('no memory');
  };
  try {
    expect(() => ops.nodeModel('Expand', [x, [2]])).toThrow('no memory');
    expect(() => ops.writeTensor(x)).toThrow('no memory');
  } finally {
    Uint8Array.prototype.slice = slice;
  }
  expect(counters(ops)).toEqual(before);
  x.dispose();
});

scoped('a scope does not own the files', () => {
  const files = ops.scope(() => ops.nodeModel('Constant', [], { value_int: 3 }));
  expect(expectRuns(ops, files)[0].words).toEqual(['0300000000000000']);
});
