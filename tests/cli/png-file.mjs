// Writes PNG files of every kind, for tests of what reads them.
import { deflateSync } from 'node:zlib';
import { chunk } from '../examples/png.mjs';

const samplesOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/** The samples of a row as bytes, the first one in the upper bits. */
function packed(samples, depth) {
  const row = Buffer.alloc(Math.ceil((samples.length * depth) / 8));
  for (const [i, sample] of samples.entries()) {
    if (depth === 16) row.writeUInt16BE(sample, 2 * i);
    else row[(i * depth) >> 3] |= sample << (8 - depth - ((i * depth) & 7));
  }
  return row;
}

function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function filtered(filter, row, above, step) {
  const guess = [() => 0, (left) => left, (_, up) => up, (left, up) => Math.floor((left + up) / 2), paeth][filter];
  const bytes = row.map((byte, i) => byte - guess(row[i - step] ?? 0, above[i] ?? 0, above[i - step] ?? 0));
  return Buffer.from([filter, ...bytes]);
}

/**
 * A PNG file.
 *
 * @param sample - the value of sample `i` of the pixel at a column and a row
 * @param filter - the filter of a row, counted over all passes
 */
export function pngFile(
  { width, height, depth = 8, colours = 2, isInterlaced = false, extra = [] },
  sample,
  filter = () => 0,
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colours, 0, 0, isInterlaced ? 1 : 0], 8);
  const count = samplesOf[colours];
  const step = Math.max(1, (count * depth) / 8);
  const rows = [];
  for (const [x0, y0, dx, dy] of isInterlaced ? passes : [[0, 0, 1, 1]]) {
    let above = Buffer.alloc(0);
    for (let y = y0; x0 < width && y < height; y += dy) {
      const samples = [];
      for (let x = x0; x < width; x += dx) for (let i = 0; i < count; i++) samples.push(sample(x, y, i));
      const row = packed(samples, depth);
      rows.push(filtered(filter(rows.length), row, above, step));
      above = row;
    }
  }
  const pixels = deflateSync(Buffer.concat(rows));
  const half = pixels.length >> 1;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Comment\0of no interest')),
    ...extra.map(([name, bytes]) => chunk(name, Buffer.from(bytes))),
    chunk('IDAT', pixels.subarray(0, half)),
    chunk('IDAT', pixels.subarray(half)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
