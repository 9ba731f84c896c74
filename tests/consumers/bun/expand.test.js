import { expect, test } from 'bun:test';
import { load } from 'broadloom';

test('expand repeats along new axes', async () => {
  const ops = await load();
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const y = ops.expand(x, [3, 2]);
  expect([...y.data]).toEqual([1, 1, 2, 2, 3, 3]);
  x.dispose();
  y.dispose();
});
