// toMask of broadloom/tasks, beside a resize between the middles of pixels in plain JavaScript. No package with models has a
// segmentation: masks are made by hand.
import { afterAll, expect, test } from '@jest/globals';
import { load, type Picture } from 'broadloom';
import { type MaskOptions, toMask } from 'broadloom/tasks';
import { announceSeed, generator, seed } from './helpers/random.js';
import { counters, expectRefusal } from './helpers/runtime.js';

const ops = await load();
announceSeed('tasks-masks');
const before = counters(ops);
afterAll(() => expect(counters(ops)).toEqual(before));

const float32 = (dims: number[], data: number[]) => ({ type: 'float32', dims, data }) as const;
const on = [1, 2, 3, 4];
const off = [0, 0, 0, 0];
const pixelsOf = ({ data }: Picture) =>
  Array.from({ length: data.length / 4 }, (_, i) => [...data.slice(4 * i, 4 * i + 4)]);

/** The value between the middles of the pixels of a plane, at a place in [0, width] x [0, height]. */
function sample(plane: readonly number[], width: number, height: number, x: number, y: number): number {
  const at = (column: number, row: number) =>
    plane[Math.min(height - 1, Math.max(0, row)) * width + Math.min(width - 1, Math.max(0, column))] as number;
  const [left, top] = [Math.floor(x - 0.5), Math.floor(y - 0.5)];
  const [u, v] = [x - 0.5 - left, y - 0.5 - top];
  const mix = (row: number) => at(left, row) * (1 - u) + at(left + 1, row) * u;
  return mix(top) * (1 - v) + mix(top + 1) * v;
}

test('pixels above the threshold have the colour, and others the background', () => {
  const dims = [
    [2, 2],
    [1, 2, 2],
    [1, 1, 2, 2],
  ];
  for (const shape of dims) {
    const mask = float32(shape, [0.5, 0.6, 0, 1]);
    expect(pixelsOf(toMask(ops, mask, { color: on }))).toEqual([off, on, off, on]);
    expect(pixelsOf(toMask(ops, mask, { color: on, background: [9, 8, 7] }))[0]).toEqual([9, 8, 7, 255]);
    expect(pixelsOf(toMask(ops, mask, { color: on, threshold: 0.9 }))).toEqual([off, off, off, on]);
  }
  expect(pixelsOf(toMask(ops, float32([1, 2], [-1, 1]), { color: on, activation: 'sigmoid' }))).toEqual([off, on]);
  expect(pixelsOf(toMask(ops, float32([1, 1], [1])))).toEqual([[255, 0, 0, 128]]);
});

test('a soft mask has the probability as its alpha', () => {
  const mask = float32([1, 5], [0, 0.5, 1, 7, Number.NaN]);
  const alphas = pixelsOf(toMask(ops, mask, { soft: true, color: [1, 2, 3] })).map(([, , , alpha]) => alpha);
  expect(alphas).toEqual([0, 128, 255, 255, 0]);
});

test('bools and float16 are masks, too', () => {
  const bools = { type: 'bool', dims: [1, 2], data: [true, false] } as const;
  expect(pixelsOf(toMask(ops, bools, { color: on }))).toEqual([on, off]);
  const halves = ops.tensor('float16', [[1, 0]]);
  expect(pixelsOf(toMask(ops, halves, { color: on }))).toEqual([on, off]);
  halves.dispose();
});

test('a mask takes any size, linearly between the middles of its pixels', () => {
  const random = generator(seed);
  for (let round = 0; round < 40; round++) {
    const [width, height] = [1 + (random() % 6), 1 + (random() % 6)];
    const size = { width: 1 + (random() % 20), height: 1 + (random() % 20) };
    const plane = Array.from({ length: width * height }, () => (random() % 1000) / 999);
    const picture = toMask(ops, float32([height, width], plane), { soft: true, color: [0, 0, 0], ...size });
    expect([picture.width, picture.height]).toEqual([size.width, size.height]);
    for (const [i, [, , , alpha]] of pixelsOf(picture).entries()) {
      const [x, y] = [((i % size.width) + 0.5) / size.width, (Math.floor(i / size.width) + 0.5) / size.height];
      const wanted = sample(plane, width, height, x * width, y * height) * 255;
      expect(Math.abs((alpha as number) - wanted)).toBeLessThan(0.51);
    }
  }
});

test('a mask of a prepared image gets the size of the image, without what was added around it', () => {
  const image = { data: new Uint8Array(20 * 10 * 3), width: 20, height: 10, channels: 3 };
  for (const layout of ['nchw', 'nhwc'] as const) {
    const prepared = ops.fromImage(image, { resize: [32, 32], fit: 'contain', antialias: false, layout });
    // A quarter of the size: the image lies in rows 2 to 5. The rows around it are of the object.
    const rows = [1, 1, 0, 0, 0, 0, 1, 1];
    const mask = float32(
      [1, 1, 8, 8],
      rows.flatMap((value) => new Array<number>(8).fill(value)),
    );
    const picture = toMask(ops, mask, { prepared, color: on });
    expect([picture.width, picture.height]).toEqual([20, 10]);
    // At the edge, the middle of the first row is nearer to row 2 than to row 1.
    expect(new Set(pixelsOf(picture).map(String))).toEqual(new Set([String(off)]));
    const left = float32(
      [1, 1, 8, 8],
      Array.from({ length: 64 }, (_, i) => (i % 8 < 4 ? 1 : 0)),
    );
    // The place alone may go to another thread.
    for (const place of [prepared, prepared.images[0]]) {
      const columns = pixelsOf(toMask(ops, left, { prepared: place, color: on })).slice(0, 20);
      expect(columns).toEqual(Array.from({ length: 20 }, (_, i) => (i < 10 ? on : off)));
    }
    prepared.dispose();
  }
});

test('what a crop cut off of the image has no object, whatever decides', () => {
  const image = { data: new Uint8Array(40 * 20 * 3), width: 40, height: 20, channels: 3 };
  const prepared = ops.fromImage(image, { crop: [20, 20] });
  const mask = float32([1, 1, 20, 20], new Array<number>(400).fill(4));
  const choices = [
    { activation: 'sigmoid', threshold: 0.25 },
    { activation: 'sigmoid', soft: true },
    { threshold: -1 },
  ] as const;
  for (const options of choices) {
    const alphas = pixelsOf(toMask(ops, mask, { prepared, color: [0, 0, 0], ...options })).map(
      ([, , , alpha]) => alpha,
    );
    expect(new Set(alphas.filter((_, i) => i % 40 < 9 || i % 40 > 30))).toEqual(new Set([0]));
    expect(Math.min(...alphas.filter((_, i) => i % 40 >= 10 && i % 40 < 30).map(Number))).toBeGreaterThan(249);
  }
  prepared.dispose();
});

test('the best class of each pixel has it, in the colours of Pascal VOC', () => {
  const scores = float32([1, 3, 1, 4], [9, 0, 0, 5, 1, 2, 0, 5, 0, 1, 3, 5]);
  expect(pixelsOf(toMask(ops, scores))).toEqual([off, [128, 0, 0, 128], [0, 128, 0, 128], off]);
  const colors = [
    [1, 1, 1],
    [2, 2, 2],
    [3, 3, 3],
  ];
  expect(pixelsOf(toMask(ops, scores, { colors })).map(([red]) => red)).toEqual([1, 2, 3, 1]);
  const classes = { type: 'int64', dims: [1, 1, 3], data: [3, 15, 20] } as const;
  expect(pixelsOf(toMask(ops, classes))).toEqual([
    [128, 128, 0, 128],
    [192, 128, 128, 128],
    [0, 64, 128, 128],
  ]);
});

test('scores of classes are resized before they are compared, and classes are not mixed', () => {
  const random = generator(seed + 1);
  const colors = Array.from({ length: 4 }, (_, i) => [i, 0, 0]);
  for (let round = 0; round < 20; round++) {
    const [width, height] = [1 + (random() % 5), 1 + (random() % 5)];
    const size = { width: 1 + (random() % 12), height: 1 + (random() % 12) };
    const planes = Array.from({ length: 4 }, () => Array.from({ length: width * height }, () => random() / 2 ** 32));
    const picture = toMask(ops, float32([1, 4, height, width], planes.flat()), { colors, ...size });
    for (const [i, [best]] of pixelsOf(picture).entries()) {
      const [x, y] = [((i % size.width) + 0.5) / size.width, (Math.floor(i / size.width) + 0.5) / size.height];
      const values = planes.map((plane) => sample(plane, width, height, x * width, y * height));
      expect(values[best as number]).toBeGreaterThan(Math.max(...values) - 1e-5);
    }
    const numbers = Array.from({ length: width * height }, () => random() % 4);
    const drawn = toMask(ops, { type: 'uint8', dims: [height, width], data: numbers }, { colors, ...size });
    for (const [i, [number]] of pixelsOf(drawn).entries()) {
      const [x, y] = [((i % size.width) + 0.5) / size.width, (Math.floor(i / size.width) + 0.5) / size.height];
      // On the border between two pixels, either is right.
      const near = [-1e-4, 1e-4].flatMap((dx) =>
        [-1e-4, 1e-4].map((dy) => {
          const column = Math.min(width - 1, Math.max(0, Math.floor(x * width + dx)));
          const row = Math.min(height - 1, Math.max(0, Math.floor(y * height + dy)));
          return numbers[row * width + column];
        }),
      );
      expect(near).toContain(number);
    }
  }
});

test('the opset of the runtime does not change the result', async () => {
  const old = await load({ opset: 9 });
  const scores = float32([1, 2, 2, 2], [1, 2, 3, 4, 4, 3, 2, 1]);
  const size = { width: 5, height: 3 };
  expect(toMask(old, scores, size)).toEqual(toMask(ops, scores, size));
});

test('faults are errors with the values, and leave nothing in memory', () => {
  const mask = float32([1, 2, 2, 2], [1, 2, 3, 4, 4, 3, 2, 1]);
  const refused = (options: object, ...says: string[]) =>
    expectRefusal(ops, () => toMask(ops, mask, options as MaskOptions), { code: 'INVALID_ARGUMENT', says });
  refused({ colors: [[1, 2, 3]] }, '1 colors for 2 classes');
  refused({ colors: [] }, 'at least 1 colors');
  refused(
    {
      colors: [
        [1, 2, 3],
        [1, 2],
      ],
    },
    'color 1 is [1,2]',
  );
  refused({ color: [1, 2, 256] }, 'color is [1,2,256]');
  refused({ color: 'red' }, 'color is "red"');
  refused({ color: new Array(2 ** 32 - 1) }, 'color is [undefined');
  refused({ colors: new Array(2) }, 'color 0 is undefined');
  refused({ width: 0 }, 'width is 0');
  refused({ width: 1e300 }, 'toMask: width is 1e+300');
  refused({ prepared: 3 }, 'prepared is 3');
  const place = { scaleX: 1, scaleY: 1, padLeft: 0, padTop: 0, imageWidth: 2, imageHeight: 2 };
  refused({ prepared: { ...place, imageWidth: 2.5 } }, 'prepared is Object');
  refused({ prepared: { ...place, imageWidth: 1e300 } }, 'prepared is Object');
  refused({ prepared: { ...place, tensorHeight: 0 } }, 'prepared is Object');
  const odd = { ...place, dims: 3 };
  expect(toMask(ops, mask, { prepared: odd }).data).toEqual(toMask(ops, mask, { prepared: place }).data);
  refused({ colour: [1, 2, 3] }, "no option 'colour'", "did you mean 'color'");
  const of = (given: unknown, ...says: string[]) =>
    expectRefusal(ops, () => toMask(ops, given as never), { code: 'INVALID_ARGUMENT', says });
  of(float32([2], [1, 2]), 'dims [2]', '[batch, channels, height, width]');
  of(float32([1, 1, 0, 2], []), 'dims [1,1,0,2]');
  of(float32([2, 1, 1], [1, 2]), 'a batch of 2 items');
  of({ type: 'int32', dims: [1, 2, 1, 1], data: [0, 1] }, 'with one channel');
  of({ type: 'int64', dims: [1, 2], data: [0, 256] }, 'class 256', '256 colors');
  of({ type: 'int64', dims: [1, 2], data: [0, -1] }, 'class -1');
  const words = { type: 'string', dims: [1, 1], data: ['a'] } as const;
  expectRefusal(ops, () => toMask(ops, words), { code: 'UNSUPPORTED_TYPE', says: ['string'] });
});
