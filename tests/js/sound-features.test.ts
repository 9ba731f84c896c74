// logMel and fbank beside their definitions in float64 (tools/extract/sound-references.py).
import { expect, test } from '@jest/globals';
import { type FbankOptions, type LogMelOptions, load, logMelPresets, type Runtime, type Samples } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';
import { distance, references, signals } from './helpers/sounds.js';

const ops = await load();

const other: LogMelOptions = {
  sampleRate: 22050,
  fftLength: 512,
  windowLength: 320,
  hopLength: 100,
  window: 'hamming',
  padMode: 'constant',
  power: 1,
  melBins: 40,
  minFrequency: 100,
  maxFrequency: 9000,
  melScale: 'htk',
  norm: null,
  log: 'log',
  logOffset: 0.001,
  framesFirst: true,
};
type Preset = keyof typeof logMelPresets;
const dimsAndElements = (samples: Samples, options: Preset | LogMelOptions) => {
  const tensor = ops.logMel(samples, options);
  const found = { dims: [...tensor.dims], data: tensor.toArray() };
  tensor.dispose();
  return found;
};

for (const reference of references.logMel) {
  const { signal, count, preset, dims } = reference;
  test(`log-mel '${preset}' of ${count} samples of ${signal} agrees with the definition in float64`, () => {
    const found = dimsAndElements(signals[signal](count), preset === 'other' ? other : (preset as Preset));
    expect(found.dims).toEqual(dims);
    expect(distance(found.data, reference)).toBeLessThan(3e-5);
  });
}

test('a sound has as many of Whisper’s frames as it has whole hops', () => {
  for (const count of [0, 1, 100, 159, 160, 199, 200, 201, 319, 320, 480000])
    expect(dimsAndElements(new Float32Array(count), 'whisper').dims).toEqual([80, Math.floor(count / 160)]);
});

test('samples fewer than a frame are reflected again and again, as NumPy does it', () => {
  // A constant sound stays constant, however often it is reflected: its frames equal the frames of a long one.
  const short = dimsAndElements(new Float32Array(170).fill(0.25), 'whisper');
  const long = dimsAndElements(new Float32Array(3200).fill(0.25), 'whisper');
  short.data.forEach((value, bin) => {
    expect(value).toBeCloseTo(long.data[bin * 20] as number, 5);
  });
});

test('the length pads a sound with zeros or cuts it', () => {
  const sound = signals.noise(8000);
  const padded = new Float32Array(16000);
  padded.set(sound);
  const options = { ...logMelPresets.whisper, length: 16000 };
  expect(dimsAndElements(sound, options)).toEqual(dimsAndElements(padded, 'whisper'));
  expect(dimsAndElements(sound, { ...logMelPresets.whisper, length: 1600 })).toEqual(
    dimsAndElements(sound.subarray(0, 1600), 'whisper'),
  );
  expect(dimsAndElements(new Float32Array(0), { ...logMelPresets.whisper, length: 480000 }).dims).toEqual([80, 3000]);
});

test('samples may be a tensor, an array, or an object with the fields of a tensor', () => {
  const sound = signals.tones(2000);
  const wanted = dimsAndElements(sound, 'whisper');
  const tensor = ops.fromAudio(sound);
  expect(dimsAndElements(tensor, 'whisper')).toEqual(wanted);
  expect(dimsAndElements({ type: 'float32', dims: [2000], data: sound }, 'whisper')).toEqual(wanted);
  // Every second sample of a longer tensor.
  const spread = new Float32Array(4000).map((_, i) => (i % 2 === 0 ? (sound[i / 2] as number) : 7));
  const [strided] = ops.run('Slice', [ops.tensor('float32', spread, [4000]), [0], [4000], [0], [2]]);
  expect(dimsAndElements(strided as Samples, 'whisper')).toEqual(wanted);
});

test('without a logarithm, sums stay as they are, unless a floor is given', () => {
  const quiet = new Float32Array(400).fill(1e-9);
  const options = { sampleRate: 16000, fftLength: 400, hopLength: 160, melBins: 4, center: false, log: null } as const;
  const elements = dimsAndElements(quiet, options).data;
  expect(Math.max(...elements)).toBeLessThan(1e-12);
  expect([...dimsAndElements(new Float32Array(400), options).data]).toEqual([0, 0, 0, 0]);
  expect([...dimsAndElements(quiet, { ...options, floor: 0.5 }).data]).toEqual([0.5, 0.5, 0.5, 0.5]);
});

test('frames first is the transposed spectrogram', () => {
  const sound = signals.noise(2000);
  const { dims, data } = dimsAndElements(sound, 'whisper');
  const turned = dimsAndElements(sound, { ...logMelPresets.whisper, framesFirst: true });
  const [bins, frames] = dims as [number, number];
  expect(turned.dims).toEqual([frames, bins]);
  turned.data.forEach((value, i) => {
    expect(value).toBe(data[(i % bins) * frames + Math.floor(i / bins)]);
  });
});

test('a transform may have any length, odd and prime ones among them', () => {
  const sound = signals.noise(3000);
  for (const fftLength of [1, 2, 3, 17, 34, 221, 367, 442, 734]) {
    const options: LogMelOptions = {
      sampleRate: 8000,
      fftLength,
      hopLength: 700,
      melBins: 5,
      window: 'rectangular',
      norm: null,
      log: null,
      floor: 0,
      padMode: 'constant',
    };
    const { dims, data } = dimsAndElements(sound, options);
    const [bins, frames] = dims as [number, number];
    expect(frames).toBe(1 + Math.floor((3000 + 2 * Math.floor(fftLength / 2) - fftLength) / 700));
    // Powers of one frequency, by its sum.
    const framed = (frame: number, i: number) => sound[frame * 700 - Math.floor(fftLength / 2) + i] ?? 0;
    const powers = Array.from({ length: Math.floor(fftLength / 2) + 1 }, (_, k) => {
      let [re, im] = [0, 0];
      for (let i = 0; i < fftLength; i++) {
        re += framed(1, i) * Math.cos((2 * Math.PI * k * i) / fftLength);
        im += framed(1, i) * Math.sin((2 * Math.PI * k * i) / fftLength);
      }
      return re * re + im * im;
    });
    const mel = (f: number) => (f < 1000 ? (3 * f) / 200 : 15 + (27 * Math.log(f / 1000)) / Math.log(6.4));
    const hertz = (m: number) => (m < 15 ? (m * 200) / 3 : 1000 * Math.exp(((m - 15) * Math.log(6.4)) / 27));
    const corners = Array.from({ length: bins + 2 }, (_, i) => hertz((mel(4000) * i) / (bins + 1)));
    for (let bin = 0; bin < bins && frames > 1; bin++) {
      const [left, center, right] = corners.slice(bin) as [number, number, number];
      const sum = powers.reduce((all, power, k) => {
        const f = (8000 * k) / fftLength;
        return all + power * Math.max(0, Math.min((f - left) / (center - left), (right - f) / (right - center)));
      }, 0);
      expect(Math.abs((data[bin * frames + 1] as number) - sum)).toBeLessThan(1e-5 * sum + 1e-4);
    }
  }
});

test('frames with NaN are NaN, and the others are what they are without', () => {
  const sound = signals.noise(8000);
  const clean = dimsAndElements(sound, 'whisper');
  sound[4000] = Number.NaN;
  const { data } = dimsAndElements(sound, 'whisper');
  const frames = clean.dims[1] as number;
  data.forEach((value, i) => {
    const distanceInSamples = Math.abs((i % frames) * 160 - 4000);
    if (distanceInSamples <= 200) expect(value).toBeNaN();
    else expect(value).toBe(clean.data[i]);
  });
});

test('presets are frozen objects of options', () => {
  for (const [name, preset] of Object.entries(logMelPresets)) {
    expect(Object.isFrozen(preset)).toBe(true);
    expect(dimsAndElements(signals.tones(2000), { ...preset })).toEqual(
      dimsAndElements(signals.tones(2000), name as Preset),
    );
  }
});

// ---- fbank ----

const camelCase: { [name: string]: keyof FbankOptions } = {
  bins: 'melBins',
  snip_edges: 'snipEdges',
  use_energy: 'useEnergy',
  low: 'lowFrequency',
  high: 'highFrequency',
  window: 'window',
};

for (const reference of references.fbank) {
  const { signal, count, options, dims } = reference;
  test(`fbank ${JSON.stringify(options)} of ${signal} agrees with the definition in float64`, () => {
    const named = Object.entries(options).map(([name, value]) => [camelCase[name], value]);
    const tensor = ops.fbank(signals[signal](count), Object.fromEntries(named));
    expect(tensor.dims).toEqual(dims);
    expect(distance(tensor.toArray(), reference)).toBeLessThan(signal === 'tones' ? 2e-3 : 1e-4); // far from tones, float32's noise is as large as the bins
  });
}

test('a sound shorter than a frame has no features with snipped edges, and mirrored ones without', () => {
  expect(ops.fbank(new Float32Array(399)).dims).toEqual([0, 23]);
  expect(ops.fbank(new Float32Array(400)).dims).toEqual([1, 23]);
  expect(ops.fbank(signals.noise(100), { snipEdges: false }).dims).toEqual([1, 23]);
  expect(ops.fbank(new Float32Array(0), { snipEdges: false }).dims).toEqual([0, 23]);
});

test("energies are 1 at least, as torchaudio's default has it, and with energyFloor 0 float32's epsilon at least", () => {
  const quiet = Float32Array.from({ length: 400 }, (_, i) => 0.01 * Math.sin(i / 3));
  const mean = quiet.reduce((sum, x) => sum + x, 0) / 400;
  const own = Math.log(quiet.reduce((sum, x) => sum + (x - mean) ** 2, 0));
  const energy = (sound: Float32Array, options: FbankOptions) =>
    ops.fbank(sound, { useEnergy: true, ...options }).data[0];
  expect(energy(quiet, {})).toBe(0);
  expect(energy(quiet, { rawEnergy: false })).toBe(0);
  expect(energy(quiet, { energyFloor: 0 })).toBeCloseTo(own, 3);
  expect(energy(new Float32Array(400), { energyFloor: 0 })).toBeCloseTo(Math.log(2 ** -23), 5);
  expect(energy(quiet, { sampleScale: 32768 })).toBeCloseTo(own + 2 * Math.log(32768), 3);
});

test('the scale of samples moves logarithms of powers by twice its own', () => {
  const sound = signals.noise(2000);
  const small = ops.fbank(sound).toArray();
  const large = ops.fbank(sound, { sampleScale: 32768 }).toArray();
  small.forEach((value, i) => {
    expect((large[i] as number) - value).toBeCloseTo(2 * Math.log(32768), 4);
  });
});

test('means are subtracted over all frames', () => {
  const [frames, bins] = [23, 23];
  const data = ops.fbank(signals.noise(400 + 160 * 22), { subtractMean: true }).toArray();
  for (let bin = 0; bin < bins; bin++) {
    let sum = 0;
    for (let frame = 0; frame < frames; frame++) sum += data[frame * bins + bin] as number;
    expect(Math.abs(sum)).toBeLessThan(1e-3);
  }
});

// ---- Both ----

test('calls leave the memory as it was', () => {
  const sound = ops.fromAudio(signals.noise(20000));
  const call = () => {
    ops.logMel(sound, 'whisper').dispose();
    ops.logMel(sound, 'openwakeword').dispose();
    ops.fbank(sound).dispose();
  };
  const { liveTensors, bytesInUse } = ops.memory();
  call();
  const after = ops.memory();
  expect([after.liveTensors, after.bytesInUse]).toEqual([liveTensors, bytesInUse]);
  for (let i = 0; i < 300; i++) call();
  expect(ops.memory()).toEqual(after);
});

const sound = new Float32Array(8);
const base = { sampleRate: 16000, fftLength: 400, hopLength: 160, melBins: 80 };
const withOption = (option: object) => (ops: Runtime) => ops.logMel(sound, { ...base, ...option } as LogMelOptions);
const fbankWith = (option: object) => (ops: Runtime) => ops.fbank(sound, option as FbankOptions);
const invalid: { [what: string]: [call: (ops: Runtime) => unknown, ...says: string[]] } = {
  'an unknown preset': [() => ops.logMel(sound, 'wisper' as Preset), 'wisper', 'whisper-128'],
  'no options': [() => ops.logMel(sound, undefined as unknown as Preset), "'sampleRate'"],
  'an option that logMel does not have': [withOption({ nFft: 3 }), "'nFft'"],
  'a window that there is not': [withOption({ window: 'kaiser' }), 'kaiser', 'hann'],
  'a flag that is a number': [withOption({ center: 1 }), "'center' is 1"],
  'a transform of length 0': [withOption({ fftLength: 0 }), "'fftLength' is 0"],
  'a transform of half a length': [withOption({ fftLength: 0.5 }), "'fftLength' is 0.5"],
  'a huge transform': [withOption({ fftLength: 1e9 }), "'fftLength' is 1000000000"],
  'a window longer than the transform': [withOption({ windowLength: 401 }), "'windowLength' is 401"],
  'a hop of 0': [withOption({ hopLength: 0 }), "'hopLength' is 0"],
  'a hop that is NaN': [withOption({ hopLength: Number.NaN }), "'hopLength' is NaN"],
  'a power of 3': [withOption({ power: 3 }), "'power' is 3"],
  'no bins': [withOption({ melBins: 0 }), "'melBins' is 0"],
  'too many bins': [withOption({ melBins: 2 ** 40 }), "'melBins'"],
  'a frequency above the Nyquist frequency': [withOption({ maxFrequency: 8001 }), '8001', '8000'],
  'frequencies in the wrong order': [withOption({ minFrequency: 500, maxFrequency: 500 }), '500'],
  'a negative range': [withOption({ range: -1 }), "'range' is -1"],
  'a scale that is infinite': [withOption({ scale: Number.POSITIVE_INFINITY }), "'scale' is Infinity"],
  'a negative length': [withOption({ length: -1 }), "'length' is -1"],
  'a rate of 0': [withOption({ sampleRate: 0 }), "'sampleRate' is 0"],
  'no samples to reflect': [() => ops.logMel(new Float32Array(0), base), 'no samples'],
  'samples of another type': [
    () => ops.logMel(ops.tensor('float64', [1, 2]) as unknown as Samples, base),
    'logMel',
    'float64',
    'float32',
  ],
  'samples with two axes': [() => ops.logMel(ops.tensor('float32', [[1], [2]]), base), '[2, 1]'],
  'samples that are a list': [() => ops.logMel([1, 2] as unknown as Samples, base), 'logMel: the samples'],
  'an option that fbank does not have': [fbankWith({ bins: 3 }), "'bins'"],
  'a frame of 0 ms': [fbankWith({ frameLength: 0 }), "'frameLength' is 0"],
  'a shift that is NaN': [fbankWith({ frameShift: Number.NaN }), "'frameShift' is NaN"],
  'a frame of an hour': [fbankWith({ frameLength: 3_600_000 }), "'frameLength'"],
  'a high frequency below the low one': [fbankWith({ highFrequency: -7990 }), "'highFrequency'", '-7990'],
  'half a bin': [fbankWith({ melBins: 0.5 }), "'melBins' is 0.5"],
  'a negative energy': [fbankWith({ energyFloor: -1 }), "'energyFloor' is -1"],
};
for (const [what, [call, ...says]] of Object.entries(invalid))
  test(`${what}: refused`, () => {
    const scoped = () => {
      call(ops);
      return undefined;
    };
    expectRefusal(ops, () => ops.scope(scoped), { code: 'INVALID_ARGUMENT', says });
  });
