// Sounds of 30 seconds beside npm's packages for them: resampling, Whisper's log-mel spectrogram, and transforms of frames.
import PFFFT from '@echogarden/pffft-wasm/simd';
import FFT from 'fft.js';
import { logMelInJavaScript } from './log-mel-in-javascript.mjs';
import { measure, timed } from './measure.mjs';

const seconds = 30;

function noise(count) {
  let state = 1;
  return new Float32Array(count).map(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/** Calls that compute the results of one case: the first is Broadloom's. Each returns a number of its result. */
async function resampling(ops, from, to) {
  const sound = noise(seconds * from);
  const { default: waveResampler } = await import('wave-resampler');
  const { default: libsamplerate } = await import('@alexanderolsen/libsamplerate-js');
  const { create, ConverterType } = libsamplerate;
  const src = await create(1, from, to, { converterType: ConverterType.SRC_SINC_MEDIUM_QUALITY });
  return {
    name: `${from} to ${to} Hz`,
    calls: {
      broadloom: () => lastOf(ops.fromAudio(sound, { from, to })),
      'libsamplerate-js': () => src.simple(sound).at(-1),
      'wave-resampler': () => waveResampler.resample(sound, from, to).at(-1),
    },
    close: () => src.destroy(),
  };
}

function lastOf(tensor) {
  const { data } = tensor;
  const last = data[data.length - 1];
  tensor.dispose();
  return last;
}

function spectrogram(ops, name) {
  const sound = noise(seconds * 16000);
  const bins = name === 'whisper' ? 80 : 128;
  const tensor = ops.logMel(sound, name);
  const theirs = logMelInJavaScript(sound, bins);
  if (tensor.data.some((value, i) => !(Math.abs(value - theirs[i]) < 1e-4))) throw new Error(`bench: ${name} is wrong`);
  tensor.dispose();
  return {
    name: `log-mel, ${name}`,
    calls: {
      broadloom: () => lastOf(ops.logMel(sound, name)),
      'plain JS with fft.js': () => logMelInJavaScript(sound, bins).at(-1),
    },
  };
}

/** Half spectra of a million samples, in frames of a length. */
async function transforms(ops, length) {
  const count = Math.floor(2 ** 20 / length);
  const sound = noise(count * length);
  const signal = ops.tensor('float32', sound, [1, count * length]);
  const calls = {
    broadloom: () => lastOf(ops.stft(signal, length, null, length)),
    'fft.js': () => {
      const fft = new FFT(length);
      const spectrum = fft.createComplexArray();
      for (let i = 0; i < count; i++) fft.realTransform(spectrum, sound.subarray(i * length, (i + 1) * length));
      return spectrum[2];
    },
  };
  // PFFFT transforms multiples of 32 whose other factors are 3 and 5.
  const pffft = await PFFFT();
  const setup = pffft._pffft_new_setup(length, 0);
  const [input, output, work] = [0, 1, 2].map(() => pffft._pffft_aligned_malloc(length * 4) / 4);
  calls['pffft-wasm'] = () => {
    for (let i = 0; i < count; i++) {
      pffft.HEAPF32.set(sound.subarray(i * length, (i + 1) * length), input);
      pffft._pffft_transform_ordered(setup, input * 4, output * 4, work * 4, 0);
    }
    return pffft.HEAPF32[output + 2];
  };
  return { name: `transforms of ${length}`, calls, close: () => signal.dispose() };
}

/** @returns rows: name, time of Broadloom's call in nanoseconds, and how much slower the peers are */
export async function measureSound(ops, effort) {
  const cases = [
    await resampling(ops, 48000, 16000),
    await resampling(ops, 44100, 16000),
    await resampling(ops, 16000, 48000),
    spectrogram(ops, 'whisper'),
    spectrogram(ops, 'whisper-128'),
    await transforms(ops, 512),
    await transforms(ops, 4096),
  ];
  const rows = [];
  for (const { name, calls, close } of cases) {
    const [subject, ...peers] = Object.entries(calls).map(([contender, call]) => ({
      name: contender,
      time: timed(call),
    }));
    // `measure` wants a limit; here it is Broadloom itself.
    const result = await measure({ subject, limit: subject, peers }, { ...effort, warmUp: 5e7, budget: 4e8 });
    rows.push({ name, time: result.time, peers: result.peers });
    close?.();
  }
  return { rows };
}
