// The sources of images that only browsers have, in pages and in workers: all give the same elements as their pixels.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { browserNames, launch } from './helpers/browsers.mjs';

const read = (file) => readFile(new URL(`../../dist/${file}`, import.meta.url));
const files = {
  '/': ['text/html', '<!doctype html><title>Images</title>'],
  '/error.js': ['text/javascript', await read('error.js')],
  '/index.js': ['text/javascript', await read('index.js')],
  '/broadloom.wasm': ['application/wasm', await read('broadloom.wasm')],
  '/picture.svg': [
    'image/svg+xml',
    '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>',
  ],
  '/worker.js': [
    'text/javascript',
    `import { load } from '/index.js';
    onmessage = async ({ data: bitmap }) => {
      const ops = await load();
      postMessage([...ops.fromImage(bitmap, { resize: [5, 6] }).data]);
    };`,
  ],
};

function serve() {
  const server = createServer((request, response) => {
    const [type, body] = files[request.url] ?? ['text/plain', ''];
    response.writeHead(body === '' ? 404 : 200, { 'Content-Type': type }).end(body);
  });
  return new Promise((listening) => server.listen(0, '127.0.0.1', () => listening(server)));
}
const addressOf = (server) => `http://127.0.0.1:${server.address().port}`;
const [server, otherServer] = [await serve(), await serve()];
const launched = new Map(browserNames.map((name) => [name, launch(name)]));
after(async () => {
  for (const { close } of await Promise.all(launched.values())) await close();
  for (const one of [server, otherServer]) {
    one.closeAllConnections();
    one.close();
  }
});

/** Runs a function in a page, with `made`: an image of random opaque pixels, as ImageData and on a canvas. */
async function inPage(t, name, work, ...more) {
  const { browser } = await launched.get(name);
  const context = await browser.createBrowserContext();
  t.after(() => context.close());
  const tab = await context.newPage();
  await tab.goto(addressOf(server));
  await tab.evaluate(async () => {
    const { load, OnnxError } = await import('/index.js');
    const ops = await load();
    const made = new ImageData(12, 10);
    for (let i = 0; i < made.data.length; i++) made.data[i] = i % 4 === 3 ? 255 : (i * 7919) % 256;
    const canvas = document.createElement('canvas');
    Object.assign(canvas, { width: 12, height: 10 }).getContext('2d').putImageData(made, 0, 0);
    const options = { resize: [5, 6] };
    const elements = (image) => ops.scope(() => [...ops.fromImage(image, options).data]);
    const refusal = async (call) => {
      try {
        await call();
      } catch (error) {
        return error instanceof OnnxError ? error.message : `not an OnnxError: ${error}`;
      }
      return 'nothing was thrown';
    };
    Object.assign(globalThis, { ops, made, canvas, options, elements, refusal });
  });
  return tab.evaluate(work, ...more);
}

for (const name of browserNames) {
  test(`${name}: ImageData, canvases, bitmaps, pictures and frames give the same elements`, async (t) => {
    const found = await inPage(t, name, async () => {
      const { made, canvas, elements } = globalThis;
      const offscreen = new OffscreenCanvas(12, 10);
      offscreen.getContext('2d').drawImage(canvas, 0, 0);
      const picture = new Image();
      picture.src = canvas.toDataURL('image/png');
      await picture.decode();
      const frame = document.createElement('iframe');
      document.body.append(frame);
      const other = frame.contentDocument.createElement('canvas');
      Object.assign(other, { width: 12, height: 10 }).getContext('2d').drawImage(canvas, 0, 0);
      const sources = { canvas, offscreen, picture, other, bitmap: await createImageBitmap(canvas) };
      if (typeof VideoFrame === 'function') sources.frame = new VideoFrame(canvas, { timestamp: 0 });
      const wanted = elements(made).join();
      return Object.entries(sources)
        .filter(([, image]) => elements(image).join() !== wanted)
        .map(([source]) => source);
    });
    assert.deepEqual(found, []);
  });

  test(`${name}: a video gives the frame that it shows`, async (t) => {
    const found = await inPage(t, name, async () => {
      const { ops, canvas } = globalThis;
      const context = canvas.getContext('2d');
      context.fillStyle = '#3060c0';
      const paint = () => context.fillRect(0, 0, 12, 10);
      paint();
      const video = Object.assign(document.createElement('video'), {
        muted: true,
        srcObject: canvas.captureStream(30),
      });
      const painting = setInterval(paint, 20);
      await video.play();
      while (video.readyState < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      const { dims, data } = ops.fromImage(video, { channels: 'rgb', layout: 'hwc', type: 'uint8', resize: [1, 1] });
      clearInterval(painting);
      return { dims, pixel: [...data] };
    });
    assert.deepEqual(found.dims, [1, 1, 3]);
    for (const [i, level] of [0x30, 0x60, 0xc0].entries())
      assert.ok(Math.abs(found.pixel[i] - level) < 6, `${found.pixel}`);
  });

  test(`${name}: an image file becomes the tensor of its pixels, and a broken one is refused`, async (t) => {
    const found = await inPage(t, name, async () => {
      const { ops, made, canvas, elements, options, refusal } = globalThis;
      const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
      const read = await ops.readImage(blob, options);
      const broken = await refusal(() => ops.readImage(blob.slice(0, 40), options));
      return {
        isSame: [...read.data].join() === elements(made).join(),
        broken,
        wrong: await refusal(() => ops.readImage(blob, { resize: 0 })),
      };
    });
    assert.equal(found.isSame, true);
    assert.match(found.broken, /^readImage: the host cannot decode Blob/);
    assert.match(found.wrong, /resize is 0/);
  });

  test(`${name}: a worker makes tensors of bitmaps`, async (t) => {
    const found = await inPage(t, name, async () => {
      const { made, canvas, elements } = globalThis;
      const worker = new Worker('/worker.js', { type: 'module' });
      const answered = new Promise((resolve, reject) => Object.assign(worker, { onmessage: resolve, onerror: reject }));
      const bitmap = await createImageBitmap(canvas);
      worker.postMessage(bitmap, [bitmap]);
      return (await answered).data.join() === elements(made).join();
    });
    assert.equal(found, true);
  });

  test(`${name}: pictures that are not loaded, closed bitmaps and pixels of another origin are refused`, async (t) => {
    const found = await inPage(
      t,
      name,
      async (other) => {
        const { ops, canvas, refusal } = globalThis;
        const bitmap = await createImageBitmap(canvas);
        bitmap.close();
        const foreign = new Image();
        foreign.src = other;
        await foreign.decode();
        const sources = [
          new Image(),
          document.createElement('video'),
          bitmap,
          foreign,
          Object.assign(document.createElement('canvas'), { width: 0 }),
          document.body,
        ];
        return Promise.all(sources.map((source) => refusal(() => ops.fromImage(source))));
      },
      `${addressOf(otherServer)}/picture.svg`,
    );
    const wanted = [
      /await image\.decode\(\) first/,
      /wait for 'loadeddata'/,
      /it was closed/,
      /cannot be read/,
      /0 x 150/,
      /HTMLBodyElement, wanted/,
    ];
    for (const [i, pattern] of wanted.entries()) assert.match(found[i], pattern);
  });

  test(`${name}: after pixels of another origin, an image of the same size is read as before`, async (t) => {
    const found = await inPage(
      t,
      name,
      async (other) => {
        const { ops, elements, refusal } = globalThis;
        const foreign = new Image();
        foreign.src = other;
        await foreign.decode();
        const own = Object.assign(document.createElement('canvas'), { width: 4, height: 4 });
        own.getContext('2d').fillRect(0, 0, 2, 4);
        const before = elements(own).join();
        const refused = await refusal(() => ops.fromImage(foreign));
        return { refused, isSame: elements(own).join() === before };
      },
      `${addressOf(otherServer)}/picture.svg`,
    );
    assert.match(found.refused, /cannot be read/);
    assert.equal(found.isSame, true);
  });

  test(`${name}: an image that is larger than canvases may be is refused, and has no zeros`, async (t) => {
    const found = await inPage(t, name, () => {
      const { ops, refusal } = globalThis;
      return refusal(() => ops.fromImage(new OffscreenCanvas(70000, 1)));
    });
    assert.match(found, /its pixels cannot be read/);
  });

  test(`${name}: a tensor becomes an ImageData that a canvas takes`, async (t) => {
    const found = await inPage(t, name, () => {
      const { ops, made } = globalThis;
      const image = ops.toImageData(ops.fromImage(made, { scale: 1 / 255 }), { scale: 1 / 255 });
      const canvas = new OffscreenCanvas(12, 10).getContext('2d');
      canvas.putImageData(image, 0, 0);
      return {
        is: image instanceof ImageData,
        same: canvas.getImageData(0, 0, 12, 10).data.join() === made.data.join(),
      };
    });
    assert.deepEqual(found, { is: true, same: true });
  });
}
