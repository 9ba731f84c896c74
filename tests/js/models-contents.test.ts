// model.nodes[i].attributes, model.initializers and model.metadata.
import { expect, test } from '@jest/globals';
import { load, type ModelNode } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { counters, errorOf } from './helpers/runtime.js';
import { typedTensor } from './helpers/typed-tensor.js';

const ops = await load({});
const { attribute, value } = proto;

function loaded<R>(spec: proto.ModelSpec, use: (model: ReturnType<typeof ops.loadModel>) => R, extra?: Uint8Array): R {
  const file = extra === undefined ? proto.model(spec) : proto.concat(proto.model(spec), extra);
  const model = ops.loadModel(file, { allowUnsupported: true });
  try {
    return use(model);
  } finally {
    model.dispose();
  }
}

const all = [
  attribute.int('large', 2n ** 62n),
  attribute.int('small', -3),
  attribute.float('epsilon', 1e-5),
  attribute.float('infinite', Number.NEGATIVE_INFINITY),
  attribute.string('mode', 'linear "x"'),
  attribute.ints('ints', [1, -2n, 2n ** 60n]),
  attribute.floats('floats', [0.1, 2, Number.NaN]),
  attribute.strings('words', ['ä', '']),
  attribute.tensor('tensor', proto.tensor('float16', [2], new Uint16Array([1, 2]))),
  attribute.raw('types', 13, proto.bytes(14, new Uint8Array())),
  attribute.raw('body', 5, proto.bytes(6, proto.graph({}))),
];
const wanted = {
  large: 2n ** 62n,
  small: -3,
  epsilon: 1e-5,
  infinite: Number.NEGATIVE_INFINITY,
  mode: 'linear "x"',
  ints: [1, -2, 2n ** 60n],
  floats: [0.1, 2, Number.NaN],
  words: ['ä', ''],
  tensor: { type: 'float16', dims: [2], data: new Uint16Array([1, 2]) },
  types: { type: 'type_proto' },
  body: { type: 'graph', inputs: [], outputs: [] },
};
const first = (nodes: readonly ModelNode[]) => nodes[0] as ModelNode;

test('a node of an unknown operator has all its attributes, and keeps them when the model is gone', () => {
  const spec = { nodes: [{ op: 'Weave', domain: 'com.example', outputs: ['y'], attributes: all }] };
  const { attributes, graphs } = loaded(spec, (model) => first(model.nodes));
  expect(Object.keys(attributes).sort()).toEqual(Object.keys(wanted).sort());
  expect({ ...attributes }).toEqual(wanted);
  expect(Object.keys(graphs ?? {})).toEqual(['body']);
});

test('a graph of a node has the inputs and outputs that it declares, with the names of their sizes', () => {
  const sizes = [1, 'batch', null] as never;
  const body = proto.graph({
    nodes: [{ op: 'Identity', inputs: ['go'], outputs: ['on'] }],
    inputs: [value('i', 'int64', []), value('go', 'bool', []), value('state', 'float32', sizes)],
    outputs: [value('on', 'bool', []), value('state', 'float32', sizes)],
  });
  const spec: proto.ModelSpec = {
    nodes: [
      {
        op: 'Loop',
        inputs: ['n', '', 'x'],
        outputs: ['y'],
        attributes: [attribute.raw('body', 5, proto.bytes(6, body))],
      },
    ],
    inputs: [value('n', 'int64', []), value('x', 'float32', sizes)],
    outputs: [value('y', 'float32')],
  };
  const { attributes } = loaded(spec, (model) => first(model.nodes));
  const state = { name: 'state', type: 'float32', dims: [1, 'batch', null] };
  expect(attributes.body).toEqual({
    type: 'graph',
    inputs: [{ name: 'i', type: 'int64', dims: [] }, { name: 'go', type: 'bool', dims: [] }, state],
    outputs: [{ name: 'on', type: 'bool', dims: [] }, state],
  });
});

test('a node that runs has the attributes that the file gives, and no defaults', () => {
  const spec: proto.ModelSpec = {
    nodes: [
      { op: 'Transpose', inputs: ['x'], outputs: ['y'], attributes: [attribute.ints('perm', [1, 0])] },
      { op: 'Softmax', inputs: ['y'], outputs: ['z'] },
      {
        op: 'Constant',
        outputs: ['c'],
        attributes: [attribute.tensor('value', proto.tensor('int64', [], [7n] as never))],
      },
      { op: 'LeakyRelu', inputs: ['y'], outputs: ['l'], attributes: [attribute.float('alpha', 0.3)] },
    ],
    inputs: [value('x', 'float32', [2, 2])],
    outputs: [value('z', 'float32')],
  };
  const attributes = loaded(spec, ({ nodes }) => nodes.map((node) => ({ ...node.attributes })));
  expect(attributes).toEqual([
    { perm: [1, 0] },
    {},
    { value: { type: 'int64', dims: [], data: BigInt64Array.of(7n) } },
    { alpha: 0.3 },
  ]);
});

test('a convolution, whose shapes alone are known, has its attributes', () => {
  const attributes = [attribute.ints('strides', [2, 2]), attribute.string('auto_pad', 'SAME_UPPER')];
  const spec = {
    nodes: [{ op: 'CausalConvWithState', inputs: ['x', 'x'], outputs: ['y'], attributes }],
    inputs: [value('x', 'float32')],
  };
  expect({ ...loaded(spec, (model) => first(model.nodes).attributes) }).toEqual({
    strides: [2, 2],
    auto_pad: 'SAME_UPPER',
  });
});

test('large tensors and long lists are read when they are asked for, as long as the model lives', () => {
  const numbers = Float32Array.from({ length: 5000 }, (_, i) => i / 10);
  const attributes = [
    attribute.tensor('tensor', proto.tensor('float32', [5000], numbers)),
    attribute.floats('floats', [...numbers]),
  ];
  const spec = { nodes: [{ op: 'Weave', domain: 'com.example', outputs: ['y'], attributes }] };
  const before = counters(ops);
  const late = loaded(spec, (model) => {
    const { tensor, floats } = first(model.nodes).attributes as never as {
      tensor: { data: unknown };
      floats: number[];
    };
    expect(tensor.data).toEqual(numbers);
    expect([floats.length, floats[1], floats[4999]]).toEqual([5000, 0.1, 499.9]);
    return ops.loadModel(proto.model(spec), { allowUnsupported: true });
  });
  const { tensor } = first(late.nodes).attributes as never as { tensor: { data: unknown } };
  late.dispose();
  expect(errorOf(() => tensor.data).code).toBe('DISPOSED');
  expect(counters(ops)).toEqual(before);
});

test('initializers have their name, type, dims, bytes, and the field that holds them; read gives the tensor', () => {
  const external = proto.concat(
    proto.tensorHead('float32', [2, 3], 'far'),
    proto.bytes(13, proto.concat(proto.bytes(1, 'location'), proto.bytes(2, 'weights.bin'))),
    proto.bytes(13, proto.concat(proto.bytes(1, 'offset'), proto.bytes(2, '64'))),
    proto.integer(14, 1),
  );
  const branch = proto.graph({
    nodes: [{ op: 'Identity', inputs: ['inner'], outputs: ['z'] }],
    initializers: [proto.tensor('int8', [2], new Int8Array([4, 5]), 'inner')],
    outputs: [value('z', 'int8')],
  });
  const branches = ['then_branch', 'else_branch'].map((name) => attribute.graph(name, branch));
  const typed = proto.concat(typedTensor('float32', [2], new Float32Array([1, 2])), proto.bytes(8, 'typed'));
  const spec: proto.ModelSpec = {
    nodes: [{ op: 'If', inputs: ['c'], outputs: ['y'], attributes: branches }],
    inputs: [value('c', 'bool', [])],
    outputs: [value('y', 'int8')],
    initializers: [proto.tensor('int64', [2], BigInt64Array.of(3n, 4n), 'raw'), typed, external],
  };
  const before = counters(ops);
  loaded(spec, (model) => {
    const told = model.initializers.map(({ name, type, dims, bytes, field, external: place, graph }) =>
      [name, type, dims, bytes, field, place, graph]); // biome-ignore format: one row
    expect(told).toEqual([
      ['raw', 'int64', [2], 16, 'raw_data', null, ''],
      ['typed', 'float32', [2], 8, 'float_data', null, ''],
      ['far', 'float32', [2, 3], 24, null, { location: 'weights.bin', offset: 64, length: null }, ''],
      ['inner', 'int8', [2], 2, 'raw_data', null, 'graph.node[0].then_branch'],
      ['inner', 'int8', [2], 2, 'raw_data', null, 'graph.node[0].else_branch'],
    ]);
    ops.scope(() => {
      const [raw, floats, far, inner] = model.initializers;
      expect([...(raw?.read().data ?? [])]).toEqual([3n, 4n]);
      expect([...(floats?.read().data ?? [])]).toEqual([1, 2]);
      expect([...(inner?.read().data ?? [])]).toEqual([4, 5]);
      const written = raw?.read().data as BigInt64Array;
      written[0] = 9n;
      expect([...(raw?.read().data ?? [])]).toEqual([3n, 4n]);
      const { code, message } = errorOf(() => far?.read());
      expect([code, message]).toEqual(['INVALID_MODEL', expect.stringContaining("file 'weights.bin', was not given")]);
      const read = raw?.read as (superfluous: number) => unknown;
      expect(errorOf(() => read(1)).message).toBe('read: takes no arguments, got 1');
    });
    expect(JSON.parse(JSON.stringify(model.initializers))).toHaveLength(5);
  });
  const [gone] = loaded(spec, (model) => model.initializers);
  expect(errorOf(() => gone?.read()).code).toBe('DISPOSED');
  expect(counters(ops)).toEqual(before);
});

test('a description of large weights copies none of them', () => {
  const weights = new Float32Array(4 << 20).fill(1);
  const model = ops.loadModel(proto.model({ initializers: [proto.tensor('float32', [4 << 20], weights, 'w')] }));
  const { bytesInUse, heapBytes } = ops.memory();
  expect(model.initializers[0]?.bytes).toBe(16 << 20);
  const tensor = model.initializers[0]?.read();
  expect(ops.memory()).toMatchObject({ bytesInUse, heapBytes });
  tensor?.dispose();
  model.dispose();
});

test('metadata has what the file says about the model', () => {
  const entry = (key: string, text: string) => proto.concat(proto.bytes(1, key), proto.bytes(2, text));
  const file = proto.concat(
    proto.bytes(2, 'torch'),
    proto.bytes(3, '2.9'),
    proto.bytes(4, 'com.example'),
    proto.integer(5, 2n ** 60n),
    proto.bytes(6, 'A model.'),
    proto.bytes(14, entry('author', 'Ada')),
    proto.bytes(14, entry('__proto__', 'x')),
    proto.bytes(
      25,
      proto.concat(
        proto.bytes(1, 'Twice'),
        proto.bytes(8, 'Doubles.'),
        proto.bytes(10, 'mine'),
        proto.opsetImport('', 25).slice(0, 0),
      ),
    ),
  );
  const metadata = loaded({ ir: 9, opset: [['', 21], ['mine', 1]] }, (model) => model.metadata, file); // biome-ignore format: one line
  expect(metadata).toEqual({
    irVersion: 9,
    opsets: [
      { domain: '', version: 21 },
      { domain: 'mine', version: 1 },
    ],
    producerName: 'torch',
    producerVersion: '2.9',
    domain: 'com.example',
    modelVersion: 2n ** 60n,
    docString: 'A model.',
    properties: Object.fromEntries([
      ['author', 'Ada'],
      ['__proto__', 'x'],
    ]),
    graphName: 'graph',
    graphDocString: '',
    graphProperties: {},
    functions: [{ domain: 'mine', name: 'Twice', overload: '', docString: 'Doubles.' }],
  });
});

test('an initializer that no memory could hold has its number of bytes', () => {
  const sparse = (type: 'float32' | 'int8', name: string, dims: number[]) =>
    proto.sparseTensor(proto.tensor(type, [1], [5], name), proto.tensor('int64', [1], [1]), dims);
  const most = [6361, 69431, 20394401]; // their product is 2^53 - 1
  const sparseInitializers = [sparse('float32', 'a', [2 ** 31, 2 ** 20]), sparse('int8', 'b', most)];
  const bytes = loaded({ sparseInitializers }, (model) => model.initializers.map((one) => one.bytes));
  expect(bytes).toEqual([2 ** 53, 2 ** 53 - 1]);
});

test('a disposed model has no description, unless it was asked for before', () => {
  const model = ops.loadModel(proto.model({}));
  expect(model.metadata.modelVersion).toBe(0);
  const other = ops.loadModel(proto.model({}));
  for (const one of [model, other]) one.dispose();
  expect(model.initializers).toEqual([]);
  expect(errorOf(() => other.initializers).code).toBe('DISPOSED');
  expect(errorOf(() => other.metadata).code).toBe('DISPOSED');
});
