import * as broadloom from './broadloom.js';
import { check } from './check.js';

async function make() {
  const result = await check(broadloom);
  const ops = await broadloom.load();
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  const tensor = { type: x.type, dims: x.dims, data: x.toArray() }; // a copy, outside of the wasm memory
  x.dispose();
  postMessage({ ...result, tensor }, [tensor.data.buffer]);
}

make();
