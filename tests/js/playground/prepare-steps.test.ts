// The steps of the playground's page Prepare: fields, options, links, and how far two pictures lie apart.
import { expect, test } from '@jest/globals';
import { type ImageOptions, load } from 'broadloom';
import { rateOf } from '../../../web-demo/src/prepare/decode.js';
import { differenceOf, toGray } from '../../../web-demo/src/prepare/difference.js';
import { draftToLink, firstDraft, linkToDraft, noSteps } from '../../../web-demo/src/prepare/draft.js';
import {
  FieldError,
  fieldsOfOptions,
  imageOptions,
  presetGroups,
  presetOf,
  soundSteps,
} from '../../../web-demo/src/prepare/options.js';
import { testSound } from '../../../web-demo/src/prepare/samples.js';
import { envelopeOf, spectrogramOf } from '../../../web-demo/src/prepare/sound-work.js';

const ops = await load();
const presets: { readonly [name: string]: ImageOptions } = ops.presets;

test.each(Object.entries(presets))('the fields of %s give its options', (name, options) => {
  const fields = fieldsOfOptions(options);
  expect(imageOptions(fields)).toEqual(options);
  expect(presetGroups(presets).get(presetOf(fields, presets) as string)).toContain(name);
});

test('the page begins with imagenet, whose address is the shortest', () => {
  expect(presetOf(firstDraft.image, presets)).toBe('imagenet');
  expect(draftToLink(firstDraft)).toBe('');
});

test.each([
  ...Object.entries(presets),
  ['all steps', { crop: { top: -1, left: 2, height: 3, width: 4 }, fill: [1, 2, 3] }],
])('a link brings back the fields of %s', (_, options) => {
  const draft = { ...firstDraft, image: fieldsOfOptions(options as ImageOptions) };
  const link = draftToLink(draft);
  expect(link === '' ? firstDraft : linkToDraft(link)).toEqual(draft);
  expect(link).toMatch(/^[\w?=&,.%-]*$/);
});

test('a link brings back the steps of a sound', () => {
  const sound = { rate: '8000', features: 'fbank', seconds: '1.5', bins: '40' };
  const draft = { ...firstDraft, media: 'sound' as const, sound };
  expect(linkToDraft(draftToLink(draft))).toEqual(draft);
  expect(draftToLink({ ...firstDraft, media: 'sound' })).toBe('sound?');
});

test.each([
  'video?',
  'image?nothing=1',
  'image?filter=area',
  'image?constructor=1',
  `image?crop=${'1'.repeat(201)}`,
  'sound?features=mfcc',
])('the link %s is damaged', (link) => {
  expect(linkToDraft(link)).toBeUndefined();
});

test('numbers may be fractions, and lists may have brackets', () => {
  const { scale, mean, crop } = imageOptions({ ...noSteps, scale: '2 / 510', mean: '[1, 2 3]', crop: '1,2,3,4' });
  expect(scale).toBe(1 / 255);
  expect(mean).toEqual([1, 2, 3]);
  expect(crop).toEqual({ top: 1, left: 2, height: 3, width: 4 });
});

test.each([
  ['scale', '1/'],
  ['scale', '1, 2'],
  ['resize', 'large'],
  ['crop', '1, 2, 3'],
  ['mean', '1, x'],
  ['std', '1/0'],
])('%s as "%s" is a mistake in that field', (field, text) => {
  expect(() => imageOptions({ ...noSteps, [field]: text })).toThrow(FieldError);
  expect(() => imageOptions({ ...noSteps, [field]: text })).toThrow(expect.objectContaining({ field }));
});

test('a crop of one number is told both lists that it may be', () => {
  expect(() => imageOptions({ ...noSteps, crop: '224' })).toThrow(
    'there is 1 value, expected 2 (height, width) or 4 (top, left, height, width)',
  );
});

test('seconds become samples at the rate of the model', () => {
  expect(soundSteps({ rate: '16000', features: 'whisper', seconds: '30', bins: '' })).toEqual({
    ...{ rate: 16000, features: 'whisper', length: 480000, bins: 80 },
  });
  expect(() => soundSteps({ ...firstDraft.sound, rate: '1, 2' })).toThrow(FieldError);
});

test('the difference of two pictures counts levels as they are seen', () => {
  const picture = (...data: number[]) => ({ data: Uint8ClampedArray.from(data), width: 2, height: 1 });
  const clear = differenceOf(picture(9, 9, 9, 0, 5, 5, 5, 255), picture(0, 0, 0, 0, 5, 5, 5, 255));
  expect(clear).toMatchObject({ mean: 0, greatest: 0 });
  const found = differenceOf(picture(0, 10, 20, 255, 5, 5, 5, 255), picture(0, 11, 0, 255, 5, 5, 5, 255));
  expect(found).toMatchObject({ mean: 21 / 6, greatest: 20, differ: 2 / 6, differMore: 1 / 6 });
  expect([...found.picture.data]).toEqual([0, 8, 160, 255, 0, 0, 0, 255]);
});

test('the gray of a canvas is that of fromImage', () => {
  const data = Uint8ClampedArray.from({ length: 4000 }, (_, i) => (i % 4 === 3 ? 255 : (i * 7919) % 256));
  const gray = toGray(data).filter((_, i) => i % 4 === 0);
  const options = { channels: 'gray', type: 'uint8' } as const;
  const tensor = ops.fromImage({ data, width: 10, height: 100 }, options);
  expect([...(tensor.toArray() as Uint8Array)]).toEqual([...gray]);
  tensor.dispose();
});

test('a .wav file tells its rate, and others are decoded at 48 kHz', () => {
  const head = new Uint8Array(28);
  head.set(new TextEncoder().encode('RIFF0000WAVEfmt '));
  new DataView(head.buffer).setUint32(24, 22050, true);
  expect(rateOf(head)).toBe(22050);
  new DataView(head.buffer).setUint32(24, 1, true);
  expect([rateOf(head), rateOf(new Uint8Array()), rateOf(head.subarray(1))]).toEqual([48000, 48000, 48000]);
});

test('a wave has the least and the greatest sample of each part', () => {
  const samples = new Float32Array(5120);
  samples.set([-1, 0.5], 10);
  const envelope = envelopeOf(samples);
  expect([envelope.length, ...envelope.subarray(0, 6)]).toEqual([1024, 0, 0, -1, 0.5, 0, 0]);
  expect(envelopeOf(new Float32Array()).every((value) => value === 0)).toBe(true);
});

test('a spectrogram has low frequencies at the bottom, whichever axis is first', () => {
  const [bins, frames] = [2, 3];
  const one = spectrogramOf(Float32Array.of(1, 0, 0, 0, 0, 0), bins, frames, false);
  const other = spectrogramOf(Float32Array.of(1, 0, 0, 0, 0, 0), bins, frames, true);
  expect(one).toEqual(other);
  const red = [...(one as { data: Uint8ClampedArray }).data].filter((_, i) => i % 4 === 0);
  expect(red).toEqual([68, 68, 68, 253, 68, 68]);
  expect(spectrogramOf(new Float32Array(), 80, 0, false)).toBeUndefined();
});

test('the test sound is as long at every rate', () => {
  expect(testSound(8000).channels[0]?.length).toBe(24000);
});
