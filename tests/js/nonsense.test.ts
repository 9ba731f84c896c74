// Arguments that look valid and are not. They are refused, with a message that says what was probably meant or what to write.
import { expect, test } from '@jest/globals';
import { type ErrorCode, load, loadSync, OnnxError, type Runtime } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { firstVersions } from './helpers/rows.js';
import { errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const x = { type: 'float32' as const, dims: [3, 1], data: [1, 2, 3] };
type Case = [what: string, call: (ops: Runtime) => unknown, ...says: string[]];

const refused: Case[] = [
  ['a number for attributes', (o) => o.constantOfShape([2, 2], 7 as never), 'attributes are 7', '{ value: ... }'],
  ['a tensor for attributes', (o) => o.constantOfShape([2], o.empty('int8', [1]) as never), 'attributes are', '{ value'],
  ['a Map of attributes', (o) => o.run('Shape', [x], new Map([['start', 1]]) as never), 'attributes are Map', '{ end: ... }'],
  ['a list of attributes', (o) => o.run('Shape', [x], [1] as never), 'attributes are Array'],
  ['numbers for attributes and options', (o) => o.shape(x, 1 as never, 2 as never), 'are 2, wanted'],
  ['attributes of an operator that has none', (o) => o.run('Identity', [x], 7 as never), 'attributes are 7, wanted none'],
  ['an unknown attribute', (o) => o.run('Shape', [x], { begin: 1 } as object), "no attribute 'begin'", "has 'end', 'start'"],
  ['an attribute of an operator without', (o) => o.run('Expand', [x, [1]], { a: 1 as never }), "no attribute 'a'", 'has none'],
  ['an unknown option', (o) => o.shape(x, {}, { opsett: 7 } as never), "no option 'opsett'", "did you mean 'opset'?"],
  ['an option of another call', (o) => o.shape(x, {}, { allow: 7 } as never), "no option 'allow'", 'opset'],
  ['a number for options', (o) => o.expand(x, [1], 13 as never), 'options are 13', 'opset'],
  ['a list for options', (o) => o.expand(x, [1], [13] as never), 'options are Array'],
  ['an unknown option of loadModel', (o) => o.loadModel(new Uint8Array(9), { strict: true } as never), "no option 'strict'"],
  ['a list as an input that can be of any type', (o) => o.expand([1, 2, 3] as never, [3, 3]), "input 0 ('input') is a list", 'give a tensor'],
  ['a DataView as a shape', (o) => o.expand(x, new DataView(new ArrayBuffer(8)) as never), "input 1 ('shape') is DataView"],
  ['a tensor for a list of them', (o) => o.sum(o.empty('int8', [1]) as never), 'wanted a list such as [x, y]'],
  ['dims with a length alone', (o) => o.empty('int8', { length: 2 } as never), 'dims are Object, wanted a list of sizes'],
  ['dims of length NaN', (o) => o.empty('int8', { length: Number.NaN } as never), 'dims are Object'],
  ['a function for dims', (o) => o.empty('int8', (() => 1) as never), 'dims are a function'],
  ['a nested list', (o) => o.tensor('float32', [[1, 2], [3, 4]] as never, [2, 2]), 'element 0 is Array', 'one flat list'], // biome-ignore format: one line
  ['null for a tensor file', (o) => o.writeTensor(null as never), 'writeTensor: the tensor is null, wanted a tensor'],
  ['null for feeds', (o) => model(o).run(null as never), 'feeds are null, wanted an object of tensors by name'],
  ['a list of feeds', (o) => model(o).run([x] as never), 'feeds are Array'],
  ['a Map of feeds', (o) => model(o).run(new Map([['data', x]]) as never), 'feeds are Map'],
  ['indices that are not a tensor', (o) => o.constant({ sparse_value: { values: x, indices: 7 as never, dims: [2] } }), "attribute 'sparse_value': indices are 7"],
  ['values without indices', (o) => o.constant({ sparse_value: { values: x, indices: null, dims: [2] } }), 'sparse tensor'],
  ['an integer attribute from 2^53', (o) => o.constant({ value_int: 2 ** 60 }), "attribute 'value_int' is 1152921504606847000", 'give a bigint'],
  ['a float attribute that float32 cannot hold', (o) => o.constant({ value_float: 1e39 }), "attribute 'value_float' is 1e+39, which float32 cannot hold"],
  ['halves beside bigints from 2^53', (o) => o.constant({ value_ints: [0.5, 2n ** 60n] }), "attribute 'value_ints' has 0.5 beside integers from 2^53"],
  ['a list of booleans', (o) => o.constant({ value_ints: [true] as never }), "attribute 'value_ints': entry 0 is true"],
  ['a spread tensor', (o) => o.identity({ ...o.empty('int8', [1]) } as never), "input 0 ('input') is Object", 'toMessage() has'],
  ['a size from 2^53', (o) => o.constantOfShape([2 ** 53]), 'input: entry 0 is 9007199254740992'],
  ['a tensor of TensorFlow.js', (o) => o.identity({ dtype: 'int8', shape: [1], data: [1] } as never), "wanted a tensor: { type, dims, data }, and this has no 'type' and no 'dims'"],
  ['elements without dims as a feed', (o) => model(o).run({ data: { type: 'float32', data: [1] } as never }), "input 'data' is Object, wanted a tensor: { type, dims, data }, and this has no 'dims'"],
  ['tensors in a list where one is wanted', (o) => o.add([x, x] as never, x), "Add: input 0 ('A') is a list of tensors, wanted one of them"],
  ['a message that is none', (o) => o.fromMessage({ type: 'int8', dims: [1] } as never), 'fromMessage: the message is Object, wanted a tensor'],
]; // biome-ignore format: a table

/** Calls with more arguments than the method takes; TypeScript refuses them. */
type Loose = { readonly [method: string]: (...given: unknown[]) => unknown };
const loose = (value: object) => value as Loose;
const superfluous: [method: string, call: (ops: Loose) => unknown, says: string][] = [
  ['an operator without attributes', (o) => o.relu(x, 1, 2, 3), 'Relu: takes at most 2 arguments, got 4'],
  ['an operator with attributes', (o) => o.shape(x, {}, {}, {}), 'Shape: takes at most 3 arguments, got 4'],
  ['an operator with options in place of attributes', (o) => o.relu(x, undefined, { opset: 13 }), 'got 3'],
  ['an operator of several outputs', (o) => o.topK(x, [1], {}, {}, 0), 'TopK: takes at most 4 arguments, got 5'],
  ['an operator of a list', (o) => o.sum([x, x], {}, x), 'Sum: takes at most 2 arguments, got 3'],
  ['an operator with all its optional inputs', (o) => o.squeeze(x, [1], {}, 7), 'Squeeze: takes at most 3 arguments, got 4'],
  ['an operator without its optional inputs', (o) => o.squeeze(x, {}, 7), 'Squeeze: takes at most 2 arguments, got 3'],
  ['constant', (o) => o.constant({ value_int: 1 }, {}, 1), 'Constant: takes at most 2 arguments, got 3'],
  ['constantOfShape', (o) => o.constantOfShape([1], {}, {}, 1), 'ConstantOfShape: takes at most 3 arguments, got 4'],
  ['run', (o) => o.run('Relu', [x], {}, {}, 1), 'run: takes at most 4 arguments, got 5'],
  ['nodeModel', (o) => o.nodeModel('Relu', [x], {}, {}, 1), 'nodeModel: takes at most 4 arguments, got 5'],
  ['tensor', (o) => o.tensor('float32', [1], [1], 1), 'tensor: takes at most 3 arguments, got 4'],
  ['empty', (o) => o.empty('float32', [1], 1), 'empty: takes at most 2 arguments, got 3'],
  ['fromMessage', (o) => o.fromMessage(x, 1), 'fromMessage: takes at most 1 argument, got 2'],
  ['loadModel', (o) => o.loadModel(bytes(), {}, 1), 'loadModel: takes at most 2 arguments, got 3'],
  ['simplify', (o) => o.simplify(bytes(), {}, 1), 'simplify: takes at most 2 arguments, got 3'],
  ['readTensor', (o) => o.readTensor(ops.writeTensor(x), 1), 'readTensor: takes at most 1 argument, got 2'],
  ['writeTensor', (o) => o.writeTensor(x, 1), 'writeTensor: takes at most 1 argument, got 2'],
  ['scope', (o) => o.scope(() => 1, 1), 'scope: takes at most 1 argument, got 2'],
  ['memory', (o) => o.memory(1), 'memory: takes no arguments, got 1'],
  ['operators', (o) => o.operators(1), 'operators: takes no arguments, got 1'],
  ['loadSync', () => loose({ loadSync }).loadSync(new Uint8Array(8), {}, 1), 'loadSync: takes at most 2 arguments, got 3'],
  ['dispose of a tensor', (o) => loose(tensorOf(o)).dispose(1), 'dispose: takes no arguments, got 1'],
  ['toArray', (o) => loose(tensorOf(o)).toArray(1), 'toArray: takes no arguments, got 1'],
  ['unpack', (o) => loose(tensorOf(o)).unpack(1), 'unpack: takes no arguments, got 1'],
  ['toMessage', (o) => loose(tensorOf(o)).toMessage(1), 'toMessage: takes no arguments, got 1'],
  ['run of a model', () => loose(model(ops)).run({ data: x }, {}, 3), 'run: takes at most 2 arguments, got 3'],
  ['profile of a model', () => loose(model(ops)).profile({ data: x }, {}, 3), 'profile: takes at most 2 arguments, got 3'],
  ['run of a bound model', () => loose(model(ops).bind({ data: x })).run({ data: x }, 2), 'run: takes at most 1 argument, got 2'],
  ['dispose of a model', () => loose(model(ops)).dispose(1), 'dispose: takes no arguments, got 1'],
]; // biome-ignore format: a table
const bytes = () => ops.nodeModel('Relu', [x])['model.onnx'];
const tensorOf = (o: Loose) => o.tensor('float32', [1], [1]) as object;

test.each(superfluous)('an argument too many is refused by %s', (_method, call, says) => {
  const before = ops.memory().liveTensors;
  const error = errorOf(() => ops.scope(() => call(loose(ops))));
  expect([error.code, error.message]).toEqual(['INVALID_ARGUMENT', expect.stringContaining(says)]);
  expect(ops.memory().liveTensors).toBe(before);
});

test('load refuses a second argument by its promise', async () => {
  const loading = loose({ load }).load({}, 1) as Promise<Runtime>;
  await expect(loading).rejects.toThrow('load: takes at most 1 argument, got 2');
});

const model = (o: Runtime) => o.loadModel(o.nodeModel('Shape', [x])['model.onnx']);

test.each(refused)('%s is refused, with advice', (_what, call, ...says) => {
  const error = errorOf(() => call(ops));
  expect(error.code).toBe('INVALID_ARGUMENT');
  expect(says.filter((text) => !error.message.includes(text)).map((text) => `${text} in: ${error.message}`)).toEqual(
    [],
  );
});

const unknown: [code: ErrorCode, call: () => unknown, says: string][] = [
  ['UNKNOWN_OPERATOR', () => ops.run('expand', [x]), "no operator 'expand': did you mean 'Expand'?"],
  ['UNKNOWN_OPERATOR', () => ops.run('ConstantOfShapes'), "did you mean 'ConstantOfShape'?"],
  ['UNSUPPORTED_TYPE', () => ops.tensor('float' as 'int8', [1], [1]), "did you mean 'float32'?"],
  ['UNSUPPORTED_TYPE', () => ops.tensor('Float32' as 'int8', [1], [1]), "did you mean 'float32'?"],
  ['UNSUPPORTED_TYPE', () => ops.tensor('double' as 'int8', [1], [1]), "did you mean 'float64'?"],
  ['UNSUPPORTED_TYPE', () => ops.tensor([1, 2] as never, [2] as never, [2]), "tensor('float32', data, dims)"],
  ['UNSUPPORTED_TYPE', () => ops.tensor('f32' as 'int8', [1], [1]), "did you mean 'float32'?"],
  ['UNSUPPORTED_TYPE', () => ops.tensor('boolean' as 'int8', [1], [1]), "did you mean 'bool'?"],
];

test.each([
  ['torch.float32', 'float32'],
  ['torch.half', 'float16'],
  ['torch.LongTensor', 'int64'],
  ['np.int64', 'int64'],
  ['bool_', 'bool'],
  ['<f4', 'float32'],
  ['fp16', 'float16'],
  ['bf16', 'bfloat16'],
  ['i64', 'int64'],
  ['u8', 'uint8'],
  ['single', 'float32'],
  ['tensor(float)', 'float32'],
  ['tensor(double)', 'float64'],
  ['float32[]', 'float32'],
  ['TensorProto.FLOAT', 'float32'],
  ['onnx.TensorProto.INT64', 'int64'],
  ['float8_e4m3fn', 'float8e4m3fn'],
  [1, 'float32'],
  [Float32Array, 'float32'],
  [BigInt64Array, 'int64'],
])('the type %p is refused with the name %s that ONNX has for it', (given, name) => {
  const says = [`did you mean '${name}'?`];
  expectRefusal(ops, () => ops.tensor(given as 'int8', [1], [1]), { code: 'UNSUPPORTED_TYPE', says });
  if (typeof given === 'string') {
    expectRefusal(ops, () => ops.cast(x, { to: given as never }), { code: 'INVALID_ARGUMENT', says });
  }
});

const f32 = ops.tensor('float32', [1, 2, 3, 4], [2, 2]);

function goneArray(): Float32Array {
  const array = new Float32Array(2);
  structuredClone(array, { transfer: [array.buffer] });
  return array;
}

test.each<[what: string, call: () => unknown, says: string]>([
  [
    'a type',
    () => ops.cast(f32, 'int32' as never),
    'Cast: attributes are "int32", wanted a plain object: { to: \'int32\' }',
  ],
  ['the number of a type', () => ops.cast(f32, 7 as never), 'wanted a plain object: { to: 7 }'],
  ['an axis', () => ops.softmax(f32, 1 as never), 'wanted a plain object: { axis: 1 }'],
  ['a list', () => ops.transpose(f32, [1, 0] as never), 'wanted a plain object: { perm: [1, 0] }'],
  ['a word', () => ops.gelu(f32, 'tanh' as never), "wanted a plain object: { approximate: 'tanh' }"],
  [
    'a list of symbols',
    () => ops.transpose(f32, [Symbol('a')] as never),
    'wanted a plain object: { perm: [Symbol(a)] }',
  ],
  [
    'an array whose buffer is gone',
    () => ops.transpose(f32, goneArray() as never),
    'wanted a plain object such as { perm: ... }',
  ],
  ['options', () => ops.softmax(f32, { opset: 11 } as never), "no attribute 'opset': it is an option"],
])('%s in the place of attributes is refused with the code to write', (_what, call, says) => {
  expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', says: [says] });
});

test('a value in the place of a list of inputs is refused with the name of the operator', () => {
  const says = ['Max: inputs are Tensor, wanted a list such as [x, y]'];
  expectRefusal(ops, () => ops.max(f32 as never), { code: 'INVALID_ARGUMENT', says });
  expectRefusal(ops, () => ops.run('Max', f32 as never), { code: 'INVALID_ARGUMENT', says });
});

test('attributes in the place of options, and of inputs, are refused as such', () => {
  expectRefusal(ops, () => ops.softmax(f32, {}, { axis: 1 } as never), {
    code: 'INVALID_ARGUMENT',
    says: ["no option 'axis': it is an attribute, and options come after the attributes: { axis: ... }, {}"],
  });
  expectRefusal(ops, () => ops.unsqueeze(f32, { axes: [0] } as never), {
    code: 'INVALID_ARGUMENT',
    says: ["input 1 ('axes') is Object, wanted a tensor: inputs are given by themselves"],
  });
});

test('a parameter that is an attribute in one version and an input in another is refused with the way of the opset', () => {
  let tried = 0;
  for (const { name, versions } of ops.operators()) {
    for (const before of versions) {
      for (const after of versions) {
        const place = after.inputs.findIndex((input) => before.attributes.some((one) => one.name === input.name));
        const isBoth = after.attributes.some((one) => one.name === after.inputs[place]?.name); // Split-1
        if (place < 0 || isBoth) continue;
        tried++;
        const input = after.inputs[place].name;
        const behind = after.inputs[place - 1].name;
        const asAttribute = errorOf(() => ops.run(name, [f32], { [input]: 1 }, { opset: after.sinceVersion }));
        expect(asAttribute.message).toBe(
          `${name}-${after.sinceVersion}: no attribute '${input}': ${name}-${after.sinceVersion} takes it as an input, after '${behind}'`,
        );
        if (place !== before.inputs.length) continue;
        const inputs = Array.from({ length: place + 1 }, () => f32);
        const asInput = errorOf(() => ops.run(name, inputs, {}, { opset: before.sinceVersion }));
        expect(asInput.message).toMatch(new RegExp(`, '${input}' is an attribute: \\{ ${input}: \\.\\.\\. \\}$`));
      }
    }
  }
  expect(tried).toBeGreaterThan(20);
});

test.each<[call: () => unknown, says: string]>([
  [
    () => ops.loadModel(new Uint8Array(3), { executionProviders: ['wasm'] } as never),
    ': nothing is needed in its place',
  ],
  [() => ops.loadModel(new Uint8Array(3), { graphOptimizationLevel: 'all' } as never), ": use 'optimize'"],
  [() => ops.loadModel(new Uint8Array(3), { externalData: [] } as never), ": use 'external'"],
  [() => ops.simplify(new Uint8Array(3), { freeDimensionOverrides: { n: 1 } } as never), ": use 'dims'"],
  [() => model(ops).run({}, { fetches: ['shape'] } as never), ": use 'outputs'"],
  [() => ops.simplify(new Uint8Array(3), { overwrite_input_shapes: {} } as never), ": use 'shapes'"],
  [() => ops.simplify(new Uint8Array(3), { overwriteInputShape: {} } as never), ": use 'shapes'"],
  [() => ops.simplify(new Uint8Array(3), { check_n: 3 } as never), ": use 'verify'"],
  [() => ops.simplify(new Uint8Array(3), { skipped_optimizers: [] } as never), ": use 'skip'"],
  [() => ops.simplify(new Uint8Array(3), { include_subgraph: true } as never), ': nothing is needed in its place'],
])('an option of onnxruntime or onnxsim is refused with the one that does the same here: %s', (call, says) => {
  expectRefusal(ops, call, { code: 'INVALID_ARGUMENT', says: [says] });
});

test.each(unknown)('an unknown name is refused with %s and the nearest one', (code, call, says) => {
  expectRefusal(ops, call, { code, says: [says] });
});

test('an operator of ONNX that does not run here is refused with the opset that brought it, in calls and in models', () => {
  const running = new Set(ops.operators().map(({ name }) => name));
  const others = [...firstVersions].filter(([name]) => !running.has(name));
  expect(others).toHaveLength(33);
  for (const [name, since] of others) {
    const { message } = errorOf(() => ops.run(name));
    const inModels = ['If', 'Loop', 'Scan'].includes(name);
    const yet = ` yet: ONNX has it since opset ${since}, and onnxruntime-web may run it`;
    expect(message).toBe(
      `no operator '${name}'${inModels ? ' of single calls: it runs graphs, which only models have' : yet}`,
    );
    if (inModels) continue;
    const file = proto.model({ nodes: [{ op: name, inputs: [], outputs: ['y'] }] });
    expect(errorOf(() => ops.loadModel(file)).message).toBe(`graph.node[0], '#0': ${message}`);
  }
});

test('a name that is similar to none gets no advice', () => {
  expect(errorOf(() => ops.run('Weave')).message).toBe(
    "no operator 'Weave'; ops.operators() lists those that there are",
  );
  expect(errorOf(() => ops.run('x'.repeat(10 ** 6))).message).not.toContain('mean');
});

test('numbers and bigints side by side are a list of numbers', () => {
  ops.scope(() => {
    expect([...ops.constant({ value_ints: [1, 2n] }).data]).toEqual([1n, 2n]);
    expect([...ops.constant({ value_ints: [1, 2n ** 60n] }).data]).toEqual([1n, 2n ** 60n]);
    expect([...(ops.run('Constant', [], { value_floats: [0.5, 2n] as never })[0].data as Float32Array)]).toEqual([
      0.5, 2,
    ]);
  });
});

test('attributes may be of a class of another realm or have no prototype', () => {
  const bare = Object.assign(Object.create(null) as object, { start: 1 });
  expect(ops.run('Shape', [x], bare as { start: number })[0].dims).toEqual([1]);
});

test('null indices of a sparse value count as omitted', () => {
  const none = { type: 'float32' as const, dims: [0], data: [] };
  expect([...ops.constant({ sparse_value: { values: none, indices: null, dims: [2] } }).data]).toEqual([0, 0]);
});

test('null means no options and no attributes', () => {
  expect(ops.run('Shape', [x], null as never, null as never)[0].dims).toEqual([2]);
});

test('a method called without its object is refused, and the message says what to write', () => {
  const { expand, scope } = ops;
  const { toArray } = ops.empty('int8', [1]);
  const { run } = model(ops);
  for (const [call, says] of [
    [() => expand(x, [1]), 'ops.expand('],
    [() => scope(() => 1), 'ops.'],
    [() => toArray(), 'tensor.toArray()'],
    [() => run({}), 'model.run('],
  ] as const) {
    const error = errorOf(call);
    expect([error.code, error.message]).toEqual(['INVALID_ARGUMENT', expect.stringContaining(says)]);
  }
});

test('instanceof works for tensors, models and runtimes, and their constructors are refused', async () => {
  const { Tensor, Model, Runtime } = await import('broadloom');
  expect([ops instanceof Runtime, ops.empty('int8', []) instanceof Tensor, model(ops) instanceof Model]).toEqual([
    true,
    true,
    true,
  ]);
  for (const Class of [Tensor, Model, Runtime] as unknown as (new (
    ...args: unknown[]
  ) => unknown)[]) {
    for (const args of [[], ['float32', [1], [1]]]) expect(() => new Class(...args)).toThrow(OnnxError);
  }
});

test('unpack and toJSON of more elements than a list can have are refused, and strings, too', async () => {
  const runtime = await load({});
  const wide = runtime.constantOfShape([2 ** 28], { value: { type: 'int8', dims: [1], data: [1] } });
  const says = ['268435456 elements'];
  expectRefusal(runtime, () => wide.unpack(), { code: 'OUT_OF_MEMORY', says });
  expectRefusal(runtime, () => wide.toJSON(), { code: 'OUT_OF_MEMORY', says });
  const strings = runtime.expand({ type: 'string', dims: [1], data: ['a'] }, [2 ** 28]);
  expectRefusal(runtime, () => strings.data, { code: 'OUT_OF_MEMORY', says });
});

test('OUT_OF_MEMORY says how many tensors are alive', async () => {
  const runtime = await load({ maximumMemory: 2 ** 21 });
  runtime.empty('int8', [1000]);
  const error = errorOf(() => runtime.empty('uint8', [2 ** 22]));
  expect(error.message).toBe(
    'out of memory: 4194304 bytes do not fit; tensors alive: 1, bytes in use: 1000; dispose() and scope() free them',
  );
});

test('a detached array is refused, though its dims are [0]', () => {
  const data = new Float32Array(4);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  expectRefusal(ops, () => ops.tensor('float32', data, [0]), { code: 'INVALID_ARGUMENT', says: ['detached'] });
  const bytes = new Uint8Array(4);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  expectRefusal(ops, () => ops.readTensor(bytes), { code: 'INVALID_ARGUMENT', says: ['detached'] });
  const wasm = new Uint8Array(4);
  structuredClone(wasm.buffer, { transfer: [wasm.buffer] });
  expect(errorOf(() => loadSync(wasm)).code).toBe('INVALID_ARGUMENT');
});
