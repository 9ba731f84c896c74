// fromAudio and resampler: channels, rates, filters by their measured response, streams.
import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { type AudioBufferLike, load, type Runtime, type SoundOptions } from 'broadloom';
import { announceSeed, generator, seed } from './helpers/random.js';
import { expectRefusal } from './helpers/runtime.js';
import { distance, references, signals } from './helpers/sounds.js';

const ops = await load();
announceSeed('sound');

const elements = (sound: AudioBufferLike | Float32Array | Int16Array, options?: SoundOptions) => {
  const tensor = ops.fromAudio(sound, options);
  const data = tensor.toArray();
  tensor.dispose();
  return data;
};

function audioBuffer(sampleRate: number, ...channels: Float32Array[]): AudioBufferLike {
  return {
    numberOfChannels: channels.length,
    length: channels[0]?.length ?? 0,
    sampleRate,
    getChannelData: (channel) => channels[channel] as Float32Array,
  };
}

test('samples at the same rate keep their bits', () => {
  const sound = Float32Array.of(0.1, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e-42);
  const tensor = ops.fromAudio(sound);
  expect([tensor.type, tensor.dims]).toEqual(['float32', [5]]);
  expect(tensor.toArray()).toEqual(sound);
  expect(elements(sound, { from: 44100 })).toEqual(sound);
  expect(elements(sound, { from: 44100, to: 44100 })).toEqual(sound);
});

test('the result does not share memory with the sound', () => {
  const sound = Float32Array.of(1, 2);
  const tensor = ops.fromAudio(sound);
  sound[0] = 7;
  expect(tensor.toArray()).toEqual(Float32Array.of(1, 2));
});

test('16-bit samples are divided by 32768', () => {
  expect(elements(Int16Array.of(-32768, 32767, 1, 0))).toEqual(Float32Array.of(-1, 32767 / 32768, 1 / 32768, 0));
});

test('mono is the mean of the channels, interleaved or apart', () => {
  const left = Float32Array.of(1, 2, 3);
  const right = Float32Array.of(3, -2, 0);
  const mean = Float32Array.of(2, 0, 1.5);
  expect(elements(Float32Array.of(1, 3, 2, -2, 3, 0), { channels: 2 })).toEqual(mean);
  expect(elements(audioBuffer(8000, left, right))).toEqual(mean);
  expect(elements(Int16Array.of(3, 3, 9), { channels: 3 })).toEqual(Float32Array.of(5 / 32768));
  expect(elements(audioBuffer(8000, left), { from: 8000, channels: 1 })).toEqual(left);
});

test('an AudioBuffer has its own rate', () => {
  const sound = signals.noise(4410);
  expect(elements(audioBuffer(44100, sound, sound), { to: 16000 })).toEqual(
    elements(sound, { from: 44100, to: 16000 }),
  );
});

test('a sound without samples gives an empty tensor', () => {
  expect(ops.fromAudio(new Float32Array(0), { from: 8000, to: 16000 }).dims).toEqual([0]);
  expect(ops.fromAudio(new Int16Array(0), { channels: 2 }).dims).toEqual([0]);
});

for (const reference of references.resample) {
  const [from, to] = reference.rates;
  test(`resampling from ${from} to ${to} agrees with the definition in float64`, () => {
    const found = elements(signals[reference.signal](reference.count), { from, to });
    expect([found.length]).toEqual(reference.dims);
    expect(distance(found, reference)).toBeLessThan(from === 44101 || from === 22050.5 ? 3e-5 : 5e-6);
  });
}

/** The levels of a tone after a resampler, in dB: the tone itself, and all other sound. */
function levels(from: number, to: number, frequency: number) {
  const tone = (rate: number) => (_: number, i: number) => Math.cos((2 * Math.PI * frequency * i) / rate + 0.3);
  const found = elements(new Float32Array(Math.round(from / 12)).map(tone(from)), { from, to });
  const ends = Math.ceil(60 * Math.max(1, to / from));
  const inner = found.subarray(ends, found.length - ends);
  const wanted = new Float64Array(found.length).map(tone(to)).subarray(ends, found.length - ends);
  let product = 0;
  let square = 0;
  inner.forEach((value, i) => {
    product += value * (wanted[i] as number);
    square += (wanted[i] as number) ** 2;
  });
  const gain = product / square;
  let besides = 0;
  let all = 0;
  inner.forEach((value, i) => {
    besides += (value - gain * (wanted[i] as number)) ** 2;
    all += value ** 2;
  });
  const level = (sum: number) => 10 * Math.log10((2 * sum) / inner.length);
  return { gain: 20 * Math.log10(gain), besides: level(besides), all: level(all) };
}

const rates: [number, number][] = [
  [44100, 16000],
  [48000, 16000],
  [16000, 48000],
  [22050, 16000],
  [8000, 16000],
  [44101, 16000],
  [44100.5, 16000],
  [16000, 44100],
  [11025, 8000.7],
  [8000, 7999],
];

for (const [from, to] of rates) {
  const nyquist = Math.min(from, to) / 2;
  test(`from ${from} to ${to} the ripple is at most 0.1 dB up to 0.9 of the band, and nothing else is above -80 dB`, () => {
    for (const part of [0.05, 0.3, 0.61, 0.8, 0.87, 0.9]) {
      const { gain, besides } = levels(from, to, part * nyquist);
      expect(Math.abs(gain)).toBeLessThan(0.1);
      expect(besides).toBeLessThan(-80);
    }
  });
  if (from > to)
    test(`from ${from} to ${to} all above the lower Nyquist frequency is 80 dB down`, () => {
      for (const part of [0, 0.01, 0.03, 0.1, 0.33, 0.5, 0.77, 0.99]) {
        expect(levels(from, to, nyquist + (from / 2 - nyquist) * part + 1).all).toBeLessThan(-80);
      }
    });
}

test('a constant stays itself within the sound', () => {
  const found = elements(new Float32Array(2000).fill(0.5), { from: 44100, to: 16000 });
  expect(Math.max(...found.subarray(60, 600).map((value) => Math.abs(value - 0.5)))).toBeLessThan(1e-6);
});

test('results are not delayed: an impulse stays in its place', () => {
  const found = elements(signals.impulse(3000), { from: 16000, to: 48000 });
  expect(found.indexOf(Math.max(...found))).toBe(3000);
});

test('lengths are those of the samples times the ratio, rounded up', () => {
  const random = generator(seed);
  for (let i = 0; i < 200; i++) {
    const [from, to] = [1 + (random() % 1000), 1 + (random() % 1000)];
    const most = Math.max(from, to) / Math.min(from, to);
    const count = random() % 300;
    if (most <= 256)
      expect(elements(new Float32Array(count), { from, to }).length).toBe(Math.ceil((count * to) / from));
  }
});

for (const [from, to] of [...rates, [16000, 16000], [3, 700], [700, 3]] as [number, number][]) {
  test(`from ${from} to ${to}, pieces of any size give the bits of the whole sound`, () => {
    const random = generator(seed);
    const sound = signals.noise(to > 10 * from ? 500 : 30000);
    const whole = elements(sound, { from, to });
    const resampler = ops.resampler({ from, to });
    for (const largest of [sound.length, 5]) {
      const pieces: Float32Array[] = [];
      // Tiny pieces only of the beginning.
      const end = Math.min(sound.length, 600 * largest);
      for (let at = 0; at < end; ) {
        const count = random() % largest;
        pieces.push(resampler.push(sound.subarray(at, at + count)));
        at += count;
      }
      const isWhole = end === sound.length;
      if (isWhole) pieces.push(resampler.flush());
      else resampler.reset();
      const found = Float32Array.from(pieces.flatMap((piece) => [...piece]));
      expect(found).toEqual(isWhole ? whole : whole.subarray(0, found.length));
    }
    resampler.dispose();
  });
}

test('a resampler begins anew after flush and after reset', () => {
  const resampler = ops.resampler({ from: 8000, to: 16000 });
  const sound = signals.tones(100);
  const whole = elements(sound, { from: 8000, to: 16000 });
  const again = () => [...resampler.push(sound), ...resampler.flush()];
  expect(again()).toEqual([...whole]);
  expect(resampler.flush()).toEqual(new Float32Array(0));
  resampler.push(sound);
  resampler.reset();
  expect(again()).toEqual([...whole]);
});

test('a stream takes no more memory however long it is', () => {
  const resampler = ops.resampler({ from: 48000, to: 16000 });
  const chunk = signals.noise(128);
  resampler.push(chunk);
  const before = ops.memory();
  for (let i = 0; i < 10_000; i++) resampler.push(chunk);
  expect(ops.memory()).toEqual(before);
  resampler.dispose();
});

test('calls leave no memory behind, nor does a resampler that is disposed of', () => {
  const sound = signals.noise(20000);
  const call = () => {
    elements(sound, { from: 44100, to: 16000 });
    const resampler = ops.resampler({ from: 22050, to: 8000 });
    resampler.push(sound);
    resampler.dispose();
    resampler.dispose();
  };
  const empty = ops.memory().bytesInUse;
  call();
  expect(ops.memory().bytesInUse).toBe(empty);
  const before = ops.memory();
  for (let i = 0; i < 50; i++) call();
  expect(ops.memory()).toEqual(before);
});

const wrong = 'wrong' as unknown as undefined;
const sound = new Float32Array(8);
const invalid: { [what: string]: [call: (ops: Runtime) => unknown, ...says: string[]] } = {
  'a list': [() => ops.fromAudio([1, 2] as unknown as Float32Array), 'fromAudio', 'AudioBuffer'],
  'another typed array': [() => ops.fromAudio(new Float64Array(2) as unknown as Float32Array), 'Float64Array'],
  nothing: [() => ops.fromAudio(undefined as unknown as Float32Array), 'undefined'],
  'an unknown option': [() => ops.fromAudio(sound, { rate: 8000 } as SoundOptions), "'rate'"],
  'a rate that is a text': [() => ops.fromAudio(sound, { from: wrong }), "'from'", 'wrong'],
  'a rate of 0': [() => ops.fromAudio(sound, { from: 0, to: 8000 }), "'from' is 0"],
  'a negative rate': [() => ops.fromAudio(sound, { from: 8000, to: -1 }), "'to' is -1"],
  'a rate that is NaN': [() => ops.fromAudio(sound, { from: Number.NaN }), "'from' is NaN"],
  'an infinite rate': [() => ops.fromAudio(sound, { from: 8000, to: Number.POSITIVE_INFINITY }), "'to' is Infinity"],
  'rates too far apart': [() => ops.fromAudio(sound, { from: 48000, to: 1 }), '48000', '256'],
  'a rate to without a rate from': [() => ops.fromAudio(sound, { to: 8000 }), "'from'", '8000'],
  'no channels': [() => ops.fromAudio(sound, { channels: 0 }), "'channels' is 0"],
  'channels that are NaN': [() => ops.fromAudio(sound, { channels: Number.NaN }), "'channels' is NaN, wanted a count"],
  'half a channel': [() => ops.fromAudio(sound, { channels: 1.5 }), "'channels' is 1.5"],
  'channels that do not divide the samples': [() => ops.fromAudio(sound, { channels: 3 }), '8 samples', '3 channels'],
  'an AudioBuffer of another rate': [
    () => ops.fromAudio(audioBuffer(8000, sound), { from: 16000 }),
    '16000',
    'has the rate 8000',
  ],
  'an AudioBuffer with other channels': [() => ops.fromAudio(audioBuffer(8000, sound), { channels: 2 }), "'channels'"],
  'an AudioBuffer without channels': [() => ops.fromAudio(audioBuffer(8000)), 'numberOfChannels 0'],
  'an AudioBuffer with the rate NaN': [() => ops.fromAudio(audioBuffer(Number.NaN, sound)), "'from' is NaN"],
  'channels of different lengths': [() => ops.fromAudio(audioBuffer(8000, sound, sound.subarray(1))), 'channel 1', '7'],
  'a channel that is a list': [
    () => ops.fromAudio(audioBuffer(8000, [1] as unknown as Float32Array)),
    'channel 0',
    'Float32Array',
  ],
  'too many arguments': [() => (ops.fromAudio as (...given: unknown[]) => unknown)(sound, {}, 1), 'at most 2'],
  'a resampler without rates': [() => ops.resampler({} as { from: number; to: number }), "'from'"],
  'a resampler with a rate of 0': [() => ops.resampler({ from: 1, to: 0 }), "resampler: 'to' is 0"],
};
for (const [what, [call, ...says]] of Object.entries(invalid))
  test(`${what} is refused`, () => {
    expectRefusal(ops, () => call(ops), { code: 'INVALID_ARGUMENT', says });
  });

test('samples that were transferred are refused', () => {
  const gone = new Float32Array(4);
  structuredClone(gone, { transfer: [gone.buffer] });
  expectRefusal(ops, () => ops.fromAudio(gone), { code: 'INVALID_ARGUMENT', says: ['detached'] });
  const resampler = ops.resampler({ from: 2, to: 1 });
  expectRefusal(ops, () => resampler.push(gone), { code: 'INVALID_ARGUMENT', says: ['detached'] });
});

test('a resampler refuses other values than Float32Arrays, and calls after dispose', () => {
  const resampler = ops.resampler({ from: 2, to: 1 });
  const push = (value: unknown) => () => resampler.push(value as Float32Array);
  expectRefusal(ops, push(new Int16Array(2)), { code: 'INVALID_ARGUMENT', says: ['Int16Array', 'Float32Array'] });
  expectRefusal(ops, push(undefined), { code: 'INVALID_ARGUMENT', says: ['undefined'] });
  resampler.dispose();
  for (const call of [push(sound), () => resampler.flush(), () => resampler.reset()])
    expectRefusal(ops, call, { code: 'DISPOSED', says: ['resampler'] });
});

test('a resampler that was not disposed of is freed after garbage collection', () => {
  const script = `
    import { load } from 'broadloom';
    const ops = await load();
    const make = () => { for (let i = 0; i < 200; i++) ops.resampler({ from: 48000, to: 16000 }).push(new Float32Array(1000)); };
    make();
    const before = ops.memory().bytesInUse;
    for (let i = 0; i < 200 && ops.memory().bytesInUse > 0; i++) { gc(); await new Promise((done) => setTimeout(done, 10)); }
    console.log(before > 200000, ops.memory().bytesInUse);`;
  const options = ['--expose-gc', '--input-type=module', '-e', script];
  const cwd = new URL('../..', import.meta.url);
  expect(execFileSync(process.execPath, options, { cwd, encoding: 'utf8' }).trim()).toBe('true 0');
});
