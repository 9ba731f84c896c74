// Compares sessions of broadloom/onnxruntime with sessions of onnxruntime-node and onnxruntime-web: the same programs get the
// same results.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as ort from 'broadloom/onnxruntime';
import { reactive } from 'vue';
import { root } from '../../tools/run.mjs';
import {
  addOne,
  externalWeights,
  foreign,
  largerOfInt16,
  numberedSize,
  oddInput,
  oddNodes,
  oddOutput,
  passed,
  weights,
  withDefault,
} from './models.mjs';
import { node, warningsOf, web } from './peers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-drop-in-'));
after(() => rmSync(folder, { recursive: true }));
const peers = { node, web };
const x = ({ Tensor }, dims = [1, 3, 2]) =>
  new Tensor(
    'float32',
    Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => i),
    dims,
  );

/** The results of a program, or the name of its error. */
async function outcome(program, peer, options) {
  const session = await peer.InferenceSession.create(addOne, options);
  try {
    return described(await program(session, peer));
  } catch (error) {
    return error instanceof TypeError || error instanceof RangeError ? error.constructor.name : 'Error';
  } finally {
    await session.release();
  }
}

const described = (results) =>
  Object.fromEntries(
    Object.entries(results)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, { type, dims, data, location }]) => [name, { type, dims, data: [...data].map(String), location }]),
  );

const programs = {
  'all outputs': (session, peer) => session.run({ x: x(peer) }),
  'the names of outputs': (session, peer) => session.run({ x: x(peer) }, ['rows']),
  'an object of outputs': (session, peer) => session.run({ x: x(peer) }, { y: null }),
  'options behind the feeds': (session, peer) => session.run({ x: x(peer) }, { tag: 'a run' }),
  'options behind names': (session, peer) => session.run({ x: x(peer) }, ['y'], { logSeverityLevel: 3 }),
  'no elements': (session, peer) => session.run({ x: x(peer, [0, 3, 2]) }),
  'a feed that is missing': (session) => session.run({}),
  'no feeds at all': (session) => session.run(),
  'a list of feeds': (session, peer) => session.run([x(peer)]),
  'a tensor as feeds': (session, peer) => session.run(x(peer)),
  'an output that is none': (session, peer) => session.run({ x: x(peer) }, ['z']),
  'an empty list of outputs': (session, peer) => session.run({ x: x(peer) }, []),
  'a tensor as outputs': (session, peer) => session.run({ x: x(peer) }, x(peer)),
  'null as outputs': (session, peer) => session.run({ x: x(peer) }, null),
  'a text as outputs': (session, peer) => session.run({ x: x(peer) }, 'y'),
  'options that are none': (session, peer) => session.run({ x: x(peer) }, ['y'], 1),
  'a feed of another type': (session, peer) => session.run({ x: new peer.Tensor('int32', [1, 2, 3], [1, 3, 1]) }),
  'a feed of other sizes': (session, peer) => session.run({ x: x(peer, [1, 2, 2]) }),
};
for (const [what, program] of Object.entries(programs))
  test(`a run with ${what} ends as in onnxruntime`, async () => {
    const found = await outcome(program, ort);
    for (const [name, peer] of Object.entries(peers)) assert.deepEqual(found, await outcome(program, peer), name);
  });

test('a run whose option terminate is true is refused, as in onnxruntime-web', async () => {
  const program = (session, peer) => session.run({ x: x(peer) }, { terminate: true });
  assert.equal(await outcome(program, web), 'Error');
  assert.equal(await outcome(program, ort), 'Error');
});

test('names and metadata of inputs and outputs are those of onnxruntime-node', async () => {
  const texts = new Uint8Array(passed);
  for (const bytes of [addOne, texts]) {
    const [ours, theirs] = await Promise.all([ort, node].map((peer) => peer.InferenceSession.create(bytes)));
    for (const name of ['inputNames', 'outputNames', 'inputMetadata', 'outputMetadata'])
      assert.deepEqual(ours[name], theirs[name], name);
  }
});

test('strings, bools and float16 pass through as in onnxruntime-node', async () => {
  const results = [];
  for (const peer of [ort, node]) {
    const { Tensor, InferenceSession } = peer;
    const session = await InferenceSession.create(passed);
    const feeds = {
      text: new Tensor(['é', '']),
      half: new Tensor('float16', Uint16Array.of(0x3c00, 0xfc00)),
      flag: new Tensor('bool', [true], []),
    };
    const { same, 'half too': half, other } = await session.run(feeds);
    assert.ok(same instanceof Tensor);
    const bits = new Uint16Array(half.data.buffer, half.data.byteOffset, 2);
    results.push([same.data, [...bits], half.type, half.data.constructor.name, [...other.data], other.dims]);
  }
  assert.deepEqual(results[0], results[1]);
});

test('strings come back whole, where onnxruntime cuts them at U+0000', async () => {
  const results = [];
  for (const peer of [ort, node]) {
    const { Tensor, InferenceSession } = peer;
    const session = await InferenceSession.create(passed);
    const half = new Tensor('float16', new Uint16Array(2));
    const feeds = { text: new Tensor(['a\0b', '\0']), half, flag: new Tensor('bool', [true], []) };
    results.push((await session.run(feeds, ['same'])).same.data);
  }
  assert.deepEqual(results, [
    ['a\0b', '\0'],
    ['a', ''],
  ]);
});

test('bytes of bool other than 0 and 1, and lone surrogates, are refused', async () => {
  const session = await ort.InferenceSession.create(passed);
  const half = new ort.Tensor('float16', new Uint16Array(1));
  const run = (text, flag) =>
    session.run({ text: new ort.Tensor([text]), half, flag: new ort.Tensor('bool', Uint8Array.of(flag), []) });
  await assert.rejects(run('a', 255), { message: "input 'flag': element 0 is 255, which bool cannot hold" });
  await assert.rejects(run('\ud800', 1), { name: 'OnnxError', message: /^input 'text': .*lone surrogate/ });
});

test('an input whose declared shape has no axes takes tensors of any dims, as in onnxruntime', async () => {
  for (const peer of [ort, node, web]) {
    const { Tensor, InferenceSession } = peer;
    const session = await InferenceSession.create(passed);
    for (const dims of [[], [1], [1, 1], [1, 3], [2, 0]]) {
      const flags = Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, i) => i === 0);
      const feeds = {
        text: new Tensor(['a']),
        half: new Tensor('float16', new Uint16Array(1)),
        flag: new Tensor('bool', flags, dims),
      };
      const { other } = await session.run(feeds, ['other']);
      assert.deepEqual([[...other.dims], [...other.data]], [dims, flags.map((flag) => (flag ? 0 : 1))]);
    }
  }
});

test('sizes that inputs give one name may differ, as in onnxruntime; here with one warning', async () => {
  const warnings = await warningsOf(async () => {
    for (const { Tensor, InferenceSession } of [ort, node, web]) {
      const session = await InferenceSession.create(passed);
      for (const count of [1, 2, 3]) {
        const feeds = {
          text: new Tensor(['a']),
          half: new Tensor(
            'float16',
            Uint16Array.from({ length: count }, (_, i) => i),
          ),
          flag: new Tensor('bool', [true], []),
        };
        const results = await session.run(feeds);
        assert.deepEqual([...results.same.data], ['a']);
        assert.equal(results['half too'].data.length, count);
      }
    }
  });
  assert.deepEqual(warnings, [
    "broadloom: run: sizes of inputs that the file calls 'n' differ in a run: it is 2 in 'half', but 1 elsewhere",
  ]);
});

test('feeds that the model does not ask for are ignored with a warning, as in onnxruntime-node, which gives none', async () => {
  const outcomes = [];
  const warnings = await warningsOf(async () => {
    for (const { Tensor, InferenceSession } of [ort, node, web]) {
      const session = await InferenceSession.create(withDefault);
      const x = new Tensor('float32', [1], [1]);
      for (const feeds of [
        { x, w: new Tensor('float32', [2], [1]) },
        { x, other: undefined },
      ])
        outcomes.push(
          await session.run(feeds).then(
            ({ y }) => y.data[0],
            () => 'refused',
          ),
        );
    }
  });
  assert.deepEqual(outcomes, [11, 11, 11, 11, 'refused', 'refused']);
  assert.deepEqual(warnings, [
    "broadloom: run: the feed 'w' is ignored: the model asks for x",
    "broadloom: run: the feed 'other' is ignored: the model asks for x",
  ]);
});

test('an output goes into a tensor that exists, and that is the result', async () => {
  const session = await ort.InferenceSession.create(addOne);
  const y = new ort.Tensor('float32', new Float32Array(6), [1, 3, 2]);
  const { data } = y;
  const results = await session.run({ x: x(ort) }, { y });
  assert.equal(results.y, y);
  assert.deepEqual([...data], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(Object.keys(results), ['y']);
  const other = new ort.Tensor('float32', new Float32Array(6), [6]);
  await assert.rejects(session.run({ x: x(ort) }, { y: other }), {
    name: 'OnnxError',
    code: 'INVALID_ARGUMENT',
    message: "output 'y' is float32 [1,3,2], and the tensor for it float32 [6]",
  });
  assert.deepEqual([...other.data], [0, 0, 0, 0, 0, 0]);
  const fits = new ort.Tensor('float32', new Float32Array(6), [1, 3, 2]);
  const rows = new ort.Tensor('int64', [7], []);
  await assert.rejects(session.run({ x: x(ort) }, { y: fits, rows }), { code: 'INVALID_ARGUMENT' });
  assert.deepEqual([[...fits.data], [...rows.data]], [[0, 0, 0, 0, 0, 0], [7n]]);
  const short = { type: 'int64', dims: [1], data: new Int32Array(1) };
  await assert.rejects(session.run({ x: x(ort) }, { y: fits, rows: short }), /other elements: Int32Array/);
  const freed = new ort.Tensor('int64', [7], [1]);
  freed.dispose();
  await assert.rejects(session.run({ x: x(ort) }, { y: fits, rows: freed }), /disposed/);
  assert.deepEqual([...fits.data], [0, 0, 0, 0, 0, 0]);
  const peer = await node.InferenceSession.create(addOne);
  const theirs = new node.Tensor('float32', new Float32Array(6), [1, 3, 2]);
  await peer.run({ x: x(node) }, { y: theirs });
  assert.deepEqual(theirs.data, data);
});

test('an output of float16 goes as bits into an array of bits, also where the engine has arrays of float16', async () => {
  const session = await ort.InferenceSession.create(passed);
  const bits = Uint16Array.of(0x3c00, 0xfc00);
  const target = { type: 'float16', dims: [2], data: new Uint16Array(2) };
  const feeds = {
    text: new ort.Tensor(['a', 'b']),
    half: new ort.Tensor('float16', bits),
    flag: new ort.Tensor([true], []),
  };
  await session.run(feeds, { 'half too': target });
  assert.deepEqual(target.data, bits);
});

test('an output of more strings than a call has arguments goes into a tensor that exists', async () => {
  const session = await ort.InferenceSession.create(passed);
  const count = 300_000;
  const same = new ort.Tensor(Array(count).fill(''));
  const half = new ort.Tensor('float16', new Uint16Array(count));
  const feeds = { text: new ort.Tensor(Array(count).fill('a')), half, flag: new ort.Tensor('bool', [true], []) };
  await session.run(feeds, { same });
  assert.deepEqual([same.data.length, same.data.at(-1)], [count, 'a']);
});

test('a model comes from bytes, from a part of a buffer, from a path, and from addresses', async (context) => {
  const path = join(folder, 'add one.onnx');
  writeFileSync(path, addOne);
  const server = createServer((request, response) => {
    if (request.url !== '/m.onnx') response.statusCode = 404;
    response.end(addOne);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.after(() => server.close());
  const address = `http://127.0.0.1:${server.address().port}`;
  const bytes = Uint8Array.from(addOne);
  const padded = new Uint8Array(bytes.length + 7);
  padded.set(bytes, 5);
  const sources = [
    [bytes],
    [addOne],
    [bytes.buffer],
    [padded.buffer, 5, bytes.length],
    [padded.buffer.slice(5), 0, bytes.length, { logId: 'part' }],
    [path],
    [pathToFileURL(path).href],
    [pathToFileURL(path)],
    [`${address}/m.onnx`, {}],
    [new URL(`${address}/m.onnx`), {}],
  ];
  for (const source of sources) {
    const session = await ort.InferenceSession.create(...source);
    const { y } = await session.run({ x: x(ort) });
    assert.deepEqual([...y.data], [1, 2, 3, 4, 5, 6]);
  }
  await assert.rejects(ort.InferenceSession.create(`${address}/none.onnx`), {
    code: 'INVALID_ARGUMENT',
    message: /the model: no file at http:.*\/none\.onnx \(status 404\)/,
  });
  await assert.rejects(ort.InferenceSession.create(join(folder, 'none.onnx')), { message: /no file at .*none\.onnx/ });
});

const badSources = {
  'no argument': [],
  'a number': [5],
  'an array': [[1]],
  'a place before the buffer': [new ArrayBuffer(8), -1],
  'a place behind the buffer': [new ArrayBuffer(8), 8],
  'a fraction as a place': [new ArrayBuffer(8), 0.5],
  'a length beyond the buffer': [new ArrayBuffer(8), 4, 5],
  'a length that is none': [new ArrayBuffer(8), 4, '4'],
  'options that are none': [new Uint8Array(8), 5],
};
for (const [what, source] of Object.entries(badSources))
  test(`create with ${what} is refused by the same kind of error as with onnxruntime-common`, async () => {
    const errors = [];
    for (const peer of [ort, node])
      await peer.InferenceSession.create(...source).catch((error) => errors.push(error.constructor.name));
    assert.equal(errors.length, 2);
    assert.equal(errors[0], errors[1]);
  });

test('bytes whose buffer is gone are refused with an OnnxError', async () => {
  for (const bytesOf of [(buffer) => new Uint8Array(buffer), (buffer) => buffer]) {
    const buffer = new ArrayBuffer(8);
    const bytes = bytesOf(buffer);
    structuredClone(buffer, { transfer: [buffer] });
    await assert.rejects(ort.InferenceSession.create(bytes), {
      name: 'OnnxError',
      message: /the model cannot be read/,
    });
  }
});

test('damaged bytes are refused with an OnnxError', async () => {
  await assert.rejects(ort.InferenceSession.create(addOne.subarray(0, 50)), {
    name: 'OnnxError',
    code: 'INVALID_MODEL',
  });
});

test('weights in other files come by externalData in each of its forms, and from beside a local file', async () => {
  const path = join(folder, 'weights.bin');
  writeFileSync(path, weights);
  writeFileSync(join(folder, 'external.onnx'), externalWeights);
  const forms = [
    [externalWeights, { externalData: [{ path: 'weights.bin', data: weights }] }],
    [externalWeights, { externalData: [{ path: './weights.bin', data: weights.buffer }] }],
    [externalWeights, { externalData: [{ path: 'weights.bin', data: new Blob([weights]) }] }],
    [externalWeights, { externalData: [{ path: 'weights.bin', data: path }] }],
    [externalWeights, { externalData: [{ path: 'weights.bin', data: pathToFileURL(path) }] }],
    [join(folder, 'external.onnx')],
    [pathToFileURL(join(folder, 'external.onnx')).href],
    [pathToFileURL(join(folder, 'external.onnx'))],
  ];
  for (const [model, options] of forms) {
    const session = await ort.InferenceSession.create(model, options);
    const { y } = await session.run({ x: new ort.Tensor('float32', [1, 10], [2]) });
    assert.deepEqual([...y.data], [2, 30]);
  }
  const file = join(folder, 'alone', 'external.onnx');
  mkdirSync(join(folder, 'alone'));
  writeFileSync(file, externalWeights);
  for (const [model, options] of [[externalWeights], [externalWeights, { externalData: [path] }], [file]])
    await assert.rejects(ort.InferenceSession.create(model, options), {
      code: 'INVALID_MODEL',
      message:
        "the model has weights in 'weights.bin', which is not there: pass externalData: [{ path: 'weights.bin', data }]",
    });
  await assert.rejects(ort.InferenceSession.create(externalWeights, { externalData: 'weights.bin' }), TypeError);
});

test('a model without its weights is refused in a worker by the same error as here', () =>
  withProxy(() =>
    assert.rejects(ort.InferenceSession.create(externalWeights), {
      code: 'INVALID_MODEL',
      message: /^the model has weights in 'weights.bin', which is not there: pass externalData/,
    }),
  ));

test('an entry of externalData that is neither an address nor a path and data is named', async () => {
  for (const [entry, shown] of [
    [null, 'null'],
    [5, '5'],
    [{ data: weights }, 'Object'],
  ])
    await assert.rejects(ort.InferenceSession.create(externalWeights, { externalData: [entry] }), {
      name: 'TypeError',
      message: `'externalData' has ${shown}, wanted an address or { path, data }`,
    });
});

test('freeDimensionOverrides fixes sizes, as in onnxruntime-web', async () => {
  const options = { freeDimensionOverrides: { rows: 2 } };
  const session = await ort.InferenceSession.create(addOne, options);
  assert.deepEqual(session.inputMetadata[0].shape, [2, 3, '']);
  assert.deepEqual(session.outputMetadata[0].shape, [2, 3, '']);
  const program = (rows) => (one, peer) => one.run({ x: x(peer, [rows, 3, 1]) });
  for (const rows of [2, 1])
    assert.deepEqual(await outcome(program(rows), ort, options), await outcome(program(rows), web, options));
  const warnings = await warningsOf(() =>
    ort.InferenceSession.create(addOne, { freeDimensionOverrides: { batch: 2 } }),
  );
  assert.deepEqual(warnings, ["broadloom: freeDimensionOverrides: no size 'batch'; the model has 'rows'"]);
});

test('freeDimensionOverrides fixes sizes that exporters number, as in onnxruntime-web, beside names that the model lacks', async () => {
  const options = { freeDimensionOverrides: { none: 1, unk__7: 2 } };
  assert.deepEqual((await web.InferenceSession.create(numberedSize, options)).inputMetadata[0].shape, [2]);
  const warnings = await warningsOf(async () => {
    const session = await ort.InferenceSession.create(numberedSize, options);
    assert.deepEqual(session.inputMetadata[0].shape, [2]);
  });
  assert.deepEqual(warnings, ["broadloom: freeDimensionOverrides: no size 'none'; the model has 'unk__7'"]);
});

test('a size in freeDimensionOverrides that is none is refused, as in onnxruntime-web, and named', async () => {
  for (const size of ['2', -1, 1.5, null]) {
    const options = { freeDimensionOverrides: { rows: size } };
    await assert.rejects(web.InferenceSession.create(addOne, options), /free dimension override/);
    await assert.rejects(ort.InferenceSession.create(addOne, options), {
      code: 'INVALID_ARGUMENT',
      message: /^freeDimensionOverrides: 'rows' is .*, wanted an integer of at least 0$/,
    });
  }
});

test('options without effect are named in a warning, once', async () => {
  const options = {
    executionProviders: ['webgpu', { name: 'wasm' }],
    intraOpNumThreads: 4,
    enableMemPattern: false,
    preferredOutputLocation: 'gpu-buffer',
    enableGraphCapture: true,
    extra: { session: {} },
    optimisedModelFilePath: 'a.onnx',
  };
  const create = () => ort.InferenceSession.create(addOne, options);
  const warnings = await warningsOf(create);
  for (const [name, text] of Object.entries({
    executionProviders: 'has "webgpu", and models run in WebAssembly',
    intraOpNumThreads: 'is 4, and runs take one thread',
    enableMemPattern: 'is false, and runs of the same sizes take the same places in memory',
    preferredOutputLocation: 'is not "cpu", where all outputs are',
    enableGraphCapture: 'is for WebGPU',
    extra: 'has no meaning here',
    optimisedModelFilePath: "is unknown to onnxruntime-common: did you mean 'optimizedModelFilePath'?",
  }))
    assert.ok(warnings.includes(`broadloom: ${name} ${text}`), `${name} in ${warnings.join('\n')}`);
  assert.equal(warnings.length, 7);
  assert.deepEqual(await warningsOf(create), []);
});

test('values that an option cannot have are named in a warning, where onnxruntime throws', async () => {
  for (const [name, value, text] of [
    ['graphOptimizationLevel', 'disable', 'is "disable", which counts as "all"'],
    ['executionMode', 'concurrent', 'is "concurrent", and nodes run one after the other'],
  ]) {
    await assert.rejects(web.InferenceSession.create(addOne, { [name]: value }));
    const warnings = await warningsOf(() => ort.InferenceSession.create(addOne, { [name]: value }));
    assert.deepEqual(warnings, [`broadloom: ${name} ${text}`]);
  }
});

test('options that are as they are here, and levels that want no warnings, are silent', async () => {
  const quiet = {
    executionProviders: ['wasm', { name: 'cpu', useArena: true }],
    intraOpNumThreads: 1,
    graphOptimizationLevel: 'all',
    enableCpuMemArena: true,
    enableMemPattern: true,
    executionMode: 'sequential',
    preferredOutputLocation: { y: 'cpu' },
    logVerbosityLevel: 1,
  };
  assert.deepEqual(await warningsOf(() => ort.InferenceSession.create(addOne, quiet)), []);
  const loud = { interOpNumThreads: 3, logSeverityLevel: 3 };
  assert.deepEqual(await warningsOf(() => ort.InferenceSession.create(addOne, loud)), []);
  ort.env.logLevel = 'error';
  try {
    const create = () => ort.InferenceSession.create(addOne, { interOpNumThreads: 3 });
    assert.deepEqual(await warningsOf(create), []);
  } finally {
    ort.env.logLevel = 'warning';
  }
  assert.throws(() => {
    ort.env.logLevel = 'loud';
  }, /Unsupported logging level: "loud"/);
});

test('flags of the module of onnxruntime-web are named in a warning', async () => {
  Object.assign(ort.env.wasm, { numThreads: 4, wasmPaths: 'https://example.invalid/' });
  const warnings = await warningsOf(() => ort.InferenceSession.create(addOne));
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = undefined;
  assert.deepEqual(warnings, [
    'broadloom: env.wasm.numThreads is 4, and runs take one thread',
    "broadloom: env.wasm.wasmPaths names onnxruntime-web's files: env.broadloom = { wasm } says where broadloom.wasm is",
  ]);
});

test('null stands for an option that was not given, as in onnxruntime-web', async () => {
  const names = [
    ...['freeDimensionOverrides', 'externalData', 'executionProviders', 'graphOptimizationLevel', 'executionMode'],
    ...['enableCpuMemArena', 'enableMemPattern', 'optimizedModelFilePath', 'profileFilePrefix', 'logId', 'extra'],
    ...['logSeverityLevel', 'preferredOutputLocation'],
  ];
  const options = Object.fromEntries(names.map((name) => [name, null]));
  await web.InferenceSession.create(addOne, options);
  assert.deepEqual(await warningsOf(() => ort.InferenceSession.create(addOne, options)), []);
});

test('the levels of optimisation give the same bits', async () => {
  for (const graphOptimizationLevel of ['disabled', 'basic', 'all']) {
    const session = await ort.InferenceSession.create(addOne, { graphOptimizationLevel });
    assert.deepEqual([...(await session.run({ x: x(ort) })).y.data], [1, 2, 3, 4, 5, 6]);
  }
});

test('types that onnxruntime-web refuses run', async () => {
  await assert.rejects(web.InferenceSession.create(largerOfInt16));
  const session = await ort.InferenceSession.create(largerOfInt16);
  const { c } = await session.run({
    a: new ort.Tensor(Int16Array.of(1, 32767)),
    b: new ort.Tensor(Int16Array.of(2, 1)),
  });
  assert.deepEqual([...c.data], [2, 32767]);
});

test('a model that cannot run is refused with all operators that are missing, in a worker, too', async () => {
  const refused = () =>
    assert.rejects(ort.InferenceSession.create(foreign('Nothing', 'Never', 'Nothing')), {
      name: 'OnnxError',
      code: 'UNKNOWN_OPERATOR',
      message: /2 things that do not run here: .*Nothing.*; .*Never/,
    });
  await refused();
  await withProxy(refused);
});

test("Broadloom's own tensors, and what has the three members of one, are feeds", async () => {
  const { load } = await import('broadloom');
  const ops = await load();
  const session = await ort.InferenceSession.create(addOne);
  const own = ops.tensor('float32', [1, 2, 3], [1, 3, 1]);
  const plain = { type: 'float32', dims: [1, 3, 1], data: Float32Array.of(1, 2, 3) };
  for (const feed of [own, plain]) assert.deepEqual([...(await session.run({ x: feed })).y.data], [2, 3, 4]);
  own.dispose();
});

test('elements of the GPU are fed by their download', async () => {
  const session = await ort.InferenceSession.create(addOne);
  const feed = ort.Tensor.fromGpuBuffer(
    { size: 12, mapState: 'unmapped' },
    { dims: [1, 3, 1], download: async () => Float32Array.of(1, 2, 3) },
  );
  assert.deepEqual([...(await session.run({ x: feed })).y.data], [2, 3, 4]);
});

test('feeds on this side are those of the moment of the call, also where others are downloaded, or runs are profiled', async (context) => {
  context.mock.method(console, 'log', () => undefined);
  context.mock.method(console, 'table', () => undefined);
  const session = await ort.InferenceSession.create(largerOfInt16);
  const download = async () => Int16Array.of(1, 4);
  for (const profiled of [false, true])
    for (const isElsewhere of [false, true]) {
      const a = isElsewhere
        ? ort.Tensor.fromGpuBuffer({}, { dataType: 'int16', dims: [2], download })
        : new ort.Tensor('int16', [1, 4]);
      if (profiled) session.startProfiling();
      const b = new ort.Tensor('int16', [3, 2]);
      const running = session.run({ a, b });
      b.data.fill(9);
      assert.deepEqual((await running).c.data, Int16Array.of(3, 4));
      session.endProfiling();
    }
});

test('where several feeds cannot be had, the run alone fails', async () => {
  const session = await ort.InferenceSession.create(largerOfInt16);
  const failing = (message) =>
    ort.Tensor.fromGpuBuffer({}, { dataType: 'int16', dims: [2], download: () => Promise.reject(new Error(message)) });
  const freed = new ort.Tensor('int16', [3, 2]);
  freed.dispose();
  await assert.rejects(session.run({ a: failing('first'), b: failing('second') }), { message: 'first' });
  await assert.rejects(session.run({ a: freed, b: freed }), /disposed/);
});

test('a feed that cannot be had is named by its input', async () => {
  const session = await ort.InferenceSession.create(largerOfInt16);
  const a = new ort.Tensor('int16', [1, 2]);
  const freed = new ort.Tensor('int16', [3, 2]);
  freed.dispose();
  const sent = new ort.Tensor('int16', [3, 2]);
  structuredClone(sent.data.buffer, { transfer: [sent.data.buffer] });
  await assert.rejects(session.run({ a, b: freed }), {
    name: 'Error',
    message: "input 'b' is a tensor that was disposed.",
  });
  await assert.rejects(session.run({ a, b: sent }), {
    name: 'OnnxError',
    message: /^input 'b': the elements lie in a buffer/,
  });
  assert.deepEqual((await session.run({ a, b: a })).c.data, a.data);
});

test('profiles of runs are printed at their end', async (context) => {
  const session = await ort.InferenceSession.create(addOne);
  const log = context.mock.method(console, 'log', () => undefined);
  const table = context.mock.method(console, 'table', () => undefined);
  await session.run({ x: x(ort) });
  session.startProfiling();
  await session.run({ x: x(ort) });
  await session.run({ x: x(ort) }, ['y']);
  session.endProfiling();
  session.endProfiling();
  assert.equal(log.mock.calls.length, 1);
  assert.match(log.mock.calls[0].arguments[0], /2 runs/);
  const [rows] = table.mock.calls[0].arguments;
  const add = rows.find(({ node }) => node === 'add');
  assert.equal(add.operator, 'Add');
  assert.equal(add.calls, 2);
});

test('a profile has the slowest node first, also where names are numbers, and escapes what names hold', async (context) => {
  const session = await ort.InferenceSession.create(oddNodes);
  const printed = [];
  context.mock.method(process.stdout, 'write', (text) => printed.push(text));
  session.startProfiling();
  await session.run({ x: new ort.Tensor('float32', new Float32Array(300 * 300), [300, 300]) });
  session.endProfiling();
  context.mock.restoreAll();
  const text = printed.join('');
  assert.ok(text.indexOf('MatMul') < text.indexOf('Neg'), text);
  assert.ok(!text.includes('\x1b'), text);
});

test('inputs and outputs may be called __proto__', async () => {
  const tensor = new ort.Tensor('float32', [1], [1]);
  const first = await ort.InferenceSession.create(oddInput);
  assert.deepEqual([...(await first.run(Object.fromEntries([['__proto__', tensor]]))).y.data], [-1]);
  const second = await ort.InferenceSession.create(oddOutput);
  for (const fetches of [undefined, ['__proto__'], Object.fromEntries([['__proto__', null]])]) {
    const [[name, { data }]] = Object.entries(await second.run({ x: tensor }, fetches));
    assert.deepEqual([name, ...data], ['__proto__', -1]);
  }
});

test('a session that was released runs no more', async () => {
  const session = await ort.InferenceSession.create(addOne);
  await session.release();
  await session.release();
  await assert.rejects(session.run({ x: x(ort) }), { code: 'DISPOSED' });
});

const workers = [];
process.on('worker', (worker) => workers.push(worker));

/** Ends the last worker. An answer that comes meanwhile would let the process end before. */
async function endWorker() {
  const hold = setInterval(() => {}, 1000);
  await workers.at(-1).terminate();
  clearInterval(hold);
}

/** Calls with models in a worker. */
async function withProxy(work) {
  ort.env.wasm.proxy = true;
  try {
    return await work();
  } finally {
    ort.env.wasm.proxy = false;
  }
}

for (const [where, within] of Object.entries({ 'on this side': (work) => work(), 'in a worker': withProxy }))
  test(`feeds that are written to or freed behind the call, and a session released there, change no run ${where}`, () =>
    within(async () => {
      const session = await ort.InferenceSession.create(passed);
      const feeds = {
        text: new ort.Tensor(['a']),
        half: new ort.Tensor('float16', Uint16Array.of(0x3c00)),
        flag: new ort.Tensor('bool', Uint8Array.of(1), []),
      };
      const running = session.run(feeds);
      feeds.flag.data[0] = 0;
      feeds.half.dispose();
      feeds.text.data[0] = 'b';
      const released = session.release();
      const { same, 'half too': half, other } = await running;
      assert.deepEqual([same.data[0], half.size, other.data[0]], ['a', 1, 0]);
      await released;
    }));

/** A proxy whose objects are proxies, too. */
const watched = (object) =>
  new Proxy(object, {
    get(target, name, receiver) {
      const value = Reflect.get(target, name, receiver);
      return ['[object Object]', '[object Array]'].includes(Object.prototype.toString.call(value))
        ? watched(value)
        : value;
    },
  });

for (const [how, proxyOf] of Object.entries({ 'in the state of Vue': reactive, 'behind any proxies': watched }))
  for (const [where, within] of Object.entries({ '': (work) => work(), ' in a worker': withProxy }))
    test(`sessions and tensors ${how} run${where}, as with onnxruntime-web`, () =>
      within(async () => {
        const results = [];
        for (const peer of [web, ort]) {
          const state = proxyOf({ session: await peer.InferenceSession.create(addOne), x: x(peer) });
          const { session } = state;
          assert.deepEqual([...session.inputNames, ...session.inputMetadata.map(({ type }) => type)], ['x', 'float32']);
          const { y } = await session.run({ x: state.x });
          const again = await session.run(proxyOf({ x: y }), ['y']);
          const reshaped = proxyOf(y).reshape([2, 3]);
          assert.ok(reshaped instanceof peer.Tensor);
          results.push([...(await proxyOf(again.y).getData()), ...reshaped.dims, ...reshaped.data]);
          proxyOf(y).dispose();
          assert.equal(y.location, 'none');
          await session.release();
        }
        assert.deepEqual(results[1], results[0]);
      }));

test('where models run in a worker, this side has no runtime', () => {
  const program = `
    WebAssembly.Memory = class extends WebAssembly.Memory {
      constructor(...args) {
        console.log('a memory on this side');
        super(...args);
      }
    };
    const { default: ort } = await import('broadloom/onnxruntime');
    ort.env.wasm.proxy = true;
    const session = await ort.InferenceSession.create(Uint8Array.of(${[...addOne]}));
    const { y } = await session.run({ x: new ort.Tensor('float32', [1, 2, 3], [1, 3, 1]) });
    console.log(y.data.join());`;
  const args = ['--input-type=module', '-e', program];
  assert.equal(execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }), '2,3,4\n');
});

test('a worker that has ended is replaced, and all its sessions run on', () =>
  withProxy(async () => {
    const before = await ort.InferenceSession.create(addOne);
    await endWorker();
    const started = workers.length;
    const sessions = await Promise.all([1, 2].map(() => ort.InferenceSession.create(addOne)));
    for (const session of [before, ...sessions])
      assert.deepEqual([...(await session.run({ x: x(ort) })).rows.data], [1n]);
    assert.equal(workers.length, started + 1);
    await before.release();
    await endWorker();
    await assert.rejects(before.run({ x: x(ort) }), { code: 'DISPOSED' });
  }));

test('a feed whose elements were transferred away is refused with an OnnxError, also by a worker', () =>
  withProxy(async () => {
    const session = await ort.InferenceSession.create(addOne);
    const feed = x(ort);
    structuredClone(null, { transfer: [feed.data.buffer] });
    await assert.rejects(session.run({ x: feed }), { name: 'OnnxError', code: 'INVALID_ARGUMENT' });
  }));

test('nothing stays in the memory of the runtime after sessions and their runs', async () => {
  const { load } = await import('broadloom');
  const ops = await load();
  const before = ops.memory();
  for (let i = 0; i < 3; i++) {
    const session = await ort.InferenceSession.create(addOne, { freeDimensionOverrides: { rows: 1 } });
    await session.run({ x: x(ort) });
    await assert.rejects(session.run({ x: x(ort, [1, 2, 2]) }));
    await session.release();
  }
  await assert.rejects(ort.InferenceSession.create(foreign('Nothing')));
  assert.deepEqual(ops.memory(), before);
});

test('env has the versions, and the default export has the three of them', () => {
  assert.match(ort.env.versions.broadloom, /^\d+\.\d+\.\d+$/);
  assert.match(ort.env.versions.common, /^\d+\.\d+\.\d+$/);
  const { env, InferenceSession, Tensor } = ort;
  assert.deepEqual(ort.default, { env, InferenceSession, Tensor });
});
