// The suggestions of the page "Models" for the inputs of a model: sizes, values, and whether a picture or a sound fits.
import { expect, test } from '@jest/globals';
import type { ValueInfo } from 'broadloom';
import { feedsOf, isTensorInput } from '../../../web-demo/src/models/feeds.js';
import { mediaOf } from '../../../web-demo/src/models/media-inputs.js';

function input(name: string, type: ValueInfo['type'], dims: ValueInfo['dims']): ValueInfo {
  return { name, type, dims };
}

/** The dims and the values of each input, as one text. */
function suggested(inputs: readonly ValueInfo[]): { [name: string]: string } {
  const drafts = Object.entries(feedsOf({}, inputs.filter(isTensorInput)));
  return Object.fromEntries(
    drafts.map(([name, { dims, values }]) => {
      if (values.kind === 'range') return [name, `${dims}: ${values.start}`];
      return [name, `${dims}: ${values.kind === 'text' ? values.text : values.kind}`];
    }),
  );
}

test('a picture with open sides is 224 by 224, and the channels that are open are 3', () => {
  expect(suggested([input('x', 'float32', ['n', 3, 'h', 'w'])])).toEqual({ x: '1, 3, 224, 224: random' });
  expect(suggested([input('x', 'float32', [null, null, null, null])])).toEqual({ x: '1, 3, 224, 224: random' });
  expect(suggested([input('x', 'uint8', ['n', 'h', 'w', 3])])).toEqual({ x: '1, 224, 224, 3: 1' });
  expect(suggested([input('x', 'float32', [1, 3, 48, 'w'])])).toEqual({ x: '1, 3, 48, 224: random' });
});

test('a detector of voices gets a short sound, its rate and zeros as its state', () => {
  const inputs = [
    input('input', 'float32', [null, null]),
    input('state', 'float32', [2, null, 128]),
    input('sr', 'int64', []),
  ];
  expect(suggested(inputs)).toEqual({ input: '1, 512: random', state: '2, 1, 128: 0', sr: ': 16000' });
  const older = [input('h', 'float32', [2, 'batch', 64]), input('c', 'float32', [2, 'batch', 64])];
  expect(suggested(older)).toEqual({ h: '2, 1, 64: 0', c: '2, 1, 64: 0' });
});

test('samples of an open number last a second', () => {
  expect(suggested([input('input', 'float32', ['batch', 'samples'])])).toEqual({ input: '1, 16000: random' });
  expect(suggested([input('x', 'float32', ['rows', 'columns'])])).toEqual({ x: '1, 1: random' });
});

test('equal names are equal sizes, a past is empty, and a sum of names is the sum of their sizes', () => {
  const inputs = [
    input('input_ids', 'int64', ['batch', 'sequence']),
    input('attention_mask', 'int64', ['batch', 'past_length + sequence']),
    input('past_key_values.0.key', 'float32', ['batch', 8, 'past_length', 64]),
    input('size', 'float32', ['height', 2]),
    input('image', 'float32', ['batch', 3, 'height', 'width']),
  ];
  expect(suggested(inputs)).toEqual({
    input_ids: '1, 1: 1',
    attention_mask: '1, 1: 1',
    'past_key_values.0.key': '1, 8, 0, 64: 0',
    size: '224, 2: random',
    image: '1, 3, 224, 224: random',
  });
});

test('an input without a rank has one axis, and a scalar is typed in', () => {
  const inputs = [input('x', 'float32', null), input('count', 'int32', []), input('on', 'bool', [])];
  expect(suggested(inputs)).toEqual({ x: '1: random', count: ': 1', on: ': 1' });
});

test('what a person has made of an input stays', () => {
  const draft = { type: 'float32', dims: '7', values: { kind: 'text', text: '1' } } as const;
  const inputs = [input('x', 'float32', ['n']), input('toString', 'float32', [2])].filter(isTensorInput);
  expect(feedsOf({ x: draft }, inputs)).toMatchObject({ x: draft, toString: { dims: '2' } });
});

test.each([
  [['picture'], input('x', 'float32', [1, 3, 224, 224])],
  [['picture'], input('x', 'uint8', ['n', 28, 28, 1])],
  [['picture'], input('x', 'float16', [3, 'h', 'w'])],
  [['sound'], input('x', 'float32', [1, 1, 'n'])],
  [['sound'], input('x', 'float32', [16000])],
  [[], input('x', 'float32', [8])],
  [[], input('x', 'float32', [1, 16, 96])],
  [[], input('x', 'float32', ['n', 3, 4, 4])],
  [[], input('x', 'int64', ['n', 3, 224, 224])],
  [[], input('x', 'string', ['n', 3, 224, 224])],
  [[], input('state', 'float32', [1, 3, 224, 224])],
  [[], input('x', 'float32', null)],
  [[], input('x', null, [1, 3, 224, 224])],
] as const)('%j fits %j', (kinds, one) => {
  expect(mediaOf(one)).toEqual(kinds);
});
