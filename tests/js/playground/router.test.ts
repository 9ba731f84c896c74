// Addresses of the playground.
import { expect, test } from '@jest/globals';
import { callToLink } from '../../../web-demo/src/link.js';
import { hashOf, stateOf } from '../../../web-demo/src/router.js';

const call = { operator: 'Shape', opset: 25, inputs: [null], attributes: {} };

test('every route is read back from its address', () => {
  for (const route of [
    { page: 'operator', operator: 'Shape' },
    { page: 'operator', operator: 'Shape', from: 1, to: 15 },
    { page: 'try' },
    { page: 'models' },
    { page: 'benchmark' },
  ] as const) {
    expect(stateOf(hashOf(route))?.route).toEqual(
      route.page === 'operator' ? { from: undefined, to: undefined, ...route } : route,
    );
  }
});

test('the address without anything is the first page', () => {
  expect(stateOf('')?.route).toEqual({ page: 'operator', operator: 'Expand' });
  expect(stateOf('#/')).toEqual(stateOf(''));
});

test.each(['#/nothing', '#/operators', '#/operators/Nope', '#/operators/%', '#/operators/constructor'])(
  '%s asks for nothing',
  (hash) => {
    expect(stateOf(hash)).toBeUndefined();
  },
);

test('a link brings its call', () => {
  expect(stateOf(`#/try/${callToLink(call)}`)).toMatchObject({ call, isLinkDamaged: false });
});

test.each([
  ['that is cut off', callToLink(call)?.slice(0, -4)],
  ['of an operator that is not known', callToLink({ ...call, operator: 'Nope' })],
])('a link %s is called damaged', (_, link) => {
  expect(stateOf(`#/try/${link}`)).toEqual({ route: { page: 'try' }, isLinkDamaged: true });
});
