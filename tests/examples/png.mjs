// PNG files that are written chunk by chunk, wrong ones, too.
import { crc32 } from 'node:zlib';

/** A chunk of a PNG file. */
export function chunk(type, data) {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, -4)), bytes.length - 4);
  return bytes;
}

/** The header of a PNG file of this size, with three channels of 8 bits. */
export function headerOf(width, height) {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0]);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  return chunk('IHDR', header);
}

/** A PNG file that declares a size and has these chunks. */
export const pngOf = (width, height, ...chunks) =>
  Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), headerOf(width, height), ...chunks]);
