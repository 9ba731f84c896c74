// PNG files as pixels of 8 bits: all colour types, depths and both orders of rows.
import { inflateSync } from 'node:zlib';
import { Failure } from './errors.js';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Bytes of a pixel: gray, gray and alpha, RGB or RGBA. */
  readonly channels: number;
  readonly data: Uint8Array;
}

interface Header {
  readonly width: number;
  readonly height: number;
  /** Bits of a sample. */
  readonly depth: number;
  readonly colours: number;
  readonly isInterlaced: boolean;
}

interface Parts {
  readonly header: Header;
  readonly palette: Uint8Array | undefined;
  readonly transparency: Uint8Array | undefined;
  /** The bytes of the chunks IDAT, one after the other. */
  readonly packed: Uint8Array;
}

/** Samples of a pixel and allowed depths, by the number of the colour type. */
const colourTypes: { readonly [type: number]: readonly [samples: number, depths: readonly number[]] } = {
  0: [1, [1, 2, 4, 8, 16]],
  2: [3, [8, 16]],
  3: [1, [1, 2, 4, 8]],
  4: [2, [8, 16]],
  6: [4, [8, 16]],
};
const [gray, rgb, indexed] = [0, 2, 3];

/** First column, first row, and the steps of both, of each pass. */
type Pass = readonly [x: number, y: number, dx: number, dy: number];
const onePass: readonly Pass[] = [[0, 0, 1, 1]];
const adam7: readonly Pass[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];
const mostBytes = 2 ** 31;
/** Bytes after the pixels that are left out, as libpng does. */
const mostExcess = 2 ** 16;

const broken = (what: string): Failure => new Failure(`this is no PNG file that can be read: ${what}`);

/** @throws Failure for what is no PNG file, or a damaged one */
export function decodePng(file: Uint8Array): Picture {
  const parts = readParts(file);
  const { width, height, colours } = parts.header;
  const samples = colourTypes[colours]?.[0] ?? 1;
  const hasAlpha = parts.transparency !== undefined;
  const channels = (colours === indexed ? 3 : samples) + (hasAlpha ? 1 : 0);
  const rows = unpacked(parts);
  const data = new Uint8Array(width * height * channels);
  let at = 0;
  for (const [x0, y0, dx, dy] of passesOf(parts.header)) {
    const { columns, lines, rowBytes, pixelBytes } = sizesOf(parts.header, [x0, y0, dx, dy]);
    let above: Uint8Array = new Uint8Array(rowBytes);
    for (let line = 0; line < lines; line++, at += 1 + rowBytes) {
      const row = rows.subarray(at + 1, at + 1 + rowBytes);
      unfilter(rows[at] as number, row, above, pixelBytes);
      above = row;
      const first = (y0 + line * dy) * width + x0;
      for (let column = 0; column < columns; column++)
        writePixel(parts, row, column, data, (first + column * dx) * channels);
    }
  }
  return { width, height, channels, data };
}

function crcOf(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return ~crc >>> 0;
}

function readParts(file: Uint8Array): Parts {
  if (String.fromCharCode(...file.subarray(0, 8)) !== '\x89PNG\r\n\x1a\n') throw broken('it does not begin as one');
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const found = new Map<string, Uint8Array>();
  const pixels: Uint8Array[] = [];
  for (let at = 8; !found.has('IEND'); ) {
    const size = at + 12 <= file.length ? view.getUint32(at) : Infinity;
    if (at + 12 + size > file.length) throw broken('it was cut off');
    const name = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const data = file.subarray(at + 8, at + 8 + size);
    // The pixels have a sum of their own.
    if (name === 'IDAT') pixels.push(data);
    else if (/^(IHDR|PLTE|tRNS|IEND)$/.test(name)) {
      if (crcOf(file.subarray(at + 4, at + 8 + size)) !== view.getUint32(at + 8 + size))
        throw broken(`its chunk ${name} is damaged`);
      found.set(name, data);
    }
    at += 12 + size;
  }
  const header = readHeader(found.get('IHDR'));
  const palette = found.get('PLTE');
  if (header.colours === indexed && palette === undefined) throw broken('it has no palette');
  const canHaveTransparency = [gray, rgb, indexed].includes(header.colours);
  const transparency = canHaveTransparency ? found.get('tRNS') : undefined;
  return { header, palette, transparency, packed: joined(pixels) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function readHeader(data: Uint8Array | undefined): Header {
  if (data?.length !== 13) throw broken('it has no header');
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth = 0, colours = 0, packing, filters, order = 0] = data.subarray(8);
  if (width === 0 || height === 0) throw broken(`its size is ${width} x ${height}`);
  if (!colourTypes[colours]?.[1].includes(depth)) throw broken(`it has colour type ${colours} of ${depth} bits`);
  if (packing !== 0 || filters !== 0 || order > 1) throw broken('it is packed in a way that PNG does not have');
  return { width, height, depth, colours, isInterlaced: order === 1 };
}

const passesOf = ({ isInterlaced }: Header): readonly Pass[] => (isInterlaced ? adam7 : onePass);

/** Pixels and bytes of the rows of a pass; no rows where it has no columns. */
function sizesOf({ width, height, depth, colours }: Header, [x, y, dx, dy]: Pass) {
  const columns = Math.ceil((width - x) / dx);
  const bits = depth * (colourTypes[colours]?.[0] ?? 1);
  return {
    columns,
    lines: columns > 0 ? Math.max(Math.ceil((height - y) / dy), 0) : 0,
    rowBytes: Math.ceil((columns * bits) / 8),
    pixelBytes: Math.max(bits / 8, 1),
  };
}

/** The rows of all passes, each with its filter before it. */
function unpacked({ header, packed }: Parts): Uint8Array {
  const size = passesOf(header)
    .map((pass) => sizesOf(header, pass))
    .reduce((sum, { lines, rowBytes }) => sum + lines * (1 + rowBytes), 0);
  if (size > mostBytes) throw broken(`${header.width} x ${header.height} pixels are too many`);
  let rows: Uint8Array;
  try {
    rows = inflateSync(packed, { maxOutputLength: size + mostExcess });
  } catch (error) {
    throw broken(`its pixels are damaged (${(error as Error).message})`);
  }
  if (rows.length >= size) return rows.subarray(0, size);
  throw broken(`it has ${rows.length} of ${size} bytes of pixels`);
}

/** Turns differences into bytes: to the left, above, the mean of both, or what Paeth predicts. */
function unfilter(filter: number, row: Uint8Array, above: Uint8Array, pixelBytes: number): void {
  if (filter > 4) throw broken(`a row has the filter ${filter}`);
  if (filter === 0) return;
  for (let i = 0; i < row.length; i++) {
    const left = i < pixelBytes ? 0 : (row[i - pixelBytes] as number);
    const up = above[i] as number;
    const corner = i < pixelBytes ? 0 : (above[i - pixelBytes] as number);
    const guess = filter === 1 ? left : filter === 2 ? up : filter === 3 ? (left + up) >> 1 : paeth(left, up, corner);
    row[i] = (row[i] as number) + guess;
  }
}

/** The one of the three that is nearest to left + up - corner. */
function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

function writePixel(
  { header, palette, transparency }: Parts,
  row: Uint8Array,
  column: number,
  data: Uint8Array,
  to: number,
) {
  const { depth, colours } = header;
  const samples = colourTypes[colours]?.[0] ?? 1;
  const sample = (i: number) => sampleAt(row, column * samples + i, depth);
  if (colours === indexed) {
    const index = sample(0);
    if (3 * index + 3 > (palette as Uint8Array).length)
      throw broken(`a pixel has colour ${index}, which the palette lacks`);
    data.set((palette as Uint8Array).subarray(3 * index, 3 * index + 3), to);
    if (transparency) data[to + 3] = transparency[index] ?? 255;
    return;
  }
  for (let i = 0; i < samples; i++)
    data[to + i] = depth === 16 ? sample(i) >> 8 : depth === 8 ? sample(i) : (sample(i) * 255) / (2 ** depth - 1);
  if (!transparency) return;
  // One colour is transparent.
  const isClear = Array.from({ length: samples }, (_, i) => sample(i)).every(
    (value, i) => value === sampleAt(transparency, i, 16),
  );
  data[to + samples] = isClear ? 0 : 255;
}

/** A sample of a row. Samples of 1, 2 or 4 bits begin with the upper bits of a byte. */
function sampleAt(row: Uint8Array, i: number, depth: number): number {
  if (depth === 8) return row[i] as number;
  if (depth === 16) return ((row[2 * i] as number) << 8) | (row[2 * i + 1] as number);
  const bit = i * depth;
  return ((row[bit >> 3] as number) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}
