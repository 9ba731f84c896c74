// A worker that calls the operators that it is sent. It posts each call before it makes it, so that the test can name a call that
// does not end.
import { parentPort, workerData } from 'node:worker_threads';
import { callsOf, ops } from './calls.mjs';
import { graphCalls } from './graphs.mjs';

const allowed = new Set(['OUT_OF_MEMORY', 'LIMIT_EXCEEDED', 'INVALID_ARGUMENT', 'UNSUPPORTED_TYPE']);

/** The results as texts: their dims, and the elements where they are few. */
function textOf(results) {
  return results.map((tensor) => {
    const count = tensor.dims.reduce((a, b) => a * b, 1);
    return `${tensor.type} [${tensor.dims}] ${count <= 64 ? tensor.toArray() : ''}`;
  });
}

/** The outcome of a way of computing: texts of results, or the code of an error. Fails for errors that no user should see. */
function outcomeOf(compute) {
  let results;
  try {
    results = compute();
    return { texts: textOf(results) };
  } catch (error) {
    if (error.name !== 'OnnxError' || !allowed.has(error.code)) throw error;
    return { code: error.code };
  } finally {
    for (const result of results ?? []) result.dispose();
  }
}

const { seed, count } = workerData;
parentPort.on('message', ({ graphs, ...operator }) => {
  let made = 0;
  for (const call of graphs ? graphCalls(seed + graphs.from, graphs.count) : callsOf(operator, seed, count)) {
    made++;
    parentPort.postMessage({ begins: call.text });
    const outcomes = [false, true].map((optimize) =>
      outcomeOf(() => {
        const model = ops.loadModel(call.file, { optimize, ...(call.external && { external: () => call.external }) });
        try {
          return Object.values(model.run(call.feeds));
        } finally {
          model.dispose();
        }
      }),
    );
    const [plain, planned] = outcomes;
    const areResults = plain.texts !== undefined && planned.texts !== undefined;
    if (areResults && String(plain.texts) !== String(planned.texts))
      throw new Error(`${call.text}: ${plain.texts} node by node, ${planned.texts} planned`);
    // The runtime goes on, and computes what it did.
    const sum = ops.scope(() => ops.run('Add', [ops.tensor('float32', [1]), ops.tensor('float32', [2])])[0].data[0]);
    if (sum !== 3) throw new Error(`${call.text}: then 1 + 2 is ${sum}`);
    for (const input of call.inputs) input?.tensor.dispose();
  }
  parentPort.postMessage({ made });
});
