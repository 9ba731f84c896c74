import { openReader } from './example/public/open.js';
import { checkTexts } from './texts.js';

/** The photograph, turned by half a circle. */
function onItsHead(photograph) {
  const { width, height } = photograph;
  const canvas = new OffscreenCanvas(width, height);
  const pen = canvas.getContext('2d');
  pen.translate(width, height);
  pen.rotate(Math.PI);
  pen.drawImage(photograph, 0, 0);
  return canvas;
}

async function run() {
  const photograph = await createImageBitmap(await (await fetch('photograph.jpg')).blob());
  for (const library of ['broadloom', 'onnxruntime-web']) {
    const read = await openReader(library);
    const lines = await read(photograph);
    checkTexts(
      lines.map(({ text }) => text),
      library,
    );
    if (library !== 'broadloom') continue;
    const turned = await read(onItsHead(photograph));
    checkTexts(turned.map(({ text }) => text).reverse(), 'a photograph on its head');
  }
  return 'runs';
}

globalThis.result = run();
