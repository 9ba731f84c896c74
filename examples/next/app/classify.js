// Two ways from an image file to its answer, { label, score }: in this page, and by the route handler.
import { directionClassifier } from './direction.js';

/** The response, if it is one of success. */
export async function fetched(address, options) {
  const response = await fetch(address, options);
  if (response.ok) return response;
  const isJson = response.headers.get('Content-Type') === 'application/json';
  const why = isJson ? (await response.json()).error : response.statusText;
  throw new Error(`${address}: ${response.status} ${why}`);
}

const classify = directionClassifier(
  async () => new Uint8Array(await (await fetched('/direction.onnx')).arrayBuffer()),
);

export async function classifyInPage(file) {
  const picture = await createImageBitmap(file);
  try {
    return await classify(picture);
  } finally {
    picture.close();
  }
}

export async function classifyOnServer(file) {
  return (await fetched('/api/classify', { method: 'POST', body: file })).json();
}

/** The image, turned by half a circle, as a PNG file. */
export async function turned(file) {
  const picture = await createImageBitmap(file);
  const { width, height } = picture;
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const pen = canvas.getContext('2d');
  pen.translate(width, height);
  pen.rotate(Math.PI);
  pen.drawImage(picture, 0, 0);
  picture.close();
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
}
