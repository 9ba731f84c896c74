import { expect, test } from '@jest/globals';
import { load, Tensor } from 'broadloom';

/** Tensors are equal when their types, dims and elements are. */
function sameTensor(a, b) {
  if (!(a instanceof Tensor && b instanceof Tensor)) return undefined;
  return this.equals(a.toMessage(), b.toMessage());
}
expect.addEqualityTesters([sameTensor]);

test('tensors are compared by type, dims and elements', async () => {
  const ops = await load();
  const make = (elements, dims = [2]) => ops.tensor('float32', elements, dims);
  expect({ x: make([1, Number.NaN]) }).toEqual({ x: make([1, Number.NaN]) });
  expect(make([1, 2])).not.toEqual(make([1, 3]));
  expect(make([1, 2])).not.toEqual(make([1, 2], [2, 1]));
  expect(make([1, 2])).not.toEqual(ops.tensor('float64', [1, 2], [2]));
});
