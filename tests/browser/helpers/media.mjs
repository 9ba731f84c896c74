// Small pictures and sounds as files.
import { crc32, deflateSync } from 'node:zlib';

function chunk(type, content) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A .png file; `colourAt(x, y)` gives red, green and blue. */
export function png(width, height, colourAt) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8); // eight bits of each colour
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => colourAt(x, y)),
  ]);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat(2)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A .wav file of 16 bits; each channel is a list of samples from -1 to 1. */
export function wav(rate, channels) {
  const count = channels[0].length;
  const frame = 2 * channels.length;
  const file = Buffer.alloc(44 + count * frame);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20); // plain numbers
  file.writeUInt16LE(channels.length, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * frame, 28);
  file.writeUInt16LE(frame, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(count * frame, 40);
  for (const [c, samples] of channels.entries())
    for (const [i, sample] of samples.entries()) file.writeInt16LE(Math.round(sample * 32767), 44 + i * frame + 2 * c);
  return file;
}
