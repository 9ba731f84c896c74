// Addresses of the playground.
import { expect, test } from '@jest/globals';
import { nearNames } from '../../../shared/names.js';
import { callToLink } from '../../../web-demo/src/link.js';
import { hashOf, stateOf, tryHash } from '../../../web-demo/src/router.js';

const call = { operator: 'Shape', opset: 25, inputs: [null], attributes: {} };

const link = callToLink(call) as string;

test('every route is read back from its address', () => {
  for (const route of [
    { page: 'home' },
    { page: 'operator', operator: 'Shape' },
    { page: 'operator', operator: 'Shape', from: 1, to: 15 },
    { page: 'try' },
    { page: 'embed' },
    { page: 'models' },
    { page: 'models', model: 'edges' },
    { page: 'models', model: 'edges', tab: 'run' },
    { page: 'models', tab: 'weights' },
    { page: 'simplify', model: 'parts' },
    { page: 'prepare' },
    { page: 'simplify' },
    { page: 'benchmark' },
    { page: 'foreign', operator: 'TfIdfVectorizer' },
  ] as const) {
    expect(stateOf(hashOf(route)).route).toEqual(
      route.page === 'operator' ? { from: undefined, to: undefined, ...route } : route,
    );
  }
});

test('an empty address is the first page', () => {
  for (const hash of ['', '#', '#/']) expect(stateOf(hash)).toEqual({ route: { page: 'home' }, isLinkDamaged: false });
});

test('the page of an operator without a name is the one of Expand', () => {
  for (const hash of ['#/operators', '#/operators/'])
    expect(stateOf(hash).route).toEqual({ page: 'operator', operator: 'Expand' });
});

test.each([
  ['#/nothing', { what: 'page', name: 'nothing' }],
  ['#/constructor', { what: 'page', name: 'constructor' }],
  ['#/operators/shape', { what: 'operator', name: 'shape' }],
  ['#/operators/constructor', { what: 'operator', name: 'constructor' }],
  ['#/operators/%E5%B9%BF', { what: 'operator', name: '广' }],
  ['#/try/Einsun', { what: 'try', name: 'Einsun' }],
  ['#/try/%E5%B9%BF', { what: 'try', name: '广' }],
  ['#/operators/%', { what: 'operator', name: '%' }],
  ['#/operators/Shape/9..99', { what: 'version', name: '9', operator: 'Shape' }],
  ['#/operators/Expand/..12', { what: 'version', name: '12', operator: 'Expand' }],
])('%s is known to lead nowhere', (hash, route) => {
  expect(stateOf(hash)).toEqual({ route: { page: 'unknown', ...route }, isLinkDamaged: false });
});

test.each([
  ['shape', ['Shape', 'ConstantOfShape']],
  ['Expnad', ['Expand']],
  ['constant of shape', ['ConstantOfShape', 'Constant']],
  ['benchmarks', ['benchmark']],
  ['', []],
  ['zzzzzz', []],
])('%j may have meant %j', (name, known) => {
  const all = ['Constant', 'ConstantOfShape', 'Expand', 'Identity', 'Shape', 'try', 'models', 'benchmark'];
  expect(nearNames(name, all)).toEqual(known);
});

test('"Try it" opens an operator by its name', () => {
  const tried = { route: { page: 'try' }, isLinkDamaged: false };
  expect(tryHash('Einsum')).toBe('#/try/Einsum');
  expect(stateOf('#/try/Einsum')).toEqual({ ...tried, opens: 'Einsum' });
  expect(stateOf('#/try/')).toEqual(tried);
});

test('an operator that does not run has a page of its own, from each address', () => {
  for (const page of ['operators', 'try']) {
    expect(stateOf(`#/${page}/ImageDecoder`).route).toEqual({ page: 'foreign', operator: 'ImageDecoder' });
  }
});

test('a link brings its call', () => {
  for (const page of ['try', 'embed', 'operators/Shape', 'operators/Shape/1..15']) {
    expect(stateOf(`#/${page}/${link}`)).toMatchObject({ call, isLinkDamaged: false });
  }
});

test.each([
  ['that is cut off', link.slice(0, -4)],
  ['of an operator that is not known', callToLink({ ...call, operator: 'Nope' })],
])('a link %s is called damaged', (_, damaged) => {
  expect(stateOf(`#/try/${damaged}`)).toEqual({ route: { page: 'try' }, isLinkDamaged: true });
});

test('the page of an operator does not take the call of another', () => {
  expect(stateOf(`#/operators/Expand/${link}`)).toMatchObject({ route: { operator: 'Expand' }, isLinkDamaged: true });
});
