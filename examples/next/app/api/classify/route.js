// POST /api/classify: an image file as the body -> { label, score } as JSON, or { error } with a status that tells whose fault it is.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { directionClassifier } from '../../direction.js';

const formats = ['jpeg', 'png', 'webp'];
const types = formats.map((format) => `image/${format}`);
const maximumBytes = 8 * 2 ** 20;
const maximumPixels = 16e6;

const classify = directionClassifier(() => readFile(join(process.cwd(), 'public/direction.onnx')));

/** A fault of the request. */
class RequestError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The body. Reads no more than is allowed, whatever length the header tells. */
async function bytesOf({ body, headers }) {
  const tooLarge = new RequestError(413, `The file is larger than ${maximumBytes} bytes.`);
  if (Number(headers.get('Content-Length')) > maximumBytes) throw tooLarge;
  const chunks = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maximumBytes) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The pixels as a browser shows them: turned as the file's EXIF data tells, in sRGB. */
async function pictureOf(bytes) {
  try {
    const image = sharp(bytes, { limitInputPixels: false });
    const { format, width, height } = await image.metadata();
    if (!formats.includes(format)) throw new RequestError(415, `The file is ${format}, wanted ${formats.join(', ')}.`);
    if (width * height > maximumPixels)
      throw new RequestError(413, `The image is ${width} x ${height}, wanted ${maximumPixels} pixels at most.`);
    const pixels = image.autoOrient().toColourspace('srgb').ensureAlpha().raw();
    const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError(400, `The image cannot be decoded: ${error.message}`);
  }
}

export async function POST(request) {
  try {
    const type = (request.headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase();
    if (!types.includes(type)) throw new RequestError(415, `The type is '${type}', wanted ${types.join(', ')}.`);
    return Response.json(await classify(await pictureOf(await bytesOf(request))));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return Response.json({ error: error.message }, { status: error.status });
  }
}
