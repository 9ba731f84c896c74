// The form of the page "Simplify": the fields for a model, and their options.
import { expect, test } from '@jest/globals';
import { load, type SimplifyFix, type ValueInfo } from 'broadloom';
import { simplifyModels } from '../../../tools/models/samples.mjs';
import {
  emptyForm,
  type Form,
  fieldOfFix,
  fieldsOf,
  numberFields,
  wishOf,
} from '../../../web-demo/src/simplify/form.js';

const inputs: readonly ValueInfo[] = [
  { name: 'x', type: 'float32', dims: ['batch', 3, null, 'batch'] },
  { name: 'state', type: 'float32', dims: [2, 'batch', 'size.1'] },
  { name: 'any', type: 'float32', dims: null },
  { name: 'rate', type: 'int64', dims: [] },
  { name: 'sizes', type: 'int64', dims: ['n'] },
  { name: 'flags', type: 'bool', dims: [2] },
  { name: 'threshold', type: 'float32', dims: [1] },
  { name: 'tokens', type: 'int64', dims: [1, 512] },
  { name: 'list', type: null, dims: null },
];
const outputs: readonly ValueInfo[] = ['y', 'z'].map((name) => ({ name, type: 'float32', dims: ['batch'] }));
const declared = { inputs, outputs };

const form = (texts: Form['texts'], part: Partial<Form> = {}): Form => ({ ...emptyForm, texts, ...part });

test('names of sizes, open axes, open ranks, and inputs that are numbers or short lists of them have fields', () => {
  const told = fieldsOf(declared).map((field) => {
    if (field.kind === 'dim') return `${field.place} ${field.name} of ${field.inputs}`;
    if (field.kind === 'value') return `${field.place} ${field.input} ${field.type} ${field.dims}`;
    return `${field.place} ${field.input}`;
  });
  expect(told).toEqual([
    'dim:0 batch of x,state',
    'dim:1 size.1 of state',
    'dim:2 n of sizes',
    'axis:0:2 x',
    'shape:2 any',
    'shape:8 list',
    'value:3 rate int64 ',
    'value:4 sizes int64 list',
    'value:5 flags bool 2',
    'value:6 threshold float32 1',
  ]);
});

test('an empty form gives no options', () => {
  expect(wishOf(declared, form({}))).toEqual({
    dims: {},
    shapes: {},
    values: {},
    fuseInexact: false,
    valueInfo: false,
  });
});

test('each field gives its option', () => {
  const texts = {
    ...{ 'dim:0': ' 1 ', 'axis:0:2': 'height', 'shape:2': '[1, rows, 0x10]', 'value:3': '16000', 'value:4': '2, 3, 4' },
    ...{ [numberFields.maxGrowth]: '2000', [numberFields.unroll]: '4' },
  };
  const part = { dropped: new Set(['z']), fuseInexact: true, valueInfo: true };
  expect(wishOf(declared, form(texts, part))).toEqual({
    dims: { batch: 1 },
    shapes: { x: [null, null, 'height', null], any: [1, 'rows', 16] },
    values: {
      rate: { place: 'value:3', draft: { type: 'int64', dims: '', values: { kind: 'text', text: '16000' } } },
      sizes: { place: 'value:4', draft: { type: 'int64', dims: '3', values: { kind: 'text', text: '2, 3, 4' } } },
    },
    outputs: ['y'],
    ...{ maxGrowth: 2000, unroll: 4, fuseInexact: true, valueInfo: true },
  });
});

test('a list has as many elements as its text, with commas or spaces between them, and empty brackets stand for a scalar', () => {
  const read = (text: string) => {
    const wish = wishOf(declared, form({ 'value:4': text }));
    return 'values' in wish ? wish.values.sizes?.draft.dims : wish.message;
  };
  expect(['2 3 4', '[2, 3, 4,]', '[2\n3]', '[]'].map(read)).toEqual(['3', '3', '2', '0']);
  expect(read('2, x')).toBe("element 1 is 'x', expected a number");
  const shape = (text: string) => (wishOf(declared, form({ 'shape:2': text })) as { shapes?: object }).shapes;
  expect(['[]', '( )', '(5,)'].map(shape)).toEqual([{ any: [] }, { any: [] }, { any: [5] }]);
});

test.each([
  ['dim:1', 'one', "element 0 is 'one', expected a whole number"],
  ['dim:0', '1, 2', 'there are 2 values, expected one'],
  [numberFields.unroll, '2.5', "element 0 is '2.5', expected a whole number"],
])('an invalid text of %s is reported at the field: %s', (place, text, message) => {
  expect(wishOf(declared, form({ 'dim:0': '1', [place]: text }))).toMatchObject({ place, message });
});

test('a name such as __proto__ is a name like any other', () => {
  const odd = { inputs: [{ name: 'x', type: 'float32', dims: ['__proto__'] }] as const, outputs: [] };
  const wish = wishOf(odd, form({ 'dim:0': '7' }));
  expect(Object.entries('dims' in wish ? (wish.dims ?? {}) : {})).toEqual([['__proto__', 7]]);
});

test.each([
  [{ dims: { batch: null } }, null, 'dim:0'],
  [{ dims: { 'size.1': null } }, 0, 'dim:1'],
  [{ shapes: { x: ['batch', null, null] } }, 2, 'axis:0:2'],
  [{ shapes: { x: ['batch', null, null] } }, 1, undefined],
  [{ shapes: { any: null } }, null, 'shape:2'],
  [{ values: { rate: null } }, null, 'value:3'],
  [{ values: { tokens: null } }, null, undefined],
  [null, null, undefined],
])('the advice %j for axis %s leads to the field %s', (fix: SimplifyFix | null, axis, place) => {
  expect(fieldOfFix(fieldsOf(declared), fix, axis)?.place).toBe(place);
});

test('every advice of the library for the sample leads to a field', async () => {
  const ops = await load();
  const file = simplifyModels()['parts.onnx'] as Uint8Array;
  using model = ops.loadModel(file, { allowUnsupported: true });
  const { report } = ops.simplify(file);
  const fields = fieldsOf(model);
  const leads = report.dynamic.map(({ fix, axis }) => fieldOfFix(fields, fix, axis)?.place);
  expect(leads).toEqual(['dim:0']);
  const fix = report.kept.find(({ operator }) => operator === 'If')?.fix ?? null;
  expect(fieldOfFix(fields, fix, null)?.place).toBe('value:1');
});
