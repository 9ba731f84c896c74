// POST /api/classify: an image file as the body -> { label, score } as JSON, or { error } with a status that tells whose fault it is.
import sharp from 'sharp';
import { server } from '../../server.js';
import { traced } from '../../telemetry.js';
import { headersOf, Refusal } from '../../uploads.js';

const formats = ['jpeg', 'png', 'webp'];
const types = formats.map((format) => `image/${format}`);
const maximumPixels = 16e6;

/** Every scan of a progressive JPEG passes over the whole picture. Encoders write about ten. */
const maximumScans = 100;

function checkScans(bytes) {
  let scans = 0;
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) if (bytes[at + 1] === 0xda) scans++;
  if (scans > maximumScans) throw new Refusal(413, `The file has ${scans} scans, wanted ${maximumScans} at most.`);
}

/** The pixels as a browser shows them: turned as the file's EXIF data tells, in sRGB. */
async function pictureOf(bytes) {
  try {
    const image = sharp(bytes, { limitInputPixels: false });
    const { format, width, height } = await image.metadata();
    if (!formats.includes(format)) throw new Refusal(415, `The file is ${format}, wanted ${formats.join(', ')}.`);
    if (format === 'jpeg') checkScans(bytes);
    if (width * height > maximumPixels)
      throw new Refusal(413, `The image is ${width} x ${height}, wanted ${maximumPixels} pixels at most.`);
    const pixels = image.autoOrient().toColourspace('srgb').ensureAlpha().raw();
    const { data, info } = await pixels.toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, `The image cannot be decoded: ${error.message}`);
  }
}

export const POST = (request) => traced(request, '/api/classify', answer);

async function answer(request) {
  try {
    const type = (request.headers.get('Content-Type') ?? '').split(';')[0].trim().toLowerCase();
    if (!types.includes(type)) throw new Refusal(415, `The type is '${type}', wanted ${types.join(', ')}.`);
    const classify = (bytes) => server.inTurn(async () => server.classify(await pictureOf(bytes)));
    return Response.json(await server.uploads.read(request, classify));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ error: error.message }, { status: error.status, headers: headersOf[error.status] });
  }
}
