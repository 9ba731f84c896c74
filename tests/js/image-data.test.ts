// toImageData and toImageCoordinates.
import { expect, test } from '@jest/globals';
import { load, type TensorLike } from 'broadloom';
import { madeImage } from './helpers/images.js';
import { expectRefusal } from './helpers/runtime.js';

const ops = await load();

const image = madeImage({ seed: 3, kind: 'noise', height: 4, width: 5, channels: 4 });

test('an image that became a tensor becomes the same image', () => {
  for (const layout of ['nchw', 'nhwc', 'chw', 'hwc'] as const) {
    for (const type of ['float32', 'float16', 'float64'] as const) {
      const scale = { scale: 1 / 255, mean: [0.485, 0.456, 0.406, 0.5], std: [0.229, 0.224, 0.225, 0.25] };
      const tensor = ops.fromImage(image, { channels: 'rgba', layout, type, ...scale });
      const { data, width, height } = ops.toImageData(tensor, { layout, ...scale });
      expect({ layout, type, width, height, data: [...data] }).toEqual({
        layout,
        type,
        width: 5,
        height: 4,
        data: [...image.data],
      });
    }
  }
});

test('one channel is gray, three get alpha 255, and blue may come first', () => {
  const data = [1, 2, 3];
  expect([...ops.toImageData({ type: 'uint8', dims: [1, 1, 3], data }).data]).toEqual([
    1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 255,
  ]);
  expect([...ops.toImageData({ type: 'uint8', dims: [3, 1, 1], data }).data]).toEqual([1, 2, 3, 255]);
  expect([...ops.toImageData({ type: 'uint8', dims: [3, 1, 1], data }, { channels: 'bgr' }).data]).toEqual([
    3, 2, 1, 255,
  ]);
  expect([...ops.toImageData({ type: 'int64', dims: [1, 1, 1, 3], data }, { layout: 'nhwc' }).data]).toEqual([
    1, 2, 3, 255,
  ]);
  expect(ops.toImageData({ type: 'uint8', dims: [3, 1], data })).toMatchObject({ width: 1, height: 3 });
});

test('a mask of booleans is black and white', () => {
  const picture = ops.toImageData({ type: 'bool', dims: [1, 2], data: [true, false] }, { scale: 1 / 255 });
  expect([...picture.data]).toEqual([255, 255, 255, 255, 0, 0, 0, 255]);
});

test('the picture belongs to JavaScript, and no tensor stays', () => {
  const before = ops.memory();
  const tensor = ops.fromImage(image);
  const { data } = ops.toImageData(tensor);
  tensor.dispose();
  expect(ops.memory().liveTensors).toBe(before.liveTensors);
  expect(data.buffer.byteLength).toBe(80);
});

test.each([
  [{ type: 'float32', dims: [3], data: [1, 2, 3] }, {}, ['[3]']],
  [{ type: 'float32', dims: [1, 1, 1, 1, 1], data: [1] }, {}, ['[1, 1, 1, 1, 1]']],
  [{ type: 'float32', dims: [2, 1, 1, 1], data: [1, 2] }, {}, ['batch of 2']],
  [{ type: 'float32', dims: [1, 1, 3], data: [1, 2, 3] }, { layout: 'chw', mean: [1, 2] }, ['mean has 2 numbers']],
  [{ type: 'float32', dims: [1, 3, 2], data: [1, 2, 3, 4, 5, 6] }, { layout: 'hwc' }, ['2 channels', "'nchw'"]],
  [{ type: 'float32', dims: [2, 1, 3], data: [1, 2, 3, 4, 5, 6] }, {}, ['2 channels', "'nhwc'"]],
  [{ type: 'float32', dims: [1, 1], data: [1] }, { scale: 0 }, ['scale has 0']],
  [{ type: 'float32', dims: [1, 1], data: [1] }, { type: 'uint8' }, ["'type'"]],
  [{ type: 'float32', dims: [1, 1], data: [1] }, { channels: 'gray' }, ['"gray"']],
  [7, {}, ['the tensor is 7']],
] as const)('the tensor %p with %p is not an image', (tensor, options, says) => {
  expectRefusal(ops, () => ops.toImageData(tensor as never, options as never), { code: 'INVALID_ARGUMENT', says });
});

test('strings and complex numbers are not pixels', () => {
  const tensor: TensorLike = { type: 'string', dims: [1, 1], data: ['a'] };
  expectRefusal(ops, () => ops.toImageData(tensor), { code: 'UNSUPPORTED_TYPE', says: ['string'] });
});

const prepared = ops.fromImage(
  { data: new Uint8Array(100 * 200), width: 200, height: 100 },
  { resize: [64, 64], fit: 'contain' },
);

test('points and boxes go back to the image, as lists or as tensors', () => {
  expect(prepared).toMatchObject({ scaleX: 0.32, scaleY: 0.32, padLeft: 0, padTop: 16 });
  expect(ops.toImageCoordinates([32, 32], prepared)).toEqual([100, 50]);
  expect(ops.toImageCoordinates([], prepared)).toEqual([]);
  expect(ops.toImageCoordinates([[0, 16, 64, 48]], prepared)).toEqual([[0, 0, 200, 100]]);
  expect(ops.toImageCoordinates([[32, 32, 32, 16]], prepared, { format: 'xywh' })).toEqual([[100, 50, 100, 50]]);
  expect(ops.toImageCoordinates([[0, 16, 64, 48, 32, 32]], prepared)).toEqual([[0, 0, 200, 100, 100, 50]]);
  const boxes = ops.tensor('float32', [[[0, 16, 64, 48]]]);
  const back = ops.toImageCoordinates(boxes, prepared);
  expect([back.type, back.dims, [...back.data]]).toEqual(['float32', [1, 1, 4], [0, 0, 200, 100]]);
  expect([...boxes.data]).toEqual([0, 16, 64, 48]);
});

test('a place alone tells as much as the tensor', () => {
  expect(ops.toImageCoordinates([32, 32], prepared.images[0] as never)).toEqual([100, 50]);
});

test.each([
  [[1, 2, 3], prepared, {}, ['3 numbers']],
  [[1, 2], prepared, { format: 'xywh' }, ['2 numbers', 'width and height']],
  [7, prepared, {}, ['7 is not a tensor']],
  [[1, 2], {}, {}, ['not what fromImage made']],
  [[1, 2], null, {}, ['null']],
  [[1, 2], prepared, { format: 'xy' }, ['"xy"', "'xyxy'"]],
  [[1, 2], prepared, { clip: true }, ["'clip'"]],
] as const)('toImageCoordinates refuses %p', (boxes, place, options, says) => {
  expectRefusal(ops, () => ops.toImageCoordinates(boxes as never, place as never, options as never), {
    code: 'INVALID_ARGUMENT',
    says,
  });
});

test('a batch has several places, so one is asked for', () => {
  const batch = ops.fromImage([image, image]);
  expectRefusal(ops, () => ops.toImageCoordinates([1, 2], batch), {
    code: 'INVALID_ARGUMENT',
    says: ['prepared.images[i]'],
  });
  expect(ops.toImageCoordinates([1, 2], batch.images[1] as never)).toEqual([1, 2]);
});
