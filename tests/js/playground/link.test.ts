// Calls in links: a written link is read again, and anything else is refused.

import { deflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { type DataType, dataTypes } from 'broadloom';
import fc from 'fast-check';
import type { AttributeDraft, CallDraft, TensorDraft, Values } from '../../../web-demo/src/drafts.js';
import { callToLink, linkToCall } from '../../../web-demo/src/link.js';
import { attributeDrafts, exampleDrafts, tensor, typeDrafts } from '../helpers/drafts.js';
import { announceSeed, generator, holds } from '../helpers/random.js';

announceSeed('playground/link');

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string());
const anyValues: fc.Arbitrary<Values> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('random' as const), seed: fc.integer() }),
  fc.record({ kind: fc.constant('range' as const), start: fc.double(), step: fc.double() }),
  fc.record({ kind: fc.constant('file' as const), name: text, bytes: fc.uint8Array({ maxLength: 300 }) }),
);
const anyTensor: fc.Arbitrary<TensorDraft> = fc.record({
  type: fc.constantFrom<DataType>(...dataTypes.map(({ name }) => name)),
  dims: text,
  values: anyValues,
});
const anyAttribute: fc.Arbitrary<AttributeDraft> = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), text }),
  fc.record({ kind: fc.constant('tensor' as const), tensor: anyTensor }),
  fc.record({ kind: fc.constant('sparse' as const), values: anyTensor, indices: anyTensor, dims: text }),
);
const anyName = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_]{0,20}$/);
const anyCall: fc.Arbitrary<CallDraft> = fc.record({
  operator: anyName,
  opset: fc.integer({ min: 1 }),
  inputs: fc.array(fc.option(anyTensor), { maxLength: 4 }),
  attributes: fc.dictionary(anyName, anyAttribute, { maxKeys: 4, noNullPrototype: true }),
});

test('any call comes back from its link', () => {
  holds(anyCall, (draft) => {
    const link = callToLink(draft);
    expect(link).toMatch(/^1[\w-]*$/);
    expect(linkToCall(link as string)).toEqual(draft);
  });
});

test('documented examples have short links', () => {
  for (const { draft } of exampleDrafts) expect((callToLink(draft) as string).length).toBeLessThan(400);
  for (const { draft } of [...typeDrafts, ...attributeDrafts]) {
    expect(linkToCall(callToLink(draft) as string)).toEqual(draft);
  }
});

const identity = (values: Values): CallDraft => ({
  operator: 'Identity',
  opset: 25,
  inputs: [tensor('uint8', '1', values)],
  attributes: {},
});

test('a call that is too large for a link has none', () => {
  const random = generator(1);
  const noise = (length: number) => Uint8Array.from({ length }, random);
  const file = (bytes: Uint8Array) => identity({ kind: 'file', name: 'a.npy', bytes });
  expect((callToLink(file(noise(20_000))) as string).length).toBeLessThanOrEqual(32_000);
  expect(callToLink(file(noise(24_000)))).toBe(undefined);
  // The link would be short, but the page makes one after every edit, which would be slow.
  expect(callToLink(file(new Uint8Array(5 * 2 ** 20)))).toBe(undefined);
  expect(callToLink(identity({ kind: 'text', text: '1 '.repeat(3 * 2 ** 20) }))).toBe(undefined);
  expect(callToLink(identity({ kind: 'stored', id: 1, size: 70_000, name: 'a.npy' }))).toBe(undefined);
  const long = identity({ kind: 'text', text: '1 '.repeat(2 ** 17) });
  expect(linkToCall(callToLink(long) as string)).toEqual(long);
});

const linkOf = (value: unknown): string =>
  `1${deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;
const values = { kind: 'text', text: '1' };
const input = { type: 'int8', dims: '1', values };
const call = { operator: 'Identity', opset: 25, inputs: [input], attributes: {} };

test('the format is JSON, deflated, in base64url, behind its version', () => {
  expect(linkToCall(linkOf(call))).toEqual(call);
});

test('operators and types that are not known are left for the page to show', () => {
  const other = { ...call, operator: 'Weave', inputs: [{ ...input, type: 'float7' }] };
  expect(linkToCall(linkOf(other))).toEqual(other);
});

test('fields that are not part of a call are dropped', () => {
  const more = { ...call, extra: 1, inputs: [{ ...input, extra: 1, values: { ...values, extra: 1 } }] };
  expect(linkToCall(linkOf(more))).toEqual(call);
});

test.each([
  ['nothing', ''],
  ['another version', linkOf(call).replace(/^1/, '2')],
  ['no base64', '1!!!'],
  ['no deflated bytes', '1AAAA'],
  ['half of a link', linkOf(call).slice(0, 40)],
  ['no JSON', linkOf('{')],
  ['null', linkOf('null')],
  ['a list', linkOf([])],
  ['no operator', linkOf({ ...call, operator: undefined })],
  ['a program as operator', linkOf({ ...call, operator: '"); alert(1); ("' })],
  ['a program as attribute', linkOf({ ...call, attributes: { 'a, b': { kind: 'text', text: '' } } })],
  [
    'an attribute called __proto__',
    linkOf(`{"operator":"A","opset":1,"inputs":[],"attributes":{"__proto__":{"kind":"text","text":""}}}`),
  ],
  ['an opset of 0', linkOf({ ...call, opset: 0 })],
  ['half an opset', linkOf({ ...call, opset: 1.5 })],
  ['an opset as text', linkOf({ ...call, opset: '25' })],
  ['inputs that are not a list', linkOf({ ...call, inputs: {} })],
  ['an input that is a text', linkOf({ ...call, inputs: ['1'] })],
  ['too many inputs', linkOf({ ...call, inputs: Array(1001).fill(null) })],
  ['dims that are a list', linkOf({ ...call, inputs: [{ ...input, dims: [1] }] })],
  ['a type that is a number', linkOf({ ...call, inputs: [{ ...input, type: 1 }] })],
  ['values of another kind', linkOf({ ...call, inputs: [{ ...input, values: { kind: 'web', url: '' } }] })],
  ['values without text', linkOf({ ...call, inputs: [{ ...input, values: { kind: 'text' } }] })],
  ['a seed as text', linkOf({ ...call, inputs: [{ ...input, values: { kind: 'random', seed: '1' } }] })],
  [
    'a start that is not a number',
    linkOf({ ...call, inputs: [{ ...input, values: { kind: 'range', start: 'a', step: '1' } }] }),
  ],
  [
    'bytes that are not base64',
    linkOf({ ...call, inputs: [{ ...input, values: { kind: 'file', name: 'a', bytes: '*' } }] }),
  ],
  ['attributes that are a list', linkOf({ ...call, attributes: [] })],
  ['an attribute of another kind', linkOf({ ...call, attributes: { a: { kind: 'graph' } } })],
  [
    'a sparse tensor without indices',
    linkOf({ ...call, attributes: { a: { kind: 'sparse', values: input, dims: '1' } } }),
  ],
  ['a long text of its own', `1${'A'.repeat(32_000)}`],
  ['a text that is short only deflated', linkOf(JSON.stringify({ ...call, operator: 'A'.repeat(5 * 2 ** 20) }))],
  ['another such text', linkOf(' '.repeat(20 * 2 ** 20) + JSON.stringify(call))],
])('a link with %s is not a call', (_what, link) => {
  expect(linkToCall(link)).toBe(undefined);
});

test('random texts and bytes are not calls, and nothing is thrown', () => {
  holds(text, (link) => expect(linkToCall(`1${link}`)).toBe(undefined));
  holds(fc.json(), (json) => expect(linkToCall(linkOf(json))).toBe(undefined));
});
