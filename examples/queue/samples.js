// Jobs for the tests: images of two kinds and rows, in many variants.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encode } from 'fast-png';
import { decode } from './decode.js';

/** `count` images of a line of text, upright and on its head, JPEG and PNG, each with other pixels. */
export async function sampleImages(count) {
  const files = await Promise.all(
    ['upright.jpg', 'turned.jpg'].map((name) => readFile(join(import.meta.dirname, name))),
  );
  const pictures = await Promise.all(files.map((file) => decode(file)));
  return Array.from({ length: count }, (_, i) => {
    if (i < files.length) return files[i];
    const { data, width, height } = pictures[i % files.length];
    // A little darker each time.
    return encode({ data: data.map((byte) => byte - (byte * i) / (2 * count)), width, height, channels: 3, depth: 8 });
  });
}

/** Rows of four measurements. */
export const sampleRows = (count) =>
  Array.from({ length: count }, (_, i) => [4 + (i % 40) / 10, 2 + (i % 24) / 10, 1 + (i % 59) / 10, (i % 25) / 10]);
