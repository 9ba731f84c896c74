// Images and options that are refused: before anything is allocated, with the values, and the runtime stays usable.
import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { type ImageOptions, load, OnnxError } from 'broadloom';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load();

const image = { data: new Uint8Array(12), width: 2, height: 2 };

function refused(given: unknown, options: unknown, says: readonly string[]): void {
  expectRefusal(ops, () => ops.fromImage(given as never, options as ImageOptions), { code: 'INVALID_ARGUMENT', says });
}

test.each([
  [undefined, ['the image is undefined']],
  [null, ['null']],
  ['cat.png', ['"cat.png"', 'ops.readImage']],
  [new Blob([]), ['Blob', 'ops.readImage']],
  [new Uint8Array(12), ['Uint8Array', '{ data, width, height }']],
  [Promise.resolve(image), ['Promise', 'await']],
  [{}, ['Object']],
  [{ data: [1, 2, 3], width: 1, height: 1 }, ['data is Array']],
  [{ data: new Uint16Array(4), width: 1, height: 1 }, ['Uint16Array']],
  [{ data: new Float32Array(4), width: 1, height: 1 }, ['Float32Array']],
  [{ ...image, width: 0 }, ['width is 0']],
  [{ ...image, height: -2 }, ['height is -2']],
  [{ ...image, height: 1.5 }, ['height is 1.5']],
  [{ ...image, width: Number.NaN }, ['width is NaN']],
  [{ ...image, width: '2' }, ['width is "2"']],
  [{ ...image, width: 5 }, ['12 bytes', '5 x 2', '1, 2, 3 or 4 channels']],
  [{ ...image, channels: 4 }, ['12 bytes', '2 x 2', '4 channels']],
  [{ ...image, channels: 'rgb' }, ['"rgb" channels']],
  [{ data: new Uint8Array(0), width: 2, height: 2 }, ['0 bytes']],
  [{ data: new Uint8Array(4), width: 2 ** 40, height: 2 ** 40 }, ['4 bytes']],
  [{ data: image.data, info: null }, ['info is null']],
  [[], ['there is no image']],
  [[image, 7], ['image 1 is 7']],
  [
    [image, { ...image, height: 1 }],
    ['image 1', '12 bytes'],
  ],
] as const)('%p is not an image', (given, says) => refused(given, undefined, says));

test.each([
  [{ resise: 3 }, ["'resise'", 'resize']],
  [{ resize: 0 }, ['resize is 0', 'from 1 to 16777216']],
  [{ resize: -1 }, ['-1']],
  [{ resize: Number.NaN }, ['fromImage: resize is NaN']],
  [{ resize: 1.5 }, ['resize is 1.5', 'an integer']],
  [{ resize: Number.POSITIVE_INFINITY }, ['resize']],
  [{ resize: 2 ** 40 }, ['1099511627776', '16777216']],
  [{ resize: '224' }, ['"224"', '[height, width]']],
  [{ resize: [1, 2, 3] }, ['3 sizes']],
  [{ resize: [] }, ['0 sizes']],
  [{ resize: [2, Number.NaN] }, ['fromImage: resize: entry 1 is NaN']],
  [{ resize: [2, 'x'] }, ['entry 1 is "x"']],
  [{ fit: 'cover' }, ['fit is for a resize to [height, width]']],
  [{ resize: 3, fit: 'contain' }, ['fit is for a resize to [height, width]']],
  [{ fit: 'covers' }, ['"covers"', "'cover'"]],
  [{ position: 'left' }, ['"left"', "'top-left'"]],
  [{ filter: 'linear' }, ['"linear"', "'bilinear'"]],
  [{ filter: 2 }, ['filter is 2']],
  [{ antialias: 0 }, ['antialias is 0']],
  [{ antialias: false, filter: 'bicubic' }, ["only the filter 'bilinear'"]],
  [{ crop: 224 }, ['crop is 224', '[height, width]']],
  [{ crop: [0, 2] }, ['crop is [0, 2]']],
  [{ crop: [1, 2, 3, 4] }, ['4 sizes']],
  [{ crop: { top: 0, left: 0, height: 1 } }, ['crop.width is undefined']],
  [{ crop: { top: 0, left: 0, height: 1, width: 0 } }, ['crop is [1, 0]']],
  [{ crop: { top: 0.5, left: 0, height: 1, width: 1 } }, ['crop.top is 0.5, wanted an integer']],
  [{ crop: { top: 2 ** 30, left: 0, height: 1, width: 1 } }, ['1073741824']],
  [{ crop: { top: 0, left: 0, height: 1, widht: 1 } }, ["'widht'", 'width']],
  [{ fill: 256 }, ['fill has 256']],
  [{ fill: -1 }, ['fill has -1']],
  [{ fill: 0.5 }, ['fill has 0.5']],
  [{ fill: Number.NaN }, ['fill has NaN']],
  [{ fill: '#000' }, ['fill is "#000"']],
  [{ fill: [1, 2] }, ['2 numbers', '3 channels']],
  [{ fill: [] }, ['fill is an empty list']],
  [{ channels: 'RGB' }, ['"RGB"', "'rgb'"]],
  [{ channels: 3 }, ['channels is 3']],
  [{ layout: 'NCHW' }, ['"NCHW"', "'nchw'"]],
  [{ type: 'int8' }, ['"int8"', "'uint8'"]],
  [{ scale: Number.NaN }, ['scale has NaN']],
  [{ scale: 0 }, ['scale has 0']],
  [{ scale: [1, 2, 3] }, ['scale has 3 numbers']],
  [{ mean: [0.5, Number.POSITIVE_INFINITY, 0.5] }, ['mean has Infinity']],
  [{ mean: [1, 2, 3, 4] }, ['4 numbers', '3 channels']],
  [{ mean: [1, 2, 3], channels: 'gray' }, ['3 numbers', '1 channel']],
  [{ mean: [1, '2', 3] }, ['mean has "2"']],
  [{ std: 0 }, ['std has 0']],
  [{ std: [1, 1, 0] }, ['std has 0']],
  [{ type: 'uint8', scale: 1 / 255 }, ['uint8', 'scale']],
  [{ type: 'uint8', mean: 0 }, ['uint8']],
  [7, ['options are 7']],
] as const)('the options %p are refused', (options, says) => refused(image, options, says));

test('images of a batch need one size, and a batch needs its axis', () => {
  const other = { data: new Uint8Array(3), width: 1, height: 1 };
  refused([image, other], {}, ['image 1 gets [1, 1]', '[2, 2]']);
  refused([image, image], { layout: 'chw' }, ['2 images', "'nchw'"]);
});

test('a result that does not fit is refused, and the runtime stays usable', () => {
  expectRefusal(ops, () => ops.fromImage(image, { resize: [2 ** 20, 2 ** 20] }), {
    code: 'OUT_OF_MEMORY',
    says: ['bytes'],
  });
  expectRefusal(ops, () => ops.fromImage(image, { crop: [2 ** 24, 2 ** 24] }), {
    code: 'OUT_OF_MEMORY',
    says: ['bytes'],
  });
});

test('a canvas of a package without pixels is refused', () => {
  const canvas = (getContext: () => unknown) => ({ width: 2, height: 2, getContext });
  const thrown = () => {
    throw null;
  };
  refused(
    canvas(() => null),
    {},
    ["its pixels cannot be read (its context '2d' gives none)"],
  ); // it has one for WebGL
  refused(
    canvas(() => ({ getImageData: () => 5 })),
    {},
    ["its context '2d' gives none"],
  );
  refused(canvas(thrown), {}, ['its pixels cannot be read']);
});

test('pixels whose buffer is detached are refused, also while the call is read', () => {
  const detach = (array: Uint8Array) => structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] });
  const gone = { ...image, data: new Uint8Array(12) };
  detach(gone.data);
  refused(gone, {}, ['detached']);
  const first = { ...image, data: new Uint8Array(12) };
  const second = {
    width: 2,
    height: 2,
    get data() {
      detach(first.data);
      return new Uint8Array(12);
    },
  };
  refused([first, second], {}, ['detached']);
});

test('options whose getters throw leave the runtime as it was', () => {
  const options = {
    get filter(): never {
      throw new RangeError('mine');
    },
  };
  expect(() => ops.fromImage(image, options)).toThrow('mine');
  expect(ops.fromImage(image).dims).toEqual([1, 3, 2, 2]);
});

test('pixels of another realm are taken', () => {
  const data = runInContext('new Uint8Array(12).fill(9)', createContext());
  expect([...ops.fromImage({ data, width: 2, height: 2 }, { type: 'uint8' }).data]).toEqual(Array(12).fill(9));
});

test('readImage needs a Blob and a host that decodes', async () => {
  await expect(ops.readImage(image as never)).rejects.toThrow('the file is Object, wanted a Blob');
  const error = await ops.readImage(new Blob(['x'])).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OnnxError);
  expect((error as OnnxError).message).toContain('this host decodes no images');
});

test('more arguments than the methods take are refused', () => {
  const { fromImage, toImageData, toImageCoordinates } = ops as unknown as Record<
    string,
    (...all: unknown[]) => unknown
  >;
  for (const method of [fromImage, toImageData, toImageCoordinates])
    expectRefusal(ops, () => method?.call(ops, 1, 2, 3, 4), { code: 'INVALID_ARGUMENT', says: ['at most'] });
});

test('methods of no runtime are refused', () => {
  expect(() => ops.fromImage.call({} as never, image)).toThrow('runtime');
});
