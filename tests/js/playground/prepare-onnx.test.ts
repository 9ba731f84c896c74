// The .onnx files that the playground's page Prepare writes do what `fromImage` does.
import { expect, test } from '@jest/globals';
import { type ImageOptions, load, type Tensor } from 'broadloom';
import { imageModel, noImageOnnx } from '../../../web-demo/src/prepare/image-onnx.js';
import { sizeOf } from '../../../web-demo/src/prepare/image-size.js';
import type { Pixels } from '../../../web-demo/src/prepare/protocol.js';
import { testPicture } from '../../../web-demo/src/prepare/samples.js';

const ops = await load();

function picture(width: number, height: number): Pixels {
  return testPicture(width, height);
}

/** The bytes of a picture as the file takes them. */
function bytesOf({ data, width, height }: Pixels): Tensor {
  const rgb = data.filter((_, i) => i % 4 !== 3);
  return ops.tensor('uint8', new Uint8Array(rgb), [1, height, width, 3]);
}

/** The greatest distance of the file's elements to those of `fromImage`, in levels, and the part that is a level away. */
function distance(options: ImageOptions, source: Pixels): { greatest: number; differ: number } {
  return ops.scope(() => {
    const wanted = ops.fromImage(source, options);
    const model = ops.loadModel(imageModel(options, sizeOf(wanted, options.layout)));
    const { tensor } = model.run({ image: bytesOf(source) }) as { tensor: Tensor };
    model.dispose();
    expect([tensor.type, [...tensor.dims]]).toEqual([wanted.type, [...wanted.dims]]);
    const numbers = (each: Tensor) => ops.cast(each, { to: 'float64' }).toArray() as Float64Array;
    const [one, other] = [numbers(tensor), numbers(wanted)];
    const level = Math.max(...[options.std ?? 1].flat().map((std) => (options.scale ?? 1) / std));
    let [greatest, differ] = [0, 0];
    for (let i = 0; i < wanted.size; i++) {
      const levels = Math.abs((one[i] as number) - (other[i] as number)) / level;
      if (levels > greatest) greatest = levels;
      if (levels > 0.5) differ++;
    }
    return { greatest, differ: differ / wanted.size };
  });
}

/** Presets, those of large pictures in an eighth of the size: their steps are the same. */
const presets = Object.fromEntries(
  Object.entries(ops.presets as { readonly [name: string]: ImageOptions }).map(([name, options]) => {
    const isLarge = Array.isArray(options.resize) && options.resize[0] >= 640;
    return [name, isLarge ? { ...options, resize: options.resize.map((side) => side / 8) } : options];
  }),
);

const cases: { readonly [title: string]: ImageOptions } = {
  ...presets,
  'no steps': {},
  'gray bytes, channels last': { resize: [40, 30], channels: 'gray', type: 'uint8', layout: 'hwc' },
  'the middle, as large as it was': { resize: [50, 70], fit: 'cover', type: 'float64', layout: 'nhwc' },
  'cover from the corner': { resize: [70, 50], fit: 'cover', position: 'top-left', layout: 'chw' },
  'a crop larger than the picture': { resize: 40, crop: [81, 90], fill: [1, 2, 3], channels: 'bgr' },
  'a box that lies partly outside': { crop: { top: -7, left: 5, height: 31, width: 300 }, fill: 9, type: 'uint8' },
  'larger than it was': { resize: [300, 400], filter: 'bicubic', scale: 1 / 255 },
};

test.each(Object.entries(cases))('the file for %s gives the tensor of fromImage within a level', (title, options) => {
  for (const [width, height] of [
    [160, 120],
    [101, 173],
    [64, 64],
  ] as const) {
    const { greatest, differ } = distance(options, picture(width, height));
    expect([title, greatest]).toEqual([title, expect.closeTo(0, -0.4)]);
    // OpenCV's weights have 11 bits. With Pillow's, which have 22, results differ where they lie between two levels.
    expect(differ).toBeLessThan(options.antialias === false ? 0.15 : 0.06);
  }
});

test('the file for the nearest pixels takes others only where the middle falls between two', () => {
  const options = { resize: [33, 47], filter: 'nearest', type: 'uint8' } as const;
  expect(distance(options, picture(160, 120)).differ).toBeLessThan(1 / 33 + 1 / 47);
  expect(distance({ ...options, resize: [30, 40] }, picture(160, 120)).differ).toBe(0);
});

test('filters that Resize lacks, and opacity, have a reason in the place of a file', () => {
  expect(noImageOnnx({ resize: 9, filter: 'lanczos' })).toEqual({ why: 'filter', word: 'lanczos' });
  expect(noImageOnnx({ channels: 'rgba' })).toEqual({ why: 'rgba', word: 'rgba' });
  expect(noImageOnnx({ filter: 'lanczos' })).toBeUndefined();
});
