// The pixels of an image file.
import { convertIndexedToRgb, decode as decodePng, hasPngSignature } from 'fast-png';
import jpeg from 'jpeg-js';

/** More pixels than this are refused before they are decoded: the file may be a stranger's. */
const mostPixels = 2 ** 22;

/**
 * The pixels of a PNG or JPEG file, as `ops.fromImage` takes them.
 *
 * @throws Error for other files, damaged ones and too large ones
 */
export function decode(bytes) {
  if (hasPngSignature(bytes)) return fromPng(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) {
    const limits = { maxResolutionInMP: mostPixels / 1e6, maxMemoryUsageInMB: 512 };
    // Not tolerant: the missing part of a file that is cut off would be gray.
    return jpeg.decode(bytes, { useTArray: true, formatAsRGBA: false, tolerantDecoding: false, ...limits });
  }
  throw new Error('not an image: neither a PNG nor a JPEG file');
}

function fromPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The first chunk has the sizes, behind the signature, its length and its type.
  if (bytes.length < 24) throw new Error('the PNG file is cut off');
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width * height > mostPixels)
    throw new Error(`the image has ${width} x ${height} pixels, more than ${mostPixels}`);
  const png = decodePng(bytes);
  if (png.palette) return { data: convertIndexedToRgb(png), width, height };
  if (png.depth === 8) return { data: png.data, width, height };
  if (png.depth === 16) return { data: Uint8Array.from(png.data, (value) => value >> 8), width, height };
  throw new Error(`a PNG file of ${png.depth} bits without a palette: wanted 8 or 16`);
}
