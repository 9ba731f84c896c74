// A page with onnxruntime-common and broadloom/onnxruntime side by side, and images for both.
import { join } from 'node:path';
import { root } from '../../tools/run.mjs';
import { launch, patience } from '../browser/helpers/browsers.mjs';
import { serve } from '../browser/helpers/server.mjs';
import { pageScript } from './bundle.mjs';

/** Runs in the page. */
const script = `
  import * as original from 'onnxruntime-common';
  import * as broadloom from ${JSON.stringify(join(root, 'dist/onnxruntime.js'))};
  const libraries = { original, broadloom };

  const [width, height] = [7, 5];
  let state = 1;
  const random = () => ((state = (Math.imul(state, 1664525) + 1013904223) | 0) >>> 24);
  const pixels = (alpha) =>
    new ImageData(Uint8ClampedArray.from({ length: 4 * width * height }, (_, i) => (i % 4 === 3 ? alpha() : random())), width, height);
  const canvasOf = (image) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
    const pen = canvas.getContext('2d');
    if (image instanceof ImageData) pen.putImageData(image, 0, 0);
    else pen.drawImage(image, 0, 0);
    return canvas;
  };
  const elementOf = async (address) => {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    return image;
  };

  async function images() {
    const opaque = pixels(() => 255);
    const address = canvasOf(opaque).toDataURL();
    return {
      ImageData: opaque,
      'a transparent ImageData': pixels(random),
      ImageBitmap: await createImageBitmap(opaque),
      'a data URL': address,
      'an element': await elementOf(address),
      'an element that is small on the page': Object.assign(await elementOf(address), { width: 3, height: 2 }),
      'an SVG': 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>',
      'a canvas': canvasOf(opaque),
      'an address without an image': '/nothing.png',
    };
  }
  const made = images();

  const outcome = (work) =>
    Promise.resolve().then(work).catch((error) => ({ error: String(error?.name), message: String(error?.message) }));

  const described = ({ type, dims, size, data }) => ({ type, dims, size, array: data.constructor.name, data: [...data] });
  const shown = ({ width, height, data }) => ({ width, height, data: [...data] });

  window.fromImage = async (library, image, options) => {
    const { [image]: one } = await made;
    return outcome(async () => described(await libraries[library].Tensor.fromImage(one, options)));
  };
  window.toImageData = (library, { type, data, dims }, options) =>
    outcome(() => {
      const picture = new libraries[library].Tensor(type, data, dims).toImageData(options);
      if (!(picture instanceof ImageData)) throw new Error('it is no ImageData');
      return shown(picture);
    });
  window.toDataURL = (library, { type, data, dims }, options) =>
    outcome(async () => {
      const image = await elementOf(new libraries[library].Tensor(type, data, dims).toDataURL(options));
      return shown(canvasOf(image).getContext('2d').getImageData(0, 0, image.width, image.height));
    });
  const failed = (address) => new Promise((resolve) => Object.assign(new Image(), { src: address, onerror: resolve }));
  /** Whether a tensor of an address without an image is refused before later images of that address have failed. */
  window.refuses = async (library) => {
    let isRefused = false;
    libraries[library].Tensor.fromImage('/nothing.png').catch(() => { isRefused = true; });
    for (let images = 0; images < 10; images++) await failed('/nothing.png');
    return isRefused;
  };
  window.ready = made.then(() => libraries.broadloom.Tensor.fromImage(pixels(random))).then(() => true);
`;

/** Opens the page. Its functions resolve to a description of what the library makes, or to the error. */
export async function openImages(browserName) {
  const { browser, close: closeBrowser } = await launch(browserName);
  const page =
    '<!doctype html><meta charset="utf-8"><title>images</title><script type="module" src="/page.js"></script>';
  const server = await serve(join(root, 'dist'), {
    pages: { 'index.html': page, 'page.js': Buffer.from(await pageScript(script)) },
  });
  const close = async () => {
    await closeBrowser();
    await server.close();
  };
  try {
    const tab = await browser.newPage();
    tab.setDefaultTimeout(patience);
    await tab.goto(server.address);
    await tab.waitForFunction(() => window.ready);
    const call =
      (name) =>
      (library, ...rest) =>
        tab.evaluate((name, library, rest) => window[name](library, ...rest), name, library, rest);
    const names = ['fromImage', 'toImageData', 'toDataURL', 'refuses'];
    return { close, ...Object.fromEntries(names.map((name) => [name, call(name)])) };
  } catch (error) {
    await close();
    throw error;
  }
}
