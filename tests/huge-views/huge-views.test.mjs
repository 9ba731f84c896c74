// Views of up to 2^40 elements cost nothing, so any file or call can have them. Every operator gets them in each input, planned and
// node by node: there is a result, or a clear error, and the runtime goes on. Addresses of wasm have 32 bits, so a product of sizes
// that is not checked wraps around here, and not natively. BROADLOOM_SEED=n chooses the calls.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { load } from '../../dist/inline.js';
import { isDeep, seed } from '../depth.mjs';
import { microsoftGenerators } from '../differential/microsoft-generators.mjs';

const count = isDeep ? 60 : 6;
/** A call that takes so long stands still: its limit of time is a quarter of a second, and a view of a plan is computed twice. */
const patience = 20_000;

const ops = await load();
const onnx = ops.operators().filter(({ name }) => name !== 'Constant');
const microsoft = Object.keys(microsoftGenerators).map((name) => ({ name, domain: 'com.microsoft' }));

let worker;

/** The number of calls of an operator that the worker made. Fails, and ends the worker, where one of them does not end. */
const madeCalls = (operator) =>
  new Promise((resolve, reject) => {
    worker ??= new Worker(new URL('./run.mjs', import.meta.url), { workerData: { seed, count } });
    let last = operator.name;
    const fail = (text, cause) => {
      worker?.terminate();
      worker = undefined;
      reject(new Error(`${last}: ${text}`, { cause }));
    };
    const standsStill = () => fail('does not end');
    let timer = setTimeout(standsStill, patience);
    worker.removeAllListeners();
    worker.on('error', (error) => {
      clearTimeout(timer);
      fail(error.message, error);
    });
    worker.on('message', ({ begins, made }) => {
      clearTimeout(timer);
      if (made !== undefined) return resolve(made);
      last = begins;
      timer = setTimeout(standsStill, patience);
    });
    worker.postMessage(operator);
  });

after(() => worker?.terminate());

console.log(`seed ${seed}`);
for (const { name, domain, versions } of [...onnx, ...microsoft]) {
  test(`${name} of huge views has a result or a clear error`, async () => {
    const plain = versions?.map(({ sinceVersion, attributes, inputs, outputs, typeConstraints }) => ({
      sinceVersion,
      attributes,
      inputs,
      outputs,
      typeConstraints,
    }));
    assert.ok((await madeCalls({ name, domain, versions: plain })) > 0, 'no call was made');
  });
}

const graphCount = Number(process.env.BROADLOOM_GRAPHS ?? 100);
for (let from = 0; from < graphCount; from += 100)
  test(`random models of huge views have results or clear errors, from ${from} on`, async () => {
    assert.ok((await madeCalls({ name: 'graphs', graphs: { from, count: Math.min(100, graphCount - from) } })) > 0);
  });
