// The .onnx files that the playground's page Prepare writes run in onnxruntime-web, too, with what Broadloom prepares.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type ImageOptions, load, logMelPresets, type Tensor } from 'broadloom';
import { imageModel } from '../../../web-demo/src/prepare/image-onnx.js';
import { sizeOf } from '../../../web-demo/src/prepare/image-size.js';
import { testPicture, testSound } from '../../../web-demo/src/prepare/samples.js';
import { soundModel } from '../../../web-demo/src/prepare/sound-onnx.js';
import { type ProgramResult, runPrograms } from '../helpers/programs.js';

const ops = await load();
const onnxruntime = fileURLToPath(
  new URL('../../../web-demo/node_modules/onnxruntime-web/dist/ort.node.min.mjs', import.meta.url),
);
const isThere = existsSync(onnxruntime);
if (!isThere)
  process.stderr.write('playground/prepare-onnxruntime: SKIPPED running onnxruntime-web: npm ci in web-demo first\n');

const picture = testPicture(80, 60);
const bytes = new Uint8Array(picture.data.filter((_, i) => i % 4 !== 3));
const samples = (testSound(16000).channels[0] as Float32Array).slice(0, 8000);

const images: { readonly [title: string]: ImageOptions } = {
  imagenet: ops.presets.imagenet,
  clip: ops.presets.clip,
  'a letterbox': { ...ops.presets.yolo, resize: [64, 96] },
  'a letterbox in a colour': { ...ops.presets.sam, resize: [64, 64] },
  'gray bytes, channels last': { resize: [40, 30], channels: 'gray', type: 'uint8', layout: 'hwc' },
  'the middle, channels last': { resize: [50, 70], fit: 'cover', layout: 'nhwc' },
  'a crop larger than the picture': { resize: 40, crop: [81, 90], fill: [1, 2, 3], channels: 'bgr' },
};
const sounds = [...Object.keys(logMelPresets), 'fbank'];

const program = (file: string, feeds: string): string => `import ort from 'onnxruntime-web';
const read = async (name) => (await fetch(name)).arrayBuffer();
const session = await ort.InferenceSession.create(new Uint8Array(await read('${file}')));
const outputs = await session.run({ ${feeds} });
for (const { type, dims, data } of Object.values(outputs)) console.log(type, dims, data);
`;

/** The greatest distance of what a program printed to a tensor. */
function distance({ logged, error }: ProgramResult, wanted: Tensor): number {
  const [type, dims, data] = (logged?.[0] ?? []) as [string, number[], number[]];
  expect([error, type, dims]).toEqual([undefined, wanted.type, [...wanted.dims]]);
  const elements = wanted.toArray() as Float32Array;
  return data.reduce((most, value, i) => Math.max(most, Math.abs(value - (elements[i] as number))), 0);
}

(isThere ? describe : describe.skip)('onnxruntime-web', () => {
  const results = new Map<string, ProgramResult>();

  beforeAll(() => {
    const files: { [name: string]: Uint8Array } = { 'image.bin': bytes, 'samples.bin': new Uint8Array(samples.buffer) };
    const imageFeed = "image: new ort.Tensor('uint8', new Uint8Array(await read('image.bin')), [1, 60, 80, 3])";
    const soundFeed = `samples: new ort.Tensor('float32', new Float32Array(await read('samples.bin')), [${samples.length}])`;
    const programs = Object.entries(images).map(([, options], i) => {
      files[`image-${i}.onnx`] = ops.scope(() => {
        return imageModel(options, sizeOf(ops.fromImage(picture, options), options.layout));
      });
      return program(`image-${i}.onnx`, imageFeed);
    });
    for (const features of sounds) {
      files[`${features}.onnx`] = soundModel({ features, rate: 16000, length: 10000, bins: 40 }, logMelPresets);
      programs.push(program(`${features}.onnx`, soundFeed));
    }
    const found = runPrograms(programs, { 'onnxruntime-web': onnxruntime }, files);
    for (const [i, name] of [...Object.keys(images), ...sounds].entries()) results.set(name, found[i] as ProgramResult);
  }, 60_000);

  test.each(Object.entries(images))('%s is within a level of fromImage', (title, options) => {
    ops.scope(() => {
      const level = (options.scale ?? 1) / Math.min(...[options.std ?? 1].flat());
      const far = distance(results.get(title) as ProgramResult, ops.fromImage(picture, options));
      expect(far).toBeLessThan(1.001 * level);
    });
  });

  test.each(sounds)('%s is the spectrogram of Broadloom', (features) => {
    ops.scope(() => {
      const padded = new Float32Array(10000);
      padded.set(samples);
      const options = logMelPresets[features as keyof typeof logMelPresets];
      const wanted = features === 'fbank' ? ops.fbank(padded, { melBins: 40 }) : ops.logMel(padded, options);
      // onnxruntime's transform of 400 samples is less exact: bins that are nearly silent differ by up to 0.01 of a logarithm.
      expect(distance(results.get(features) as ProgramResult, wanted)).toBeLessThan(2e-2);
    });
  });
});
