// Conversions of images beside onnxruntime-common, in browsers: Tensor.fromImage, toImageData and toDataURL.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { usualBrowsers } from '../browser/helpers/browsers.mjs';
import { openImages } from './images-page.mjs';

const formats = ['RGB', 'RGBA', 'BGR', 'RBG'];
const norms = {
  'without norm': undefined,
  'norm of numbers': { mean: 127.5, bias: -127.5 },
  'norm of three': { mean: [58.395, 57.12, 57.375], bias: [-123.675, -116.28, -103.53] },
  'norm of four': { mean: [1, 2, 3, 4], bias: [5, 6, 7, 8] },
};

/** Elements of a picture of 3 x 2 pixels: bytes / 255, some beyond 0 and 1. */
const tensorOf = (channels, dims = [1, channels, 2, 3]) => ({
  type: 'float32',
  dims,
  data: Array.from({ length: 6 * channels }, (_, i) => ((i * 47) % 300) / 255 - 0.05),
});

for (const name of usualBrowsers)
  describe(name, () => {
    let page;
    before(async () => {
      page = await openImages(name);
    });
    after(() => page?.close());

    /** The outcome in both libraries. */
    const both = async (work, ...args) => ({
      broadloom: await page[work]('broadloom', ...args),
      original: await page[work]('original', ...args),
    });

    /** The outcome, which is the same in both libraries. */
    async function same(work, ...args) {
      const { broadloom, original } = await both(work, ...args);
      assert.ok(!original.error, `${JSON.stringify(args)}: ${JSON.stringify(original)}`);
      assert.deepEqual(broadloom, original, JSON.stringify(args));
      return broadloom;
    }

    for (const image of ['ImageData', 'ImageBitmap', 'a data URL'])
      for (const tensorFormat of formats)
        test(`fromImage(${image}): the elements of ${tensorFormat} are those of onnxruntime-common`, async () => {
          for (const norm of Object.values(norms)) {
            const { dims } = await same('fromImage', image, { tensorFormat, ...(norm && { norm }) });
            assert.deepEqual(dims, [1, tensorFormat.length, 5, 7]);
          }
        });

    test('fromImage without options: the tensor is that of onnxruntime-common', async () => {
      for (const image of ['ImageData', 'a transparent ImageData', 'a data URL']) await same('fromImage', image);
      for (const image of ['ImageData', 'ImageBitmap', 'a data URL']) await same('fromImage', image, {});
      const options = { tensorLayout: 'NCHW', dataType: 'float32', resizedWidth: 7, resizedHeight: 5 };
      for (const image of ['ImageData', 'ImageBitmap', 'a data URL']) await same('fromImage', image, options);
    });

    test('fromImage(an element): RGB as documented, where onnxruntime-common makes RGBA and takes no tensorFormat', async () => {
      for (const norm of Object.values(norms)) {
        const original = await page.fromImage('original', 'an element', ...(norm ? [{ norm }] : []));
        assert.deepEqual(original.dims, [1, 4, 5, 7]);
        const rgba = await page.fromImage('broadloom', 'an element', { tensorFormat: 'RGBA', ...(norm && { norm }) });
        assert.deepEqual(rgba, original);
        const rgb = await page.fromImage('broadloom', 'an element', ...(norm ? [{ norm }] : []));
        assert.deepEqual(rgb.dims, [1, 3, 5, 7]);
        assert.deepEqual(rgb.data, original.data.slice(0, 3 * 35));
      }
      const { original } = await both('fromImage', 'an element', { tensorFormat: 'RGB' });
      assert.match(original.message, /must be RGBA/);
    });

    test('fromImage(an element that is small on the page): all its pixels, where onnxruntime-common cuts', async () => {
      const { broadloom, original } = await both('fromImage', 'an element that is small on the page');
      assert.deepEqual(original.dims, [1, 4, 2, 3]);
      assert.deepEqual(broadloom, await page.fromImage('broadloom', 'an element'));
    });

    test('fromImage(the address of an SVG): rejects, where onnxruntime-common draws it', async () => {
      const { broadloom, original } = await both('fromImage', 'an SVG');
      assert.deepEqual(original.dims, [1, 3, 2, 3]);
      assert.match(broadloom.message, /^Tensor.fromImage: "data:image\/svg.*" cannot be read: .*cannot decode/);
    });

    test('fromImage(an ImageBitmap) without options: RGB, where onnxruntime-common throws', async () => {
      const { broadloom, original } = await both('fromImage', 'ImageBitmap');
      assert.match(original.message, /Please provide image config/);
      assert.deepEqual(broadloom, await page.fromImage('original', 'ImageBitmap', {}));
    });

    test('fromImage(a canvas): as of its pixels, where onnxruntime-common throws', async () => {
      const { broadloom, original } = await both('fromImage', 'a canvas');
      assert.match(original.message, /not supported/);
      assert.deepEqual(broadloom, await page.fromImage('original', 'ImageData'));
    });

    test('fromImage(an address without an image): rejects, where onnxruntime-common never settles', async () => {
      const { message } = await page.fromImage('broadloom', 'an address without an image');
      assert.equal(message, 'Tensor.fromImage: no file at /nothing.png (status 404)');
      assert.equal(await page.refuses('original'), false);
    });

    test('fromImage(a transparent ImageData) with options: the bytes as they are, where the canvas of onnxruntime-common rounds them', async () => {
      const exact = await page.fromImage('original', 'a transparent ImageData');
      const { broadloom, original } = await both('fromImage', 'a transparent ImageData', { tensorFormat: 'RGB' });
      assert.deepEqual(broadloom, exact);
      assert.notDeepEqual(original, exact);
      const rgba = await page.fromImage('broadloom', 'a transparent ImageData', { tensorFormat: 'RGBA' });
      assert.deepEqual(rgba.data.slice(0, 3 * 35), exact.data);
    });

    test('norm with one member: the other has its default, where onnxruntime-common throws', async () => {
      for (const [norm, whole] of [
        [{ mean: 128 }, { mean: 128, bias: 0 }],
        [{ bias: 5 }, { mean: 255, bias: 5 }],
        [{}, { mean: 255, bias: 0 }],
      ]) {
        const { broadloom, original } = await both('fromImage', 'ImageData', { norm });
        assert.equal(original.error, 'TypeError');
        assert.deepEqual(broadloom, await page.fromImage('original', 'ImageData', { norm: whole }));
      }
    });

    test('norm of three for RGBA: alpha has the default', async () => {
      const options = { tensorFormat: 'RGBA', norm: norms['norm of three'] };
      const { data } = await same('fromImage', 'ImageData', options);
      assert.ok(data.slice(3 * 35).every((alpha) => alpha === 1));
    });

    test('NHWC: the elements of NCHW, pixel by pixel, where onnxruntime-common throws', async () => {
      for (const tensorFormat of formats) {
        const options = { tensorFormat, norm: norms['norm of four'] };
        const { data, dims } = await same('fromImage', 'ImageData', options);
        const { broadloom, original } = await both('fromImage', 'ImageData', { ...options, tensorLayout: 'NHWC' });
        assert.match(original.message, /NHWC .*not supported/);
        const channels = dims[1];
        assert.deepEqual(broadloom.dims, [1, 5, 7, channels]);
        const moved = broadloom.data.map((_, i) => data[(i % channels) * 35 + Math.floor(i / channels)]);
        assert.deepEqual(broadloom.data, moved);
      }
    });

    test('uint8: the bytes, where onnxruntime-common makes float32', async () => {
      for (const image of ['ImageData', 'an element', 'a data URL']) {
        const { broadloom, original } = await both('fromImage', image, { dataType: 'uint8' });
        assert.deepEqual([broadloom.type, broadloom.array, original.type], ['uint8', 'Uint8Array', 'float32']);
        const bytes = original.data.slice(0, 3 * 35).map((element) => Math.round(255 * element));
        assert.deepEqual(broadloom.data, bytes);
      }
    });

    test('resizedWidth, resizedHeight: the whole image, where onnxruntime-common cuts, pads or ignores them', async () => {
      const resized = { resizedWidth: 4, resizedHeight: 3, tensorFormat: 'RGBA' };
      const seen = {};
      for (const image of ['ImageData', 'ImageBitmap', 'a data URL']) {
        const { broadloom, original } = await both('fromImage', image, resized);
        assert.deepEqual(broadloom.dims, [1, 4, 3, 4]);
        seen[image] = { broadloom: broadloom.data, original: original.dims };
      }
      // Images are the same, whichever form they have.
      assert.deepEqual(seen.ImageBitmap.broadloom, seen.ImageData.broadloom);
      assert.deepEqual(seen['a data URL'].broadloom, seen.ImageData.broadloom);
      assert.deepEqual(seen.ImageBitmap.original, [1, 4, 5, 7]);
      assert.deepEqual(seen['a data URL'].original, [1, 4, 5, 7]);
      const whole = await page.fromImage('original', 'ImageData');
      const { broadloom, original } = await both('fromImage', 'ImageData', { resizedWidth: 4, resizedHeight: 3 });
      const corner = (i) => Math.floor(i / 12) * 35 + Math.floor((i % 12) / 4) * 7 + (i % 4);
      assert.deepEqual(
        original.data,
        original.data.map((_, i) => whole.data[corner(i)]),
      );
      assert.notDeepEqual(broadloom.data, original.data);
    });

    test('one of resizedWidth and resizedHeight: the other is that of the image, as documented', async () => {
      const { broadloom, original } = await both('fromImage', 'ImageData', { resizedHeight: 3 });
      assert.deepEqual(broadloom.dims, [1, 3, 3, 7]);
      assert.deepEqual(original.dims, [1, 3, 5, 7]);
    });

    test('unknown values of options are refused', async () => {
      for (const options of [
        { tensorFormat: 'GBR' },
        { tensorLayout: 'CHW' },
        { dataType: 'int8' },
        { resizedWidth: 0 },
        { norm: { mean: 'a' } },
        { norm: { bias: [1, 2] } },
      ]) {
        const { error, message } = await page.fromImage('broadloom', 'ImageData', options);
        assert.equal(error, 'TypeError', JSON.stringify(options));
        assert.match(message, /, wanted /);
      }
    });

    test('toImageData: the pixels are those of onnxruntime-common', async () => {
      await same('toImageData', tensorOf(3));
      await same('toImageData', tensorOf(4));
      for (const [format, channels] of [
        ['RGB', 3],
        ['RGBA', 4],
      ])
        for (const norm of Object.values(norms))
          await same('toImageData', tensorOf(channels), { format, ...(norm && { norm }) });
      const { data } = await same('toImageData', tensorOf(4), { format: 'RGBA' });
      assert.ok(new Set(data.filter((_, i) => i % 4 === 3)).size > 3);
    });

    test('toImageData and toDataURL: the elements may be integers, booleans and float16, too', async () => {
      const bytes = Array.from({ length: 18 }, (_, i) => i * 7);
      const options = { format: 'RGB', norm: { mean: 2, bias: 1 } };
      for (const type of ['uint8', 'int8', 'uint16', 'int16', 'uint32', 'int32', 'float16', 'float64'])
        for (const work of ['toImageData', 'toDataURL'])
          await same(work, { type, dims: [1, 3, 2, 3], data: bytes }, options);
      const mask = { type: 'bool', dims: [1, 3, 2, 3], data: bytes.map((byte) => byte % 2 === 1) };
      for (const work of ['toImageData', 'toDataURL']) await same(work, mask, { format: 'RGB' });
      const { message } = await page.toImageData('broadloom', { type: 'int64', dims: [1, 3, 2, 3], data: bytes });
      assert.match(message, /not of int64 \[1,3,2,3\]/);
    });

    test('toImageData of uint8 without norm: the bytes, where onnxruntime-common multiplies them', async () => {
      const tensor = { type: 'uint8', dims: [1, 3, 1, 1], data: [1, 2, 3] };
      const { broadloom, original } = await both('toImageData', tensor, { format: 'RGB' });
      assert.deepEqual(
        [broadloom.data, original.data],
        [
          [1, 2, 3, 255],
          [255, 255, 255, 255],
        ],
      );
    });

    test('toImageData of BGR and RBG: the colours in their places, where onnxruntime-common swaps none, or throws', async () => {
      const { data: rgb } = await same('toImageData', tensorOf(3));
      const swapped = (order) => rgb.map((_, i) => rgb[i - (i % 4) + order[i % 4]]);
      const bgr = await both('toImageData', tensorOf(3), { format: 'BGR' });
      assert.deepEqual(bgr.broadloom.data, swapped([2, 1, 0, 3]));
      assert.deepEqual(bgr.original.data, rgb);
      const rbg = await both('toImageData', tensorOf(3), { format: 'RBG' });
      assert.deepEqual(rbg.broadloom.data, swapped([0, 2, 1, 3]));
      assert.match(rbg.original.message, /doesn't match/);
    });

    test('toImageData without format: RGB as documented, where onnxruntime-common throws', async () => {
      const options = { norm: norms['norm of numbers'] };
      const { broadloom, original } = await both('toImageData', tensorOf(3), options);
      assert.match(original.message, /doesn't match/);
      assert.deepEqual(broadloom, await page.toImageData('original', tensorOf(3), { ...options, format: 'RGB' }));
    });

    test('toImageData of one channel: gray, where onnxruntime-common makes red', async () => {
      const { broadloom, original } = await both('toImageData', tensorOf(1));
      assert.deepEqual(
        broadloom.data,
        original.data.map((_, i) => (i % 4 === 3 ? 255 : original.data[i - (i % 4)])),
      );
      assert.ok(original.data.every((byte, i) => [0, 3].includes(i % 4) || byte === 0));
    });

    test('toImageData of NHWC: pixel by pixel, where onnxruntime-common reads planes', async () => {
      const { data, type } = tensorOf(3);
      const pixels = { type, dims: [1, 2, 3, 3], data: data.map((_, i) => data[(i % 3) * 6 + Math.floor(i / 3)]) };
      const options = { tensorLayout: 'NHWC', format: 'RGB' };
      const { broadloom, original } = await both('toImageData', pixels, options);
      assert.deepEqual(broadloom, await page.toImageData('original', tensorOf(3)));
      assert.deepEqual([original.width, original.height], [3, 2]);
      assert.notDeepEqual(original.data, broadloom.data);
    });

    test('fromImage and toImageData: every byte comes back', async () => {
      const { data: bytes } = await page.fromImage('broadloom', 'ImageData', {
        dataType: 'uint8',
        tensorLayout: 'NHWC',
        tensorFormat: 'RGBA',
      });
      for (const format of formats)
        for (const tensorLayout of ['NCHW', 'NHWC'])
          for (const dataType of ['float32', 'uint8']) {
            const tensor = await page.fromImage('broadloom', 'ImageData', {
              tensorFormat: format,
              tensorLayout,
              dataType,
            });
            const { data } = await page.toImageData('broadloom', tensor, { format, tensorLayout });
            assert.deepEqual(data, bytes, `${format} ${tensorLayout} ${dataType}`);
          }
    });

    test('toDataURL: the pixels are those of onnxruntime-common', async () => {
      await same('toDataURL', tensorOf(3));
      for (const norm of Object.values(norms))
        await same('toDataURL', tensorOf(3), { format: 'RGB', ...(norm && { norm }) });
      await same('toDataURL', tensorOf(3), { format: 'RBG' });
      const { data } = await page.toImageData('broadloom', tensorOf(3));
      assert.deepEqual((await page.toDataURL('broadloom', tensorOf(3))).data, data);
    });

    test('toDataURL of RGBA: with its alpha, where onnxruntime-common makes almost all of it opaque', async () => {
      const { broadloom, original } = await both('toDataURL', tensorOf(4), { format: 'RGBA' });
      const { data } = await page.toImageData('broadloom', tensorOf(4), { format: 'RGBA' });
      const alphas = (bytes) => bytes.filter((_, i) => i % 4 === 3);
      assert.deepEqual(alphas(broadloom.data), alphas(data));
      assert.ok(alphas(original.data).every((alpha) => alpha === 255 || alpha === 0));
    });
  });
