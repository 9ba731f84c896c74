// Model.nodes, and models that Broadloom cannot run.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { load, type ModelNode, OnnxError } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { officialFolder } from '../../tools/models/official.mjs';
import { f32 } from './helpers/models.js';
import { counters, errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const { attribute, value } = proto;

function nodesOf(spec: proto.ModelSpec, allowUnsupported = true): readonly ModelNode[] {
  using model = ops.loadModel(proto.model(spec), { allowUnsupported });
  return model.nodes;
}

/** The inferred dims of every named output, or its type alone, by name. */
function inferred(spec: proto.ModelSpec): { [name: string]: unknown } {
  const outputs = nodesOf(spec).flatMap((node) => node.outputs);
  return Object.fromEntries(outputs.map(({ name, inferred: info }) => [name, info && (info.dims ?? info.type)]));
}

const weave = (inputs: string[], outputs: string[]): proto.NodeSpec => ({ op: 'Weave', inputs, outputs });
const ints = (name: string, ...values: number[]): proto.NodeSpec => ({
  op: 'Constant',
  outputs: [name],
  attributes: [attribute.ints('value_ints', values)],
});

test('nodes are all nodes of the file in order, with their operator, opset and outputs', () => {
  const spec: proto.ModelSpec = {
    opset: 13,
    nodes: [
      ints('to', 2, 1),
      { op: 'Expand', name: 'wide', domain: 'ai.onnx', inputs: ['x', 'to'], outputs: ['y'] },
      { op: 'Shape', inputs: ['y'], outputs: ['z'] },
    ],
    inputs: [value('x', 'float32', ['n'])],
    values: [value('y', 'float32', [2, null])],
    outputs: [value('z', 'int64')],
  };
  const wanted: ModelNode[] = [
    {
      name: '',
      operator: 'Constant',
      domain: '',
      version: 13,
      unsupported: null,
      inputs: [],
      attributes: { value_ints: [2, 1] },
      outputs: [{ name: 'to', declared: null, inferred: { type: 'int64', dims: [2] } }],
    },
    {
      name: 'wide',
      operator: 'Expand',
      domain: 'ai.onnx',
      version: 13,
      unsupported: null,
      inputs: ['x', 'to'],
      attributes: {},
      outputs: [
        {
          name: 'y',
          declared: { type: 'float32', dims: [2, null] },
          inferred: { type: 'float32', dims: [2, 'n'] },
        },
      ],
    },
    {
      name: '',
      operator: 'Shape',
      domain: '',
      version: 13,
      unsupported: null,
      inputs: ['y'],
      attributes: {},
      outputs: [{ name: 'z', declared: { type: 'int64', dims: null }, inferred: { type: 'int64', dims: [2] } }],
    },
  ];
  expect(nodesOf(spec, false)).toEqual(wanted);
  expect(nodesOf(spec, true)).toEqual(wanted);
});

test('before IR version 4, initializers are constants, though they are inputs and may be fed', () => {
  const spec = (ir: number): proto.ModelSpec => ({
    ir,
    opset: 8,
    nodes: [
      { op: 'Reshape', inputs: ['x', 'to'], outputs: ['r'] },
      { op: 'Expand', inputs: ['one', 'to'], outputs: ['e'] },
      { op: 'Mul', inputs: ['r', 'e'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32', [6]), value('to', 'int64', [2]), value('one', 'float32')],
    outputs: [value('y', 'float32')],
    initializers: [proto.tensor('int64', [2], [2, 3], 'to'), proto.tensor('float32', [1], [1], 'one')],
  });
  expect(inferred(spec(3))).toEqual({ r: [2, 3], e: [2, 3], y: [2, 3] });
  expect(inferred(spec(4))).toEqual({ r: [null, null], e: 'float32', y: 'float32' });
  for (const ir of [3, 4]) {
    for (const optimize of [true, false]) {
      using model = ops.loadModel(proto.model(spec(ir)), { optimize });
      const x = f32([6], 1, 2, 3, 4, 5, 6);
      const dimsOf = (feeds: object) => model.run({ x, ...feeds }).y?.dims;
      const to = { type: 'int64', dims: [2], data: [3, 2] };
      for (let i = 0; i < 3; i++) {
        expect(dimsOf({})).toEqual([2, 3]);
        expect(dimsOf({ to })).toEqual([3, 2]);
        expect(model.run({ x, one: f32([1], 2) }).y?.toArray()).toEqual(Float32Array.of(2, 4, 6, 8, 10, 12));
      }
      expect(model.nodes[0]?.outputs[0]?.inferred?.dims).toEqual(ir === 3 ? [2, 3] : [null, null]);
    }
  }
});

const refusals: readonly (readonly [title: string, spec: proto.ModelSpec, code: string, says: string])[] = [
  ['an unknown operator', { nodes: [weave(['x'], ['y'])] }, 'UNKNOWN_OPERATOR', "no operator 'Weave'"],
  [
    'another domain',
    { nodes: [{ op: 'Shape', domain: 'com.example', inputs: ['x'], outputs: ['y'] }] },
    'UNKNOWN_OPERATOR',
    "no operator 'Shape' in domain 'com.example'",
  ],
  [
    'an operator that came later',
    { opset: 7, nodes: [{ op: 'Expand', inputs: ['x', 'x'], outputs: ['y'] }] },
    'UNKNOWN_OPERATOR',
    'Expand: not in opset 7; its first version is Expand-8',
  ],
  [
    'a type that the version does not have',
    { opset: 13, nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }] },
    'UNSUPPORTED_TYPE',
    "Identity-13: input 'input' cannot be int4",
  ],
];
test.each(refusals)('%s refuses a model, unless that is allowed: then run throws the same', (_, spec, code, says) => {
  const before = counters(ops);
  const file = proto.model({ inputs: [value('x', 'int4', [2])], outputs: [value('y', 'int4', [2])], ...spec });
  const strict = errorOf(() => ops.loadModel(file));
  expect(strict).toMatchObject({ code, node: '#0', message: expect.stringContaining(says) });
  expect(errorOf(() => ops.loadModel(file, { allowUnsupported: false }))).toMatchObject({ code });
  using model = ops.loadModel(file, { allowUnsupported: true });
  expect(model.outputs).toEqual([{ name: 'y', type: 'int4', dims: [2] }]);
  const [node] = model.nodes;
  expect(node).toMatchObject({
    version: null,
    unsupported: expect.stringContaining(says),
    operator: spec.nodes?.[0].op,
  });
  // With an allowed type, it would have these dims.
  const inferred = code === 'UNSUPPORTED_TYPE' ? { type: null, dims: [2] } : null;
  expect(node.outputs).toEqual([{ name: 'y', declared: { type: 'int4', dims: [2] }, inferred }]);
  expectRefusal(ops, () => model.run({ x: { type: 'int4', dims: [2], data: [1, 2] } }), {
    code: code as 'UNKNOWN_OPERATOR',
    node: '#0',
    operator: strict.operator,
    opset: strict.opset,
    says: ["node '#0'", says],
  });
  model.dispose();
  expect(counters(ops)).toEqual(before);
});

test('declarations of an unsupported node’s outputs are used for the nodes after it', () => {
  const nodes = nodesOf({
    nodes: [
      weave(['x'], ['a', '', 'b', 'c']),
      { op: 'Shape', inputs: ['a'], outputs: ['sizes'] },
      { op: 'ConstantOfShape', inputs: ['sizes'], outputs: ['zeros'] },
      { op: 'Identity', inputs: ['b'], outputs: ['same'] },
      { op: 'Identity', inputs: ['c'], outputs: ['nothing'] },
      { op: 'Shape', inputs: ['c'], outputs: ['rank'] },
      weave(['rank', 'zeros'], []),
    ],
    inputs: [value('x', 'float32', ['batch'])],
    values: [value('a', 'float16', ['batch', 'm', null]), value('b', 'string'), value('unused', 'int8', [1])],
  });
  expect(nodes[0].outputs).toEqual([
    { name: 'a', declared: { type: 'float16', dims: ['batch', 'm', null] }, inferred: null },
    { name: '', declared: null, inferred: null },
    { name: 'b', declared: { type: 'string', dims: null }, inferred: null },
    { name: 'c', declared: null, inferred: null },
  ]);
  expect(nodes.slice(1).map(({ unsupported, outputs }) => unsupported ?? outputs[0].inferred)).toEqual([
    { type: 'int64', dims: [3] },
    { type: 'float32', dims: ['batch', 'm', null] },
    { type: 'string', dims: null },
    null,
    { type: 'int64', dims: [null] },
    "no operator 'Weave'",
  ]);
});

test('only graphs are read from the attributes of an unsupported node', () => {
  const graph = proto.attribute.raw('body', 5, proto.bytes(6, proto.graph({})));
  const broken = proto.attribute.raw('broken', 99);
  const [node] = nodesOf({ nodes: [{ op: 'Weave', outputs: ['y'], attributes: [graph, broken] }] });
  expect(node).toMatchObject({ operator: 'Weave', inputs: [], version: null, graphs: { body: [] } });
});

test('a node with an unsupported node in its graphs is unsupported, and keeps its version', () => {
  const branch = (node: proto.NodeSpec) => proto.graph({ nodes: [node], outputs: [value('z', 'float32')] });
  const inner = (name: string, node: proto.NodeSpec) => attribute.graph(name, branch(node));
  const identity = { op: 'Identity', inputs: ['x'], outputs: ['z'] };
  const choice = (output: string, thenNode: proto.NodeSpec, elseNode: proto.NodeSpec) => ({
    op: 'If',
    inputs: ['c'],
    outputs: [output],
    attributes: [inner('then_branch', thenNode), inner('else_branch', elseNode)],
  });
  const spec = {
    nodes: [choice('a', identity, identity), choice('y', identity, choice('z', weave(['x'], ['z']), identity))],
    inputs: [value('c', 'bool', [1]), value('x', 'float32', [2])],
    outputs: [value('y', 'float32')],
  };
  const [whole, held] = nodesOf(spec);
  expect([whole.version, whole.unsupported]).toEqual([25, null]);
  expect([held.version, held.unsupported]).toEqual([25, 'a node in its else_branch cannot run']);
  const [within] = held.graphs?.else_branch ?? [];
  expect([within.version, within.unsupported]).toEqual([25, 'a node in its then_branch cannot run']);
  expect(within.graphs?.then_branch[0]).toMatchObject({ version: null, unsupported: "no operator 'Weave'" });
  using model = ops.loadModel(proto.model(spec), { allowUnsupported: true });
  const feeds = { c: ops.tensor('bool', [true], [1]), x: ops.tensor('float32', [1, 2], [2]) };
  expectRefusal(ops, () => model.run(feeds), { code: 'UNKNOWN_OPERATOR', says: ["no operator 'Weave'"] });
});

test('run throws the error of the first unsupported node before anything runs', () => {
  using model = ops.loadModel(
    proto.model({
      nodes: [
        { op: 'Identity', inputs: ['x'], outputs: ['y'] },
        { op: 'Spin', name: 'first', inputs: ['y'], outputs: ['z'] },
        weave(['z'], ['w']),
      ],
      inputs: [value('x', 'float32')],
      outputs: [value('w', 'float32')],
    }),
    { allowUnsupported: true },
  );
  // Feeds are not read.
  expectRefusal(ops, () => model.run(), { code: 'UNKNOWN_OPERATOR', node: 'first', operator: 'Spin', says: ['Spin'] });
});

test('a supported model runs with allowUnsupported', () => {
  const file = proto.model({
    nodes: [ints('to', 2, 1), { op: 'Expand', inputs: ['x', 'to'], outputs: ['y'] }],
    inputs: [value('x', 'float32')],
    outputs: [value('y', 'float32')],
  });
  ops.scope(() => {
    using model = ops.loadModel(file, { allowUnsupported: true });
    expect(model.nodes).toHaveLength(2);
    expect([...model.run({ x: f32([1], 4) }).y.data]).toEqual([4, 4]);
  });
});

const external = (name: string): Uint8Array =>
  proto.concat(
    proto.tensorHead('float32', [2 ** 20, 1], name),
    proto.bytes(13, proto.concat(proto.bytes(1, 'location'), proto.bytes(2, 'weights.bin'))),
    proto.integer(14, 1),
  );

test('an initializer in another file has a type and dims; nodes that need its elements do not run', () => {
  const before = counters(ops);
  const file = proto.model({
    nodes: [
      { op: 'Shape', name: 'only dims', inputs: ['w'], outputs: ['sizes'] },
      { op: 'Expand', inputs: ['w', 'to'], outputs: ['wide'] },
    ],
    initializers: [external('w'), proto.tensor('int64', [3], [2, 1, 3], 'to')],
    outputs: [value('wide', 'float32')],
  });
  expect(errorOf(() => ops.loadModel(file))).toMatchObject({ code: 'INVALID_MODEL' });
  using model = ops.loadModel(file, { allowUnsupported: true });
  expect(ops.memory().bytesInUse - before.bytesInUse).toBeLessThan(100);
  expect(model.nodes.map(({ outputs }) => outputs[0].inferred)).toEqual([
    { type: 'int64', dims: [2] },
    { type: 'float32', dims: [2, 2 ** 20, 3] },
  ]);
  expect(model.nodes.map(({ unsupported }) => unsupported?.includes('external data'))).toEqual([undefined, true]);
  expect(model.nodes.map(({ version }) => version)).toEqual([25, null]);
  expectRefusal(ops, () => model.run(), {
    code: 'INVALID_MODEL',
    node: '#1',
    operator: 'Expand',
    says: ['external data'],
  });
  model.dispose();
  expect(counters(ops)).toEqual(before);
  const output = proto.model({ initializers: [external('w')], outputs: [value('w', 'float32')] });
  using alone = ops.loadModel(output, { allowUnsupported: true });
  expectRefusal(ops, () => alone.run(), { code: 'INVALID_MODEL', says: ['external data', "'weights.bin'"] });
});

test('Shape needs only the dims of an initializer in another file', () => {
  ops.scope(() => {
    using model = ops.loadModel(
      proto.model({
        nodes: [{ op: 'Shape', inputs: ['w'], outputs: ['y'] }],
        initializers: [external('w')],
        outputs: [value('y', 'int64')],
      }),
      { allowUnsupported: true },
    );
    expect([...model.run().y.data]).toEqual([2n ** 20n, 1n]);
  });
});

const valueOfKind = (field: number, name: string): Uint8Array =>
  proto.concat(proto.bytes(1, name), proto.bytes(2, proto.bytes(field, '')));
const sequence = (name: string) => valueOfKind(4, name);
test('allowUnsupported accepts values other than tensors', () => {
  const nodes = [weave(['x'], ['s']), weave(['s'], ['y'])];
  const inputs = [value('x', 'float32')];
  const [first] = nodesOf({ nodes, inputs, values: [sequence('s')], outputs: [value('y', 'float32')] });
  expect(first.outputs).toEqual([{ name: 's', declared: null, inferred: null }]);
  const file = proto.model({ nodes: [weave(['x'], ['y'])], inputs: [sequence('x')], outputs: [sequence('y')] });
  expectRefusal(ops, () => ops.loadModel(file), { code: 'INVALID_MODEL', says: ['not a tensor: a sequence'] });
  using model = ops.loadModel(file, { allowUnsupported: true });
  expect([model.inputs, model.outputs]).toEqual([
    [{ name: 'x', type: null, dims: null }],
    [{ name: 'y', type: null, dims: null }],
  ]);
});

const invalid: readonly (readonly [title: string, spec: proto.ModelSpec, says: string])[] = [
  ['an undefined name', { nodes: [weave(['q'], ['y'])] }, "nothing produces its input 'q'"],
  ['a cycle', { nodes: [weave(['b'], ['a']), weave(['a'], ['b'])] }, 'in a cycle'],
  ['a name that is made twice', { nodes: [weave([], ['a']), weave([], ['a'])] }, "'a' is used twice"],
  ['a node without op_type', { nodes: [{ op: '', outputs: ['a'] }] }, 'op_type'],
  ['an output of nothing', { outputs: [value('y', 'int8')] }, "nothing produces the output 'y'"],
  [
    'a wrong attribute of an operator that is known',
    { nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'], attributes: [attribute.int('first', 1)] }] },
    'first',
  ],
  [
    'an output of another type than declared',
    { nodes: [{ op: 'Shape', inputs: ['x'], outputs: ['y'] }], values: [value('y', 'int8')] },
    'declared as int8',
  ],
  ['an arity that the operator does not have', { nodes: [{ op: 'Shape', outputs: ['y'] }] }, 'takes 1 input'],
];
test.each(invalid)('%s is refused also when what cannot run is allowed', (_, spec, says) => {
  const file = proto.model({ inputs: [value('x', 'float32')], ...spec });
  expectRefusal(ops, () => ops.loadModel(file, { allowUnsupported: true }), { code: 'INVALID_MODEL', says: [says] });
});

test('nodes is read once, outlives the model, and is refused after dispose', () => {
  const file = proto.model({ nodes: [ints('a', 1)] });
  const model = ops.loadModel(file);
  const { nodes } = model;
  expect(model.nodes).toBe(nodes);
  model.dispose();
  expect(model.nodes).toBe(nodes);
  const other = ops.loadModel(file);
  other.dispose();
  expectRefusal(ops, () => other.nodes, { code: 'DISPOSED', says: [] });
});

test('long names and thousands of nodes take linear time', () => {
  const long = 'warp'.repeat(5000);
  const nodes = Array.from({ length: 5000 }, (_, i) => ({
    op: i % 2 ? 'Weave' : 'Identity',
    name: i === 0 ? long : `node ${i}`,
    inputs: [`v${i}`],
    outputs: [`v${i + 1}`],
  }));
  const values = nodes.map(({ outputs }, i) => value(outputs[0], 'float32', [`n${i}`, 'batch', 3]));
  const found = nodesOf({ nodes, inputs: [value('v0', 'float32', ['batch'])], values });
  expect(found).toHaveLength(5000);
  expect(found[0].name).toBe(long);
  expect(found[4998].outputs[0].inferred?.dims).toEqual(['n4997', 'batch', 3]);
});

test('a long name that all sizes share is stored once', () => {
  const name = 'n'.repeat(2 ** 20);
  const nodes = Array.from({ length: 4200 }, (_, i) => ({ op: 'Identity', inputs: ['x'], outputs: [`y${i}`] }));
  const { heapBytes } = ops.memory();
  const found = nodesOf({ nodes, inputs: [value('x', 'int8', [name])] });
  expect(found.every(({ outputs }) => outputs[0].inferred?.dims?.[0] === name)).toBe(true);
  expect(ops.memory().heapBytes - heapBytes).toBeLessThan(2 ** 25);
});

test('names are those of the file, with any characters', () => {
  const names = [
    '"',
    '\\',
    'a\nb\t\0\u001f\u007f',
    '\ufeffx',
    '\u2028',
    '形状 😀',
    '__proto__',
    'constructor',
    '{"a":[1]}',
  ];
  const nodes = names.map((name, i) => ({
    op: name,
    domain: name,
    name,
    inputs: i === 0 ? ['x'] : [names[i - 1]],
    outputs: [name],
  }));
  const found = nodesOf({
    nodes,
    inputs: [value('x', 'int8')],
    values: names.map((name) => value(name, 'int8', [name])),
  });
  const wanted = nodes.map(({ op, domain, name, inputs }) => ({ operator: op, domain, name, inputs }));
  expect(found.map(({ operator, domain, name, inputs }) => ({ operator, domain, name, inputs }))).toEqual(wanted);
  expect(found.map(({ outputs }) => outputs[0].declared)).toEqual(
    names.map((name) => ({ type: 'int8', dims: [name] })),
  );
});

test('an attribute that holds a graph may be called __proto__', () => {
  const inner = proto.graph({ nodes: [{ op: 'Weave', outputs: ['y'] }] });
  const [node] = nodesOf({
    nodes: [{ op: 'Weave', outputs: ['x'], attributes: [attribute.raw('__proto__', 5, proto.bytes(6, inner))] }],
  });
  expect(Object.keys(node.graphs ?? {})).toEqual(['__proto__']);
});

test('a size above 2^53 - 1 is a string of its digits, because a number would be rounded', () => {
  const largest = 9223372036854775807n;
  const sizes = [2n ** 53n - 1n, 2n ** 53n + 1n, largest];
  using model = ops.loadModel(
    proto.model({ nodes: [{ op: 'Identity', inputs: ['x'], outputs: ['y'] }], inputs: [value('x', 'int8', sizes)] }),
  );
  const dims = [Number.MAX_SAFE_INTEGER, '9007199254740993', `${largest}`];
  expect(model.inputs[0].dims).toEqual(dims);
  expect(model.nodes[0].outputs[0].inferred?.dims).toEqual(dims);
});

test('nodes that do not fit in memory are refused, and nothing is lost', async () => {
  const small = await load({ maximumMemory: 2 ** 23 });
  const sizes = Array(255).fill(1);
  const nodes = Array.from({ length: 8000 }, (_, i) => ({ op: 'Identity', inputs: ['x'], outputs: [`y${i}`] }));
  const file = proto.model({ nodes, inputs: [value('x', 'int8', sizes)], outputs: [value('y0', 'int8')] });
  const model = small.loadModel(file);
  // Each of 8000 outputs has all these sizes.
  expectRefusal(small, () => model.nodes, { code: 'OUT_OF_MEMORY', says: [] });
  const { y0 } = model.run({ x: { type: 'int8', dims: sizes, data: [5] } });
  expect([...y0.data]).toEqual([5]);
  y0.dispose();
  model.dispose();
  expect(counters(small)).toEqual({ liveTensors: 0, bytesInUse: 0 });
});

const folder = officialFolder();
const official = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('model.onnx'),
);
test('every official model lists its nodes, or is refused with the expected error', () => {
  const before = counters(ops);
  let read = 0;
  for (const name of official) {
    const file = new Uint8Array(readFileSync(join(folder, name)));
    try {
      using model = ops.loadModel(file, { allowUnsupported: true });
      read++;
      for (const { operator, version, unsupported, outputs, graphs } of model.nodes) {
        expect([operator === '', version === null && unsupported === null]).toEqual([false, false]);
        if (graphs === undefined) expect(version === null).toBe(unsupported !== null);
        // Inferred types and dims never contradict declared ones.
        for (const { declared, inferred: info } of outputs) {
          if (declared?.type && info?.type) expect(info.type).toBe(declared.type);
          if (declared?.dims && info?.dims) expect(info.dims).toHaveLength(declared.dims.length);
        }
      }
    } catch (error) {
      if (!(error instanceof OnnxError)) throw error;
      expect([name, error.message]).toEqual([name, expect.stringMatching(/has no element type/)]);
    }
  }
  expect(read).toBeGreaterThan(1000);
  expect(counters(ops)).toEqual(before);
});
