// PNG files of every colour type, depth and order of rows are read to the byte; damaged ones are refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from '../../tools/run.mjs';
import { seed } from '../depth.mjs';
import { chunk, pngOf } from '../examples/png.mjs';
import { pngFile } from './png-file.mjs';

const { outputFiles } = await build({
  stdin: {
    contents: "export { decodePng } from './cli/src/png.ts'; export { Failure } from './cli/src/errors.ts'",
    resolveDir: root,
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  alias: { broadloom: './dist/index.js' },
  write: false,
});
const { decodePng, Failure } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);

console.log(`# BROADLOOM_SEED=${seed}`);
let state = seed >>> 0;
/** A whole number below `most`. */
function below(most) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * most);
}

const kinds = [
  ...[1, 2, 4, 8, 16].map((depth) => [0, depth]),
  ...[8, 16].flatMap((depth) => [2, 4, 6].map((colours) => [colours, depth])),
  ...[1, 2, 4, 8].map((depth) => [3, depth]),
];
const names = { 0: 'gray', 2: 'RGB', 3: 'a palette', 4: 'gray and alpha', 6: 'RGBA' };
const counts = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A picture of a kind, and the bytes that its pixels are. */
function picture(colours, depth, isInterlaced, hasTransparency) {
  const [width, height] = [1 + below(19), 1 + below(19)];
  const most = 2 ** depth;
  const samples = Array.from({ length: width * height * counts[colours] }, () => below(most));
  const sample = (x, y, i) => samples[(y * width + x) * counts[colours] + i];
  const palette = Array.from({ length: 3 * most }, () => below(256));
  const clear = samples.slice(0, counts[colours]);
  const alphas = Array.from({ length: Math.min(most, 3) }, () => below(256));
  const extra = [];
  if (colours === 3) extra.push(['PLTE', palette]);
  if (hasTransparency)
    extra.push(['tRNS', colours === 3 ? alphas : clear.flatMap((value) => [value >> 8, value & 255])]);
  const byte = (value) => (depth === 16 ? value >> 8 : Math.round((value * 255) / (most - 1)));
  const wanted = [];
  for (let at = 0; at < samples.length; at += counts[colours]) {
    const pixel = samples.slice(at, at + counts[colours]);
    if (colours === 3) wanted.push(...palette.slice(3 * pixel[0], 3 * pixel[0] + 3));
    else wanted.push(...pixel.map(byte));
    if (hasTransparency)
      wanted.push(colours === 3 ? (alphas[pixel[0]] ?? 255) : pixel.every((value, i) => value === clear[i]) ? 0 : 255);
  }
  return {
    file: pngFile({ width, height, depth, colours, isInterlaced, extra }, sample, () => below(5)),
    width,
    height,
    wanted,
  };
}

for (const [colours, depth] of kinds)
  test(`${names[colours]} of ${depth} bits is read to the byte, interlaced or not, with any filters`, () => {
    for (let round = 0; round < 12; round++) {
      const hasTransparency = round % 4 > 1 && colours !== 4 && colours !== 6;
      const { file, width, height, wanted } = picture(colours, depth, round % 2 === 1, hasTransparency);
      const read = decodePng(file);
      assert.deepEqual([read.width, read.height, read.channels], [width, height, wanted.length / (width * height)]);
      assert.deepEqual([...read.data], wanted);
    }
  });

const sample = (x, y, i) => (31 * x + 7 * y + i) & 255;
const whole = pngFile({ width: 5, height: 4 }, sample, (row) => row);

test('a file that was cut off anywhere is refused', () => {
  for (let length = 0; length < whole.length; length++)
    assert.throws(() => decodePng(whole.subarray(0, length)), Failure);
});

test('damaged files are read or refused, and nothing else', () => {
  for (let round = 0; round < 400; round++) {
    const file = Buffer.from(whole);
    for (let i = below(3); i >= 0; i--) file[below(file.length)] = below(256);
    try {
      assert.equal(decodePng(file).data.length % 20, 0);
    } catch (error) {
      assert.ok(error instanceof Failure, error.stack);
    }
  }
});

const end = chunk('IEND', Buffer.alloc(0));
const pixels = (bytes) => chunk('IDAT', deflateSync(Buffer.from(bytes)));
/** A file with other bytes in its header. */
function withHeader(changes) {
  const file = Buffer.from(whole);
  for (const [at, byte] of changes) file[16 + at] = byte;
  file.set(chunk('IHDR', file.subarray(16, 29)).subarray(-4), 29);
  return file;
}

for (const [what, file, says] of [
  ['no palette', pngFile({ width: 1, height: 1, colours: 3 }, () => 0), 'it has no palette'],
  [
    'a colour that its palette lacks',
    pngFile({ width: 1, height: 1, colours: 3, extra: [['PLTE', [1, 2, 3]]] }, () => 1),
    'a pixel has colour 1, which the palette lacks',
  ],
  ['a filter of another kind', pngOf(1, 1, pixels([5, 0, 0, 0]), end), 'a row has the filter 5'],
  ['fewer pixels than its size says', pngOf(1000, 1000, pixels([0, 1, 2, 3]), end), 'it has 4 of 3001000 bytes'],
  ['a size of gigabytes', pngOf(60000, 60000, pixels([0]), end), '60000 x 60000 pixels are too many'],
  ['more pixels than its size says', pngOf(1, 1, pixels(Array(100_000).fill(0)), end), 'its pixels are damaged'],
  ['no pixels', pngOf(1, 1, end), 'its pixels are damaged'],
  ['a width of 0', pngOf(0, 1, pixels([]), end), 'its size is 0 x 1'],
  ['a colour type of another kind', withHeader([[9, 5]]), 'it has colour type 5 of 8 bits'],
  ['a depth that its colours do not have', withHeader([[8, 4]]), 'it has colour type 2 of 4 bits'],
  ['an order of another kind', withHeader([[12, 2]]), 'it is packed in a way that PNG does not have'],
  ['another head', Buffer.from('\xff\xd8\xff\xe0 a JPEG', 'latin1'), 'it does not begin as one'],
])
  test(`a file with ${what} is refused`, () => {
    assert.throws(
      () => decodePng(file),
      (error) => error instanceof Failure && error.message.includes(says),
    );
  });
