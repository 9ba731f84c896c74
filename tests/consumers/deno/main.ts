import * as broadloom from 'broadloom';
import * as onnxruntime from 'broadloom/onnxruntime';
import * as ort from 'broadloom/ort';
import * as common from 'onnxruntime-common';
import { check } from './check.js';

const ops = await broadloom.load();
{
  using x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  using y = ops.expand(x, [3, 2]);
  const elements: Float32Array = y.data;
  console.log(elements);
}

ort.register(common); // as its types allow
console.log(JSON.stringify(await check(broadloom, { inWorker: {}, entries: { onnxruntime, ort, common } })));
