// melPicture and waveformPicture of broadloom/tasks.
import { afterAll, expect, test } from '@jest/globals';
import { load, type Picture } from 'broadloom';
import { melPicture, waveformPicture } from 'broadloom/tasks';
import { counters, expectRefusal } from './helpers/runtime.js';
import { signals } from './helpers/sounds.js';

const ops = await load();
const before = counters(ops);
afterAll(() => expect(counters(ops)).toEqual(before));

const float32 = (dims: number[], data: number[]) => ({ type: 'float32', dims, data }) as const;
const gray = [
  [0, 0, 0],
  [255, 255, 255],
];
/** The first channel, row by row. */
const rowsOf = ({ data, width, height }: Picture, channel = 0) =>
  Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => data[4 * (y * width + x) + channel]),
  );

test('the lowest bin is at the bottom, and colours go from the smallest element to the largest', () => {
  const spectrogram = float32([2, 3], [0, 1, 2, 3, 4, 5]);
  const wanted = [
    [153, 204, 255],
    [0, 51, 102],
  ];
  expect(rowsOf(melPicture(ops, spectrogram, { colors: gray }))).toEqual(wanted);
  const turned = float32([1, 1, 3, 2], [0, 3, 1, 4, 2, 5]);
  expect(rowsOf(melPicture(ops, turned, { colors: gray, framesFirst: true }))).toEqual(wanted);
});

test('the range may be given, and elements outside of it have the outermost colours', () => {
  const spectrogram = float32([1, 4], [-1, 0, 5, 20]);
  expect(rowsOf(melPicture(ops, spectrogram, { colors: gray, minimum: 0, maximum: 10 }))).toEqual([[0, 0, 128, 255]]);
});

test('infinities and NaN do not change the range', () => {
  const { NaN: none, POSITIVE_INFINITY: high, NEGATIVE_INFINITY: low } = Number;
  const drawn = melPicture(ops, float32([1, 5], [low, 0, none, 10, high]), { colors: gray });
  expect(rowsOf(drawn)).toEqual([[0, 0, 0, 255, 255]]);
  expect(rowsOf(melPicture(ops, float32([1, 2], [low, none]), { colors: gray }))).toEqual([[0, 0]]);
  expect(rowsOf(melPicture(ops, float32([1, 2], [7, 7]), { colors: gray }))).toEqual([[0, 0]]);
});

test('the range may be as small or as large as float32 has it, or larger', () => {
  for (const unit of [1e-44, 1e-38, 1e37, 1e38]) {
    const spectrogram = float32([1, 5], [-2 * unit, -unit, 0, unit, 3 * unit]);
    const [row] = rowsOf(melPicture(ops, spectrogram, { colors: gray }));
    // float32 has only seven steps from 0 to 1e-44, so levels are rough.
    const wanted = [0, 51, 102, 153, 255];
    for (const [i, level] of wanted.entries()) expect(Math.abs((row?.[i] as number) - level)).toBeLessThan(5);
  }
  const range = { colors: gray, minimum: -1e300, maximum: 1e300 };
  expect(rowsOf(melPicture(ops, float32([1, 2], [-1, 1]), range))).toEqual([[128, 128]]);
});

test('a tone is a bright line in the spectrogram of Whisper', () => {
  const tone = Float32Array.from({ length: 16000 }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / 16000));
  const mel = ops.logMel(tone, 'whisper');
  const picture = melPicture(ops, mel, { colors: gray });
  expect([picture.width, picture.height]).toEqual([100, 80]);
  const column = rowsOf(picture).map((row) => row[50] as number);
  const brightest = column.indexOf(Math.max(...column));
  // 1000 Hz is at about a third of the mel scale up to 8000 Hz.
  expect(Math.abs(brightest - 54)).toBeLessThan(3);
  mel.dispose();
});

test('each column of a waveform reaches from the smallest of its samples to the largest', () => {
  const samples = Float32Array.of(0, 1, -1, 0.5, 0.5, 0.5, -1, -1, -1);
  const drawn = waveformPicture(ops, samples, { width: 3, height: 5, color: [9, 9, 9] });
  expect(rowsOf(drawn, 3).map((row) => row.map((alpha) => (alpha === 255 ? '#' : '.')).join(''))).toEqual([
    '#..',
    '##.',
    '#..',
    '#..',
    '#.#',
  ]);
});

test('a column has floor(i * n / width) and the samples behind it, however many there are', () => {
  for (const [count, width] of [
    [1000, 7],
    [5, 40],
    [640, 640],
    [1, 3],
  ] as const) {
    const samples = signals.noise(count);
    const height = 64;
    const rows = rowsOf(waveformPicture(ops, samples, { width, height }), 3);
    for (let x = 0; x < width; x++) {
      const from = Math.floor((x * count) / width);
      const part = samples.slice(from, Math.max(from + 1, Math.floor(((x + 1) * count) / width)));
      const rowOf = (value: number) => Math.min(height - 1, Math.max(0, ((1 - value) * (height - 1)) / 2));
      const column = rows.map((row) => row[x] === 255);
      expect(Math.abs(column.indexOf(true) - rowOf(Math.max(...part)))).toBeLessThan(0.51);
      expect(Math.abs(column.lastIndexOf(true) - rowOf(Math.min(...part)))).toBeLessThan(0.51);
    }
  }
});

test('a sound without samples has no curve, and tensors of the runtime are taken', () => {
  expect(new Set(waveformPicture(ops, new Float32Array(0), { width: 4, height: 3 }).data)).toEqual(new Set([0]));
  const tensor = ops.fromAudio(Float32Array.of(0.5, -0.5));
  expect(waveformPicture(ops, tensor)).toEqual(waveformPicture(ops, Float32Array.of(0.5, -0.5)));
  tensor.dispose();
});

test('faults are errors with the values, and leave nothing in memory', () => {
  const refused = (work: () => unknown, ...says: string[]) =>
    expectRefusal(ops, work, { code: 'INVALID_ARGUMENT', says });
  refused(() => melPicture(ops, float32([2], [1, 2])), 'melPicture: ', 'dims [2]');
  refused(() => melPicture(ops, float32([2, 1, 1], [1, 2])), 'dims [2,1,1]');
  refused(() => melPicture(ops, float32([1, 1], [1]), { colors: [[0, 0, 0]] }), 'at least 2 colors');
  for (const length of [5, 2 ** 32 - 1])
    refused(() => melPicture(ops, float32([1, 1], [1]), { colors: new Array(length) }), 'color 0 is undefined');
  refused(() => melPicture(ops, float32([1, 1], [1]), { minimum: Number.NaN }), 'minimum is NaN');
  const samples = new Float32Array(4);
  refused(() => waveformPicture(ops, samples, { width: 0 }), 'waveformPicture: ', 'width is 0');
  refused(() => waveformPicture(ops, samples, { height: 1e9 }), 'height is 1000000000');
  refused(() => waveformPicture(ops, samples, { maximum: 0 }), 'maximum is 0');
  refused(
    () => waveformPicture(ops, samples, { maximum: 1e300 }),
    'waveformPicture: maximum is 1e+300',
    'at most 1e+30',
  );
  refused(() => waveformPicture(ops, float32([2, 2], [1, 2, 3, 4])), 'dims [2,2]');
  refused(() => waveformPicture(ops, [1, 2] as never), 'wanted a tensor');
});
