// Compares the operators that only models run (com.microsoft's, and ONNX's former experiments) with onnxruntime-node, on random
// models of one node. BROADLOOM_SEED=n selects the models, COUNT=n their number for each operator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { runningExperiments, runningMicrosoft } from '../../tools/operators/foreign.mjs';
import { count, seed } from './cases.mjs';
import { microsoftGenerators } from './microsoft-generators.mjs';
import { modelOf, oracle } from './microsoft-models.mjs';
import { numberOf, Random } from './values.mjs';

const ops = await load();

/** The difference of two tensors, or undefined: floats agree to so much of the largest one, bytes up to `levels`. */
function difference(ours, theirs, levels = 0) {
  if (ours.type !== theirs.type || String(ours.dims) !== String(theirs.dims))
    return `ours is ${ours.type} [${ours.dims}], the oracle's ${theirs.type} [${theirs.dims}]`;
  const [found, wanted] = [ours, theirs].map(({ type, data }) => Array.from(data, (it) => Number(numberOf(type, it))));
  const largest = Math.max(1, ...wanted.map(Math.abs));
  const part = { float32: 1e-5, float64: 1e-10, float16: 2e-3 }[ours.type];
  const most = part === undefined ? levels : part * largest;
  const at = found.findIndex((value, i) => !(Math.abs(value - wanted[i]) <= most) && value !== wanted[i]);
  return at < 0 ? undefined : `element ${at} is ours ${found[at]}, the oracle's ${wanted[at]}`;
}

test('each operator that only models run has a generator', () => {
  assert.deepEqual(Object.keys(microsoftGenerators).sort(), [...runningMicrosoft, ...runningExperiments].sort());
});
for (const [name, generate] of Object.entries(microsoftGenerators)) {
  test(`${name} has the oracle's results`, async () => {
    for (let i = 0; i < count; i++) {
      const call = generate(new Random(seed * 7919 + i));
      const { file, wanted, feeds, results } = modelOf(name, call);
      const shown = Object.values(feeds).map(({ type, dims, data }) => `${type} [${dims}] ${[...data].slice(0, 40)}`);
      const where = `BROADLOOM_SEED=${seed}, number ${i}: ${JSON.stringify(call.attributes)} of ${shown.join('; ')}`;
      const theirs = await oracle(wanted, feeds, results);
      const given = Object.fromEntries(
        Object.entries(feeds).map(([key, { type, dims, data }]) => [key, ops.tensor(type, data, dims)]),
      );
      for (const optimize of [true, false]) {
        const model = ops.loadModel(file, { optimize });
        const ours = model.run(given);
        for (const [k, result] of results.entries()) {
          const { type, dims, data } = ours[result];
          const found = difference({ type, dims: [...dims], data }, theirs[k], call.levels);
          assert.equal(found, undefined, `${result}: ${where}`);
        }
        model.dispose();
      }
    }
  });
}
