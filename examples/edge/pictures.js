// Decodes JPEG and PNG files of strangers. A small file may declare a huge picture, or inflate to gigabytes: sizes are checked first.
import { Buffer } from 'node:buffer';
import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, decode as decodePng } from 'fast-png';
import jpeg from 'jpeg-js';
import { Refusal } from './uploads.js';

/**
 * The most pixels of a picture. The pixels themselves take little memory: decoders leave far more garbage. README.md has the
 * figures.
 */
export const mostPixels = 2 ** 17;

/** Every scan of a progressive JPEG passes over the whole picture. Encoders write about ten. */
const mostScans = 100;

/** Rows of 16 bits and four channels have 8 bytes for a pixel, and one for the filter, which may be a row of one pixel. */
const mostInflated = 10 * mostPixels;

/**
 * The pixels of a file, as `ops.fromImage` takes them.
 *
 * @param type - `image/jpeg` or `image/png`
 * @throws {@link Refusal} 413 for a picture that is too large, 400 for a file that cannot be decoded
 */
export function decodePicture(bytes, type) {
  try {
    return decoders[type](bytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const reason = [error, error.cause].flatMap((one) => one?.message ?? []).join(' ');
    throw new Refusal(400, `the picture cannot be decoded: ${reason}`, { cause: error });
  }
}

/** The media types that `decodePicture` knows. */
export const mediaTypes = ['image/jpeg', 'image/png'];
const decoders = { 'image/jpeg': readJpeg, 'image/png': readPng };

function checkSize(width, height) {
  if (width * height > mostPixels)
    throw new Refusal(413, `the picture has ${width} x ${height} pixels, more than ${mostPixels}`);
}

const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function readJpeg(bytes) {
  checkSize(...jpegSize(bytes));
  const scans = countScans(bytes);
  if (scans > mostScans) throw new Refusal(413, `the JPEG file has ${scans} scans, more than ${mostScans}`);
  return jpeg.decode(bytes, {
    useTArray: true,
    formatAsRGBA: false,
    tolerantDecoding: false, // damage is an error, not a gray area
    maxResolutionInMP: mostPixels / 1e6, // of every frame, if there are several
    maxMemoryUsageInMB: 16, // what jpeg-js counts is less than what it takes
  });
}

/** The width and the height in the first frame header (SOF) of a JPEG file. */
function jpegSize(bytes) {
  const view = viewOf(bytes);
  let at = 2; // after the marker of the start
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1];
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2);
  }
  throw new Refusal(400, 'the picture cannot be decoded: no frame header of a JPEG file');
}

function countScans(bytes) {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === 0xda) scans++;
  return scans;
}

function readPng(bytes) {
  const png = decodePng(checkedPng(bytes), { checkCrc: true });
  const { width, height, depth, data } = png;
  if (depth === 16) return { width, height, data: highBytes(data) };
  const hasPalette = bytes[colorType] === 3;
  if (!hasPalette && depth === 8) return { width, height, data };
  return { width, height, data: convertIndexedToRgb(hasPalette ? png : { ...png, palette: grays(depth) }) };
}

const colorType = 25; // where the header has it

/**
 * The critical chunks and tRNS of a PNG file, which move to its beginning. Text and colour profiles, which may inflate to any size, are
 * left out.
 *
 * @throws {@link Refusal} if the header declares, or the pixels inflate to, more than is allowed
 */
function checkedPng(bytes) {
  const view = viewOf(bytes);
  let size = 8; // the signature
  const keep = (from, to) => {
    bytes.copyWithin(size, from, to);
    size += to - from;
  };
  const pixels = [];
  for (let at = 8, next; at + 12 <= bytes.length; at = next) {
    const start = at + 8;
    next = start + view.getUint32(at) + 4; // behind the checksum
    const end = Math.min(next - 4, bytes.length); // a damaged length may be gigabytes
    const type = String.fromCharCode(...bytes.subarray(at + 4, start));
    if (type === 'IHDR' && start + 8 <= bytes.length) checkSize(view.getUint32(start), view.getUint32(start + 4));
    if (type === 'PLTE' && end - start > 3 * 256) throw new Refusal(400, 'the PNG file has more than 256 colours');
    if (type === 'IDAT') pixels.push(bytes.slice(start, end));
    if (/^[A-Z]/.test(type) || type === 'tRNS') keep(at, Math.min(next, bytes.length));
  }
  if (pixels.length > 0) checkInflation(pixels); // otherwise the decoder says what is wrong
  return bytes.subarray(0, size);
}

/** Inflates no more than is allowed, and keeps nothing. */
function checkInflation(parts) {
  try {
    inflateSync(Buffer.concat(parts), { maxOutputLength: mostInflated });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // workerd gives no code
    throw new Refusal(413, `the PNG file inflates to more than ${mostInflated} bytes`, { cause: error });
  }
}

function highBytes(words) {
  const bytes = new Uint8Array(words.length);
  for (let i = 0; i < words.length; i++) bytes[i] = words[i] >> 8;
  return bytes;
}

/** The palette of a gray picture of 1, 2 or 4 bits. */
function grays(depth) {
  const brightest = 2 ** depth - 1;
  return Array.from({ length: brightest + 1 }, (_, i) => new Array(3).fill((255 * i) / brightest));
}
