// Pixels and samples as elements of tensors.
import { expect, test } from '@jest/globals';
import { elementsOfPixels } from '../../../web-demo/src/values/picture-elements.js';
import { layoutOf, planeOf } from '../../../web-demo/src/values/plane.js';
import { elementsOfSamples } from '../../../web-demo/src/values/sound-elements.js';

/** A red and a blue pixel. */
const pixels = Uint8ClampedArray.of(255, 0, 0, 255, 0, 51, 255, 102);

function elements(
  layout: 'NCHW' | 'NHWC',
  scale: 'unit' | 'signed' | 'bytes' | 'imagenet',
  channels: number,
  count = 1,
): number[] {
  const list = elementsOfPixels(pixels, { layout, scale }, { count, channels, height: 1, width: 2 });
  return [...list].map((value) => Number(value.toFixed(3)));
}

test('channels come first or last', () => {
  expect(elements('NCHW', 'bytes', 3)).toEqual([255, 0, 0, 51, 0, 255]);
  expect(elements('NHWC', 'bytes', 3)).toEqual([255, 0, 0, 0, 51, 255]);
  expect(elements('NHWC', 'bytes', 4)).toEqual([255, 0, 0, 255, 0, 51, 255, 102]);
});

test('one channel is the grey of the colours', () => {
  expect(elements('NCHW', 'bytes', 1)).toEqual([76, 59]);
});

test('levels become numbers from 0 to 1, from -1 to 1, or those that ImageNet has', () => {
  expect(elements('NCHW', 'unit', 3)).toEqual([1, 0, 0, 0.2, 0, 1]);
  expect(elements('NCHW', 'signed', 3)).toEqual([1, -1, -1, -0.6, -1, 1]);
  expect(elements('NCHW', 'imagenet', 3)).toEqual([2.249, -2.118, -2.036, -1.143, -1.804, 2.64]);
});

test('every picture of a batch is the same', () => {
  expect(elements('NCHW', 'unit', 1, 2)).toEqual([0.298, 0.231, 0.298, 0.231]);
});

test('the plane of a picture is in the last three axes, with 1, 3 or 4 channels', () => {
  expect(planeOf('NCHW', [2, 3, 4, 5])).toEqual({ count: 2, channels: 3, height: 4, width: 5 });
  expect(planeOf('NHWC', [4, 5, 1])).toEqual({ count: 1, channels: 1, height: 4, width: 5 });
  for (const dims of [[1, 2, 4, 4], [4, 4], [], [1, 3, 0, 4], [1, 3, 2 ** 20, 2 ** 20]])
    expect(planeOf('NCHW', dims)).toBeUndefined();
  expect([layoutOf([1, 3, 8, 8]), layoutOf([1, 8, 8, 3]), layoutOf([1, 3, 8, 3])]).toEqual(['NCHW', 'NHWC', 'NCHW']);
});

test('samples are cut or padded with zeros to the last axis, from a second on, in every row', () => {
  const samples = Float32Array.of(1, 2, 3, 4);
  const from = (start: number, dims: readonly number[]): number[] => [
    ...elementsOfSamples(samples, { rate: 2, start }, dims),
  ];
  expect(from(0, [2, 3])).toEqual([1, 2, 3, 1, 2, 3]);
  expect(from(1, [5])).toEqual([3, 4, 0, 0, 0]);
  expect(from(9, [2])).toEqual([0, 0]);
});
