import * as broadloom from './broadloom.js';
import { check } from './check.js';

addEventListener('message', async ({ data: { type, dims, data } }) => {
  const ops = await broadloom.load();
  const x = ops.tensor(type, data, dims);
  const y = ops.expand(x, [2, 1, 6]);
  const sum = y.data.reduce((total, element) => total + element, 0);
  x.dispose();
  y.dispose();
  postMessage({ ...(await check(broadloom)), sum });
});
