// fromImage beside bytes that Pillow and OpenCV made (tools/extract/image-references.py), and the forms of its results.
import { expect, test } from '@jest/globals';
import { type ImageOptions, type ImageSource, load } from 'broadloom';
import { madeImage, references, stored } from './helpers/images.js';
import { announceSeed, generator, seed } from './helpers/random.js';

const ops = await load();
announceSeed('images');

/** The bytes of a result, with the channels of a pixel side by side. */
function bytesOf(image: ImageSource, options: ImageOptions): Uint8Array {
  const tensor = ops.fromImage(image, { ...options, type: 'uint8', layout: 'hwc' });
  const bytes = tensor.toArray();
  tensor.dispose();
  return bytes;
}

const image = madeImage({ seed: 1, kind: 'noise', height: 5, width: 7, channels: 3 });
const pixel = (r: number, g: number, b: number, a = 255) => ({
  data: Uint8Array.of(r, g, b, a),
  width: 1,
  height: 1,
});

test.each(['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'] as const)(
  '%s gives the bytes of Pillow',
  (filter) => {
    const cases = references.resized.filter((one) => one.filter === filter);
    expect(cases.length).toBeGreaterThan(30);
    for (const one of cases) {
      const bytes = bytesOf(madeImage(one), { resize: one.resize, filter, channels: one.to });
      expect({ one, bytes }).toEqual({ one, bytes: stored(one.pillow) });
    }
  },
);

test('bilinear without antialias gives the bytes of OpenCV', () => {
  for (const one of references.resized) {
    const bytes = bytesOf(madeImage(one), { resize: one.resize, antialias: false, channels: one.to });
    expect({ one, bytes }).toEqual({ one, bytes: stored(one.opencv) });
  }
});

test("torchvision's resize and crop, and Ultralytics' letterbox, give the bytes of Python", () => {
  for (const one of references.pipelines) {
    const bytes = bytesOf(madeImage(one), one.options);
    expect({ one, bytes }).toEqual({ one, bytes: stored(one.bytes) });
  }
});

test('elements are (byte * scale - mean) / std, within a thousandth of a level', () => {
  const [scale, mean, std] = [1 / 255, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]];
  const bytes = bytesOf(image, {});
  for (const type of ['float32', 'float64'] as const) {
    const elements = ops.fromImage(image, { scale, mean, std, layout: 'nhwc', type }).toArray();
    elements.forEach((element, i) => {
      const wanted = ((bytes[i] as number) * scale - (mean[i % 3] as number)) / (std[i % 3] as number);
      expect(Math.abs(element - wanted)).toBeLessThan(type === 'float32' ? 0.001 / 255 : 1e-14);
    });
  }
});

test('float16 elements are those of float32, rounded', () => {
  const options = { scale: 1 / 255, mean: 0.5, std: 0.25 };
  const wanted = ops.cast(ops.fromImage(image, options), { to: 'float16' }).toArray();
  expect(ops.fromImage(image, { ...options, type: 'float16' }).toArray()).toEqual(wanted);
});

test('without options, the elements are the bytes as float32', () => {
  const tensor = ops.fromImage(image);
  expect([tensor.type, tensor.dims]).toEqual(['float32', [1, 3, 5, 7]]);
  const planes = [0, 1, 2].flatMap((channel) => [...image.data].filter((_, i) => i % 3 === channel));
  expect([...tensor.data]).toEqual(planes);
});

test('the layout gives the dims, and channels lie side by side in memory', () => {
  const dims = { nchw: [1, 3, 5, 7], nhwc: [1, 5, 7, 3], chw: [3, 5, 7], hwc: [5, 7, 3] } as const;
  const strides = { nchw: [105, 1, 21, 3], nhwc: [105, 21, 3, 1], chw: [1, 21, 3], hwc: [21, 3, 1] } as const;
  for (const layout of ['nchw', 'nhwc', 'chw', 'hwc'] as const) {
    const tensor = ops.fromImage(image, { layout });
    expect(tensor.dims).toEqual(dims[layout]);
    expect(tensor.strides).toEqual(strides[layout]);
    const order = { nchw: [0, 3, 1, 2], nhwc: [0, 1, 2, 3], chw: [2, 0, 1], hwc: [0, 1, 2] }[layout];
    const rows = ops.fromImage(image, { layout: layout.length === 4 ? 'nhwc' : 'hwc' });
    expect(tensor.toNested()).toEqual(ops.transpose(rows, { perm: order }).toNested());
  }
});

test('gray is the luma of Pillow, and one channel becomes three or four', () => {
  expect(bytesOf(pixel(10, 200, 30), { channels: 'gray' })).toEqual(Uint8Array.of(124)); // 123.8
  const gray = { data: Uint8Array.of(9), width: 1, height: 1 };
  expect(bytesOf(gray, {})).toEqual(Uint8Array.of(9, 9, 9));
  expect(bytesOf(gray, { channels: 'rgba' })).toEqual(Uint8Array.of(9, 9, 9, 255));
  expect(bytesOf({ data: Uint8Array.of(9, 100), width: 1, height: 1 }, { channels: 'rgba' })).toEqual(
    Uint8Array.of(9, 9, 9, 100),
  );
  expect(bytesOf(pixel(1, 2, 3, 4), { channels: 'bgr' })).toEqual(Uint8Array.of(3, 2, 1));
});

test('an image that keeps its size and channels keeps its bytes, those under alpha 0 too', () => {
  const clear = madeImage({ seed: 4, kind: 'extremes', height: 6, width: 9, channels: 4 });
  expect(bytesOf(clear, { channels: 'rgba' })).toEqual(clear.data);
  expect(bytesOf(clear, { channels: 'rgba', resize: [6, 9], filter: 'lanczos' })).toEqual(clear.data);
});

test('what sharp gives, ImageData-like objects, Node buffers and clamped arrays are images', () => {
  const { data, width, height, channels } = image;
  const wanted = bytesOf(image, {});
  const buffer = Buffer.from(data);
  expect(bytesOf({ data: buffer, info: { width, height, channels } }, {})).toEqual(wanted);
  expect(bytesOf({ data: Uint8ClampedArray.from(data), width, height }, {})).toEqual(wanted);
  expect(bytesOf({ data: new Uint8Array([0, ...data]).subarray(1), width, height }, {})).toEqual(wanted);
});

test('a canvas of a package for servers is read by its own context', () => {
  const { width, height } = image;
  const getImageData = (x: number, y: number, w: number, h: number) => {
    expect([x, y, w, h]).toEqual([0, 0, 7, 5]);
    return image;
  };
  expect(bytesOf({ width, height, getContext: () => ({ getImageData }) }, {})).toEqual(image.data);
});

test('a batch has the images one after the other, each with its own place', () => {
  const other = madeImage({ seed: 2, kind: 'noise', height: 9, width: 4, channels: 4 });
  const options = { resize: [6, 6], fit: 'contain', fill: 3 } as const;
  const batch = ops.fromImage([image, other], options);
  expect(batch.dims).toEqual([2, 3, 6, 6]);
  const [first, second] = [ops.fromImage(image, options), ops.fromImage(other, options)];
  expect(batch.toArray()).toEqual(Float32Array.of(...first.data, ...second.data));
  expect(batch.images).toEqual([first.images[0], second.images[0]]);
  expect(batch.scaleX).toBe(6 / 7);
  expect(second.padLeft).toBe(1); // (6 - 3) / 2 - 0.1, rounded
});

test('the place tells where a pixel of the image is in the tensor', () => {
  const made = ops.fromImage({ data: new Uint8Array(640 * 480), width: 640, height: 480 }, ops.presets.yolo);
  const { scaleX, scaleY, padLeft, padTop, imageWidth, imageHeight } = made;
  expect({ scaleX, scaleY, padLeft, padTop, imageWidth, imageHeight }).toEqual({
    scaleX: 1,
    scaleY: 1,
    padLeft: 0,
    padTop: 80,
    imageWidth: 640,
    imageHeight: 480,
  });
  const cropped = ops.fromImage({ data: new Uint8Array(640 * 480), width: 640, height: 480 }, ops.presets.imagenet);
  expect(cropped.padLeft).toBe(-58); // 341 columns; 58 are cut off at the left
  expect(cropped.scaleY).toBe(256 / 480);
});

test('a crop beyond the image is filled, also one that has no pixel of it', () => {
  const white = { data: new Uint8Array(4).fill(255), width: 2, height: 2, channels: 1 };
  const around = bytesOf(white, { channels: 'gray', crop: { top: -1, left: 1, height: 4, width: 3 }, fill: 7 });
  expect([...around]).toEqual([7, 7, 7, 255, 7, 7, 255, 7, 7, 7, 7, 7]);
  const beyond = bytesOf(white, { channels: 'gray', crop: { top: 10, left: -9, height: 1, width: 2 }, fill: 7 });
  expect([...beyond]).toEqual([7, 7]);
});

test('fill has a byte for each channel of the result', () => {
  const bytes = bytesOf(pixel(1, 2, 3), { channels: 'rgba', crop: [1, 2], fill: [4, 5, 6, 7] });
  expect([...bytes]).toEqual([1, 2, 3, 255, 4, 5, 6, 7]);
});

test('cover and contain may keep the upper left corner', () => {
  const row = { data: Uint8Array.of(10, 20, 30, 40), width: 4, height: 1, channels: 1 };
  const options = { channels: 'gray', filter: 'nearest', position: 'top-left' } as const;
  expect([...bytesOf(row, { ...options, resize: [1, 2], fit: 'cover' })]).toEqual([10, 20]);
  expect([...bytesOf(row, { ...options, resize: [2, 4], fit: 'contain' })]).toEqual([10, 20, 30, 40, 0, 0, 0, 0]);
  expect([...bytesOf(row, { ...options, position: 'center', resize: [1, 2], fit: 'cover' })]).toEqual([20, 30]);
});

test('a crop beyond what cover kept is filled, and does not bring back what was cut off', () => {
  const row = { data: Uint8Array.of(10, 20, 30, 40), width: 4, height: 1, channels: 1 };
  const options = { channels: 'gray', filter: 'nearest', fit: 'cover', resize: [1, 2], fill: 9 } as const;
  expect([...bytesOf(row, { ...options, crop: [1, 6] })]).toEqual([9, 9, 20, 30, 9, 9]);
  expect([...bytesOf(row, { ...options, crop: { top: -1, left: 1, height: 2, width: 3 } })]).toEqual([
    9, 9, 9, 30, 9, 9,
  ]);
  expect([...bytesOf(row, { ...options, crop: { top: 0, left: 2, height: 1, width: 1 } })]).toEqual([9]);
  const column = { data: Uint8Array.of(10, 20, 30, 40), width: 1, height: 4, channels: 1 };
  const upper = { ...options, resize: [2, 1], position: 'top-left', crop: [4, 1] } as const;
  expect([...bytesOf(column, upper)]).toEqual([9, 10, 20, 9]);
});

test('the part of a resized image is the same as that of the whole', () => {
  const next = generator(seed);
  const random = (limit: number) => next() % limit;
  for (let i = 0; i < 40; i++) {
    const made = madeImage({
      seed: i,
      kind: 'noise',
      height: 1 + random(40),
      width: 1 + random(40),
      channels: 1 + random(4),
    });
    const resize = [1 + random(40), 1 + random(40)];
    const filter = (['nearest', 'box', 'bilinear', 'hamming', 'bicubic', 'lanczos'] as const)[random(6)];
    const options: ImageOptions = {
      resize,
      channels: 'rgba',
      ...(random(4) === 0 ? { antialias: false } : { filter }),
    };
    const [top, left] = [random(resize[0] as number), random(resize[1] as number)];
    const crop = { top, left, height: 1 + random(30), width: 1 + random(30) };
    const whole = ops.fromImage(made, { ...options, type: 'uint8', layout: 'hwc' });
    const rows = Math.min(crop.height, (resize[0] as number) - top);
    const columns = Math.min(crop.width, (resize[1] as number) - left);
    const wanted = ops.slice(whole, [top, left], [top + rows, left + columns], [0, 1]);
    const part = ops.fromImage(made, {
      ...options,
      crop: { ...crop, height: rows, width: columns },
      type: 'uint8',
      layout: 'hwc',
    });
    expect(part.toArray()).toEqual(wanted.toArray());
  }
});

test('every preset makes a tensor of images of many sizes', () => {
  for (const [name, options] of Object.entries<ImageOptions>(ops.presets)) {
    for (const [height, width] of [
      [1, 1],
      [3, 200],
      [200, 3],
      [480, 640],
    ] as const) {
      const tensor = ops.fromImage({ data: new Uint8Array(height * width).fill(90), width, height }, options);
      expect({ name, finite: tensor.data.every(Number.isFinite) }).toEqual({ name, finite: true });
      expect(tensor.dims.slice(0, 2)).toEqual([1, 3]);
      tensor.dispose();
    }
  }
});

test('a stream of equal frames leaves memory as it is', () => {
  const frame = madeImage({ seed: 5, kind: 'noise', height: 48, width: 64, channels: 4 });
  const run = () => ops.fromImage(frame, { ...ops.presets.yolo, resize: [32, 32] }).dispose();
  for (let i = 0; i < 10; i++) run();
  const before = ops.memory();
  for (let i = 0; i < 10000; i++) run();
  expect(ops.memory()).toEqual(before);
});
