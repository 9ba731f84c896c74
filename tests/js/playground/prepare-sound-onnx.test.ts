// The .onnx files of spectrograms that the playground's page Prepare writes do what `logMel` does.
import { expect, test } from '@jest/globals';
import { load, logMelPresets, type Tensor } from 'broadloom';
import { testSound } from '../../../web-demo/src/prepare/samples.js';
import { hasSoundOnnx, soundModel } from '../../../web-demo/src/prepare/sound-onnx.js';

const ops = await load();
const names = Object.keys(logMelPresets) as (keyof typeof logMelPresets)[];
const steps = { rate: 16000, bins: 80, length: undefined };
const sound = testSound(16000).channels[0] as Float32Array;

const cases = names.flatMap((features) =>
  [undefined, 16000, 60000].map(
    (length) => [features, length === undefined ? 'as they are' : `${length} samples`, length] as const,
  ),
);

test.each(cases)('the file for %s gives the spectrogram of logMel, %s', (features, _, length) => {
  ops.scope(() => {
    const model = ops.loadModel(soundModel({ ...steps, features, length }, logMelPresets));
    const { features: found } = model.run({ samples: ops.tensor('float32', sound, [sound.length]) }) as {
      features: Tensor<'float32'>;
    };
    model.dispose();
    const wanted = ops.logMel(sound, { ...logMelPresets[features], ...(length !== undefined && { length }) });
    expect([...found.dims]).toEqual([...wanted.dims]);
    const [one, other] = [found.toArray() as Float32Array, wanted.toArray() as Float32Array];
    const greatest = one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] as number))), 0);
    expect(greatest).toBeLessThan(2e-4);
  });
});

test.each([
  [16000, 80, undefined],
  [8000, 23, undefined],
  [16000, 40, 20000],
])('the file for filter banks of %i Hz with %i bins gives those of fbank', (rate, bins, length) => {
  ops.scope(() => {
    const samples = (testSound(rate).channels[0] as Float32Array).map((x, i) => x + ((i * 7919) % 1000) / 1e5);
    const model = ops.loadModel(soundModel({ features: 'fbank', rate, bins, length }, logMelPresets));
    const { features: found } = model.run({ samples: ops.tensor('float32', samples, [samples.length]) }) as {
      features: Tensor<'float32'>;
    };
    model.dispose();
    const wanted = ops.fbank(samples.slice(0, length), { sampleRate: rate, melBins: bins });
    expect([...found.dims]).toEqual([...wanted.dims]);
    const [one, other] = [found.toArray() as Float32Array, wanted.toArray() as Float32Array];
    const greatest = one.reduce((most, value, i) => Math.max(most, Math.abs(value - (other[i] as number))), 0);
    expect(greatest).toBeLessThan(1e-2);
  });
});

test('samples alone have no file', () => {
  const known = [...names, 'fbank', 'waveform'].filter((features) =>
    hasSoundOnnx({ ...steps, features }, logMelPresets),
  );
  expect(known).toEqual([...names, 'fbank']);
});
