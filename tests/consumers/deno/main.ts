import * as broadloom from 'broadloom';
import { register } from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check } from './check-entries.js';

const ops = await broadloom.load();
{
  using x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  using y = ops.expand(x, [3, 2]);
  const elements: Float32Array = y.data;
  console.log(elements);
}

register(common); // as its types allow
console.log(JSON.stringify(await check(broadloom, { inWorker: {} })));
