// Images and sounds.
import { Wrong } from './machine.mjs';
import { letGo } from './model-steps.mjs';
import { shadow } from './values.mjs';

const bytes = (random, count) => Uint8Array.from({ length: count }, () => random.below(256));

/** The bytes of an image become elements, and an image again. */
function image(machine) {
  const { random, ops } = machine;
  const [height, width] = [random.between(1, 9), random.between(1, 40)];
  const data = bytes(random, height * width * 3);
  const isFloat = random.oneIn(2);
  const type = isFloat ? 'float32' : 'uint8';
  const layout = random.from(['nhwc', 'nchw']);
  const tensor = ops.fromImage({ data, width, height, channels: 3 }, { type, layout });
  const at = (i) => (layout === 'nhwc' ? i : (i % (height * width)) * 3 + Math.floor(i / (height * width)));
  const items = (isFloat ? Float32Array : Uint8Array).from({ length: data.length }, (_, i) => data[at(i)]);
  machine.keep(tensor, shadow(type, layout === 'nhwc' ? [1, height, width, 3] : [1, 3, height, width], items));
  const picture = ops.toImageData(tensor, { layout });
  for (let i = 0; i < data.length; i++)
    if (picture.data[Math.floor(i / 3) * 4 + (i % 3)] !== data[i]) throw new Wrong(`byte ${i} of the image is another`);
}

const rates = [8000, 16000, 22050, 44100, 48000];

function push(machine) {
  const { random, ops } = machine;
  if (machine.resamplers.length < 3) {
    const options = { from: random.from(rates), to: random.from(rates) };
    machine.resamplers.push({ resampler: ops.resampler(options), options, samples: [], results: [] });
  }
  const one = random.from(machine.resamplers);
  const chunk = Float32Array.from({ length: random.below(400) }, () => random.between(-64, 64) / 64);
  one.samples.push(...chunk);
  one.results.push(...one.resampler.push(chunk));
  if (one.samples.length > 2000 || random.oneIn(12)) finish(machine, one);
}

/** All pieces together are the whole sound's result. */
function finish({ ops, random }, one) {
  if (random.oneIn(5)) {
    one.resampler.reset();
  } else {
    one.results.push(...one.resampler.flush());
    const whole = ops.scope(() => ops.fromAudio(Float32Array.from(one.samples), one.options).toArray());
    if (Buffer.compare(Buffer.from(whole.buffer), Buffer.from(Float32Array.from(one.results).buffer)) !== 0)
      throw new Wrong(
        `pieces of ${one.samples.length} samples from ${one.options.from} to ${one.options.to} Hz differ`,
      );
  }
  one.samples = [];
  one.results = [];
}

function logMel({ ops, random }) {
  const samples = Float32Array.from({ length: random.between(400, 3000) }, () => random.between(-64, 64) / 64);
  const [a, b] = [0, 1].map(() => ops.scope(() => ops.logMel(samples, 'whisper').toArray()));
  if (Buffer.compare(Buffer.from(a.buffer), Buffer.from(b.buffer)) !== 0)
    throw new Wrong('a spectrogram differs when it is made again');
}

export const mediaSteps = [
  [3, 'image', image],
  [4, 'push', push],
  [1, 'logMel', logMel],
  [1, 'let a resampler go', (machine) => letGo(machine, 'resamplers', 'resampler')],
];
