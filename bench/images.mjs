// The section Images: whole preparations beside packages of JavaScript, sharp, and Pillow and OpenCV of a Python process. All in
// turns, in one thread. Filters differ: each contender has the one with which its users make images small.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { median } from './statistics.mjs';

const mean = [0.485, 0.456, 0.406];
const std = [0.229, 0.224, 0.225];

/** Waves of several lengths in RGBA: a picture without sharp edges, on which all filters nearly agree. */
function picture(width, height) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [(i % width) / width, Math.floor(i / width) / height];
    data[4 * i] = 128 + 100 * Math.sin(9 * x + 4 * y);
    data[4 * i + 1] = 128 + 100 * Math.sin(5 * x - 7 * y);
    data[4 * i + 2] = 128 + 100 * Math.cos(8 * x * y);
    data[4 * i + 3] = 255;
  }
  return { data, width, height };
}

/** The plain loops with which pages make elements of pixels: planes of (byte / 255 - mean) / std. */
function normalised(rgba, area, channels = 4) {
  const elements = new Float32Array(3 * area);
  for (let c = 0; c < 3; c++) {
    for (let i = 0; i < area; i++) elements[c * area + i] = (rgba[channels * i + c] / 255 - mean[c]) / std[c];
  }
  return elements;
}

/** Planes of bytes / 255 in the middle of a square of 114. */
function boxed(rgba, width, height, side, channels = 4) {
  const elements = new Float32Array(3 * side * side).fill(114 / 255);
  const [top, left] = [(side - height) >> 1, (side - width) >> 1];
  for (let c = 0; c < 3; c++) {
    for (let y = 0; y < height; y++) {
      const to = c * side * side + (top + y) * side + left;
      for (let x = 0; x < width; x++) elements[to + x] = rgba[channels * (y * width + x) + c] / 255;
    }
  }
  return elements;
}

/** A package of bench/package.json, or undefined where it is not installed. */
const optional = (name) => import(name).catch(() => undefined);

/** In an object, since the module has a method `then`, which a promise would call for ever. */
async function opencv() {
  const cv = (await optional('@techstark/opencv-js'))?.default;
  if (cv !== undefined && cv.Mat === undefined) {
    await new Promise((resolve) => {
      cv.onRuntimeInitialized = resolve;
    });
  }
  return { cv };
}

/** jSquash's resize. Node lacks the class of its results. */
async function jsquash() {
  const found = await optional('@jsquash/resize');
  if (found === undefined) return undefined;
  globalThis.ImageData ??= class {
    constructor(data, width, height) {
      Object.assign(this, { data, width, height });
    }
  };
  await found.initResize(
    readFileSync(new URL(import.meta.resolve('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))),
  );
  return found.default;
}

/** Pillow and OpenCV natively: a call answers with its nanoseconds. Undefined without their packages. */
async function python(name, { width, height, data }) {
  const child = spawn(
    '/usr/bin/python3',
    [fileURLToPath(new URL('images-child.py', import.meta.url)), name, width, height],
    {
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  child.stdin.on('error', () => {});
  child.stdin.write(data);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  if (value === undefined) return undefined;
  const ask = async (request) => {
    child.stdin.write(`${request}\n`);
    return JSON.parse((await lines.next()).value);
  };
  const close = () => {
    child.stdin.end();
    return once(child, 'exit');
  };
  return { ask, contenders: JSON.parse(value), close };
}

/** For each case: its image, and each contender's call, which gives the elements [3, height, width]. */
async function casesOf(ops) {
  const [pica, imageJs] = [await optional('pica'), await optional('image-js')];
  const sharp = (await optional('sharp'))?.default;
  const { cv } = await opencv();
  const squash = await jsquash();
  const resizer = pica && new pica.default({ features: ['js', 'wasm'] });
  const ours = (image, options) => () => {
    const tensor = ops.fromImage(image, options);
    const { data } = tensor; // as whoever passes them on reads them: in the order of the dims
    tensor.dispose();
    return data;
  };
  const sharpOf = ({ data, width, height }) => sharp(data, { raw: { width, height, channels: 4 } }).removeAlpha();

  const photo = picture(1920, 1080);
  const classifier = { ...ops.presets.imagenet, resize: [224, 224] };
  const shrink = {
    Broadloom: ours(photo, classifier),
    pica:
      resizer &&
      (async () =>
        normalised(
          await resizer.resizeBuffer({
            src: photo.data,
            width: 1920,
            height: 1080,
            toWidth: 224,
            toHeight: 224,
            filter: 'hamming',
          }),
          224 * 224,
        )),
    'opencv.js':
      cv &&
      (() => {
        const [from, to] = [cv.matFromImageData(photo), new cv.Mat()];
        cv.resize(from, to, new cv.Size(224, 224), 0, 0, cv.INTER_AREA);
        const elements = normalised(to.data, 224 * 224);
        from.delete();
        to.delete();
        return elements;
      }),
    jSquash:
      squash &&
      (async () => {
        const options = { width: 224, height: 224, method: 'triangle', premultiply: false, linearRGB: false };
        return normalised((await squash(photo, options)).data, 224 * 224);
      }),
    'image-js':
      imageJs &&
      (() => {
        const image = new imageJs.Image(1920, 1080, { data: new Uint8Array(photo.data.buffer), colorModel: 'RGBA' });
        return normalised(image.resize({ width: 224, height: 224 }).getRawImage().data, 224 * 224);
      }),
    sharp:
      sharp &&
      (async () =>
        normalised(
          await sharpOf(photo).resize(224, 224, { fit: 'fill', kernel: 'linear' }).raw().toBuffer(),
          224 * 224,
          3,
        )),
  };

  const frame = picture(640, 480);
  const letterbox = {
    Broadloom: ours(frame, ops.presets.yolo),
    'plain loops': () => boxed(frame.data, 640, 480, 640),
    'opencv.js':
      cv &&
      (() => {
        const [from, to] = [cv.matFromImageData(frame), new cv.Mat()];
        cv.copyMakeBorder(from, to, 80, 80, 0, 0, cv.BORDER_CONSTANT, new cv.Scalar(114, 114, 114, 255));
        const elements = boxed(to.data, 640, 640, 640);
        from.delete();
        to.delete();
        return elements;
      }),
    sharp:
      sharp &&
      (async () =>
        boxed(
          await sharpOf(frame).extend({ top: 80, bottom: 80, background: '#727272' }).raw().toBuffer(),
          640,
          640,
          640,
          3,
        )),
  };
  return [
    { name: '1920x1080 to [1, 3, 224, 224], normalised', image: photo, python: 'shrink', contenders: shrink },
    { name: '640x480 to [1, 3, 640, 640], letterboxed', image: frame, python: 'letterbox', contenders: letterbox },
  ];
}

/** Fails where a contender has another picture: filters differ by a few levels. */
async function check(name, contenders) {
  const [own, ...others] = Object.entries(contenders).filter(([, call]) => call);
  const wanted = Float32Array.from(await own[1]());
  for (const [contender, call] of others) {
    const found = await call();
    const difference = wanted.reduce((sum, value, i) => sum + Math.abs(value - found[i]), 0) / wanted.length;
    if (!(found.length === wanted.length && difference < 0.1))
      throw new Error(`bench: ${name}: the result of ${contender} is ${difference} away`);
  }
}

const millisecondsOf = (call) => async () => {
  const start = performance.now();
  await call();
  return performance.now() - start;
};

/** @returns a row for each case: milliseconds of each contender, and how much slower it is, both medians of `rounds` rounds */
export async function measureImages(ops, rounds) {
  const rows = [];
  for (const { name, image, python: recipe, contenders } of await casesOf(ops)) {
    await check(name, contenders);
    const native = await python(recipe, image);
    const timers = Object.entries(contenders)
      .filter(([, call]) => call)
      .map(([contender, call]) => ({ contender, time: millisecondsOf(call), samples: [] }));
    for (const contender of native?.contenders ?? [])
      timers.push({ contender, time: async () => (await native.ask(contender)) / 1e6, samples: [] });
    for (const { time } of timers) for (let i = 0; i < 5; i++) await time();
    for (let i = 0; i < rounds; i++) for (const { time, samples } of timers) samples.push(await time());
    const [own] = timers;
    rows.push({
      name,
      contenders: timers.map(({ contender, samples }) => ({
        name: contender,
        milliseconds: median(samples),
        slower: median(samples.map((sample, i) => sample / own.samples[i])),
      })),
    });
    await native?.close();
  }
  return rows;
}
