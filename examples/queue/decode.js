// The pixels of an image file. The file may be a stranger's: a small one may declare a huge image, or inflate to gigabytes, so
// all is checked before anything is decoded.
import { inflateSync } from 'node:zlib';
import { convertIndexedToRgb, decode as decodePng, hasPngSignature } from 'fast-png';
import jpeg from 'jpeg-js';

const mostPixels = 2 ** 22;

/** How many times its height a picture may be wide, and its width high. A model's input grows with a line's proportions. */
export const mostProportion = 40;

/** Every scan of a progressive JPEG passes over the whole image. Encoders write about ten. */
const mostScans = 20;

/** Rows of 16 bits and four channels have 8 bytes for a pixel, and one for the filter, which may be a row of one pixel. */
const mostInflated = 10 * mostPixels;

/** sharp decodes in a thread of its own, jpeg-js on the event loop. */
export const jpegDecoders = {
  'jpeg-js': (bytes) => {
    // Not tolerant: the missing part of a file that is cut off would be gray.
    const options = { useTArray: true, formatAsRGBA: false, tolerantDecoding: false };
    return jpeg.decode(bytes, { ...options, maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 512 });
  },
};
const sharp = await import('sharp').then(
  (module) => module.default,
  () => undefined, // It is optional.
);
if (sharp) {
  // Every picture is decoded once: a cache would only hold memory. And there is a worker for each processor.
  sharp.cache(false);
  sharp.concurrency(1);
  jpegDecoders.sharp = async (bytes) => {
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'truncated' })
      .toColourspace('srgb')
      .removeAlpha();
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  };
}

/**
 * The pixels of a PNG or JPEG file, as `ops.fromImage` takes them.
 *
 * @param decodeJpeg - one of `jpegDecoders`. Default: sharp, where it is installed
 * @throws Error for other files, damaged ones and too large ones
 */
export async function decode(bytes, decodeJpeg = jpegDecoders.sharp ?? jpegDecoders['jpeg-js']) {
  if (hasPngSignature(bytes)) return fromPng(bytes);
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) throw new Error('not an image: neither a PNG nor a JPEG file');
  checkJpeg(bytes);
  return decodeJpeg(bytes);
}

/** Segments of a JPEG file that begin with the size: SOF0 to SOF15, without DHT, JPG and DAC, which lie between them. */
const isFrame = (marker) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function checkJpeg(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; at += 2 + view.getUint16(at + 2)) {
    while (bytes[at + 1] === 0xff) at++; // Any number of these bytes may precede a marker.
    if (at + 9 > bytes.length) break;
    if (isFrame(bytes[at + 1])) checkSize(view.getUint16(at + 7), view.getUint16(at + 5));
    if (bytes[at + 1] === 0xda) break; // Compressed data, in which no segment can be found by its length.
  }
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === 0xda) scans++;
  if (scans > mostScans) throw new Error(`the JPEG file has ${scans} scans, more than ${mostScans}`);
}

function fromPng(bytes) {
  const png = decodePng(checkedPng(bytes));
  const { width, height, depth } = png;
  if (bytes[colorType] === 3) return { data: convertIndexedToRgb(png), width, height };
  if (depth === 8) return { data: png.data, width, height };
  if (depth === 16) return { data: Uint8Array.from(png.data, (value) => value >> 8), width, height };
  throw new Error(`a PNG file of ${depth} bits without a palette: wanted 8 or 16`);
}

const colorType = 25; // where the header has it

/**
 * The critical chunks and tRNS of a PNG file. Text and colour profiles, which may inflate to any size, are left out.
 *
 * @throws Error if the file declares, or inflates to, more than is allowed
 */
function checkedPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept = [bytes.subarray(0, 8)];
  const deflated = [];
  for (let at = 8, next; at + 12 <= bytes.length; at = next) {
    const [start, end] = [at + 8, at + 8 + view.getUint32(at)];
    next = end + 4; // behind the checksum
    const type = String.fromCharCode(...bytes.subarray(at + 4, start));
    if (type === 'IHDR' && start + 8 <= bytes.length) checkSize(view.getUint32(start), view.getUint32(start + 4));
    if (type === 'IDAT') deflated.push(bytes.subarray(start, end));
    if (/^[A-Z]/.test(type) || type === 'tRNS') kept.push(bytes.subarray(at, next));
  }
  try {
    inflateSync(Buffer.concat(deflated), { maxOutputLength: mostInflated });
  } catch (error) {
    if (error.code !== 'ERR_BUFFER_TOO_LARGE') throw new Error(`the PNG file is damaged: ${error.message}`);
    throw new Error(`the PNG file inflates to more than ${mostInflated} bytes`);
  }
  return Buffer.concat(kept);
}

function checkSize(width, height) {
  if (width * height > mostPixels)
    throw new Error(`the image has ${width} x ${height} pixels, more than ${mostPixels}`);
  if (Math.max(width, height) > mostProportion * Math.min(width, height))
    throw new Error(
      `the image has ${width} x ${height} pixels: one side is more than ${mostProportion} times the other`,
    );
}
