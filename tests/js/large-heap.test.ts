// A heap of more than 2 GiB, where addresses do not fit in a signed 32-bit integer. Most of its pages are never touched.
import { expect, test } from '@jest/globals';
import { load } from 'broadloom';

test('strings beyond ASCII are written in a heap of more than 2 GiB', async () => {
  const ops = await load({ initialMemory: 3 * 2 ** 30 });
  expect(ops.tensor('string', ['é', '日本'], [2]).data).toEqual(['é', '日本']);
});
