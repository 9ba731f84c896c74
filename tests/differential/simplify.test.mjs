// A simplified model has the results of the original, in onnxruntime-node without optimisation. Tests real models, and generated
// ones that look like an exporter's. Exact passes keep every bit. Models at random are in tests/random-graphs. BROADLOOM_SEED=n selects the
// feeds.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import ort from 'onnxruntime-node';
import { load } from '../../dist/inline.js';
import { someOf } from '../depth.mjs';
import { decided, drawn, models } from '../models/simplify-cases.mjs';
import { seed } from './cases.mjs';
import { fileOf, pairs } from './simplify-pairs.mjs';
import { Random } from './values.mjs';

const levels = ['disabled', 'basic', 'extended', 'all'];
const ops = await load();

// onnxruntime packs constant weights before a run, and products of packed weights differ in the last bits from products of
// computed ones. If weights became constants, results would differ only because of that.
const extra = { session: { disable_prepacking: '1' } };
const open = (bytes, graphOptimizationLevel = 'disabled') =>
  ort.InferenceSession.create(bytes, {
    graphOptimizationLevel,
    logSeverityLevel: 4,
    interOpNumThreads: 1,
    intraOpNumThreads: 1,
    extra,
  });

async function run(session, inputs) {
  const feeds = session.inputNames.map((name) => [
    name,
    new ort.Tensor(inputs[name].type, inputs[name].data, inputs[name].dims),
  ]);
  return session.run(Object.fromEntries(feeds));
}

/**
 * The first index at which results differ. With `bound`, float32 elements may differ by that part of the largest. For outputs with
 * names in `typed`, only type and rank are compared.
 */
function distinction(wanted, found, bound, typed = []) {
  assert.deepEqual(Object.keys(found), Object.keys(wanted));
  for (const [name, { type, dims, data }] of Object.entries(wanted)) {
    const other = found[name];
    if (typed.includes(name)) {
      assert.deepEqual([other.type, other.dims.length], [type, dims.length], name);
      continue;
    }
    if (`${type} [${dims}]` !== `${other.type} [${other.dims}]`)
      return `${name}: ${other.type} [${other.dims}], wanted ${type} [${dims}]`;
    const isClose =
      bound > 0 && type === 'float32'
        ? (a, b, scale) => Object.is(a, b) || Math.abs(a - b) <= bound * scale
        : Object.is;
    const scale = bound > 0 ? data.reduce((most, one) => Math.max(most, Math.abs(Number(one))), 1) : 1;
    const at = data.findIndex((one, i) => !isClose(other.data[i], one, scale));
    if (at >= 0) return `${name}[${at}] is ${other.data[at]}, wanted ${data[at]}`;
  }
  return undefined;
}

/** Runs both and compares the results. Either both must run or none. */
async function compare(before, after, inputs, bound, typed) {
  const wanted = await run(before, inputs);
  const found = await run(after, inputs);
  assert.equal(distinction(wanted, found, bound, typed), undefined);
}

const random = new Random(seed);
const forms = [
  [0, {}],
  [0, { valueInfo: true }],
  [1e-4, { fuseInexact: true }],
];
let turn = 0;
for (const { name, bytes, cases } of models) {
  for (const { title, options, feeds } of cases) {
    for (const [bound, added] of someOf(forms, 3, turn++)) {
      const what = Object.keys(added).map((key) => `, ${key}`);
      test(`${name} with ${title} fixed${what} has the same outputs`, async () => {
        const file = bytes();
        const result = ops.simplify(file, { ...options, ...added });
        const before = await open(file);
        const after = await open(result.bytes);
        assert.deepEqual(
          after.inputNames,
          before.inputNames.filter((input) => options.values?.[input] === undefined),
        );
        assert.deepEqual(after.outputNames, before.outputNames);
        for (const feed of feeds)
          await compare(
            before,
            after,
            { ...drawn(feed, () => random.next()), ...options.values },
            bound,
            bound > 0 ? decided[name] : [],
          );
        await Promise.all([before.release(), after.release()]);
      });
    }

    test(`${name} with ${title} fixed loads at every level of optimisation`, async () => {
      const { bytes: simple } = ops.simplify(bytes(), options);
      for (const level of levels) await (await open(simple, level)).release();
    });
  }
}

for (const [name, pair] of Object.entries(pairs)) {
  for (const fuseInexact of [false, true]) {
    test(`${name}${fuseInexact ? ', with fuseInexact,' : ''} has the same outputs with fewer nodes`, async () => {
      const file = fileOf(pair);
      const { bytes } = ops.simplify(file, { fuseInexact, ...pair.options });
      const model = ops.loadModel(bytes, { allowUnsupported: true });
      const { nodes } = model;
      model.dispose();
      assert.deepEqual(
        nodes.map(({ operator }) => operator),
        fuseInexact ? (pair.fused ?? pair.left) : pair.left,
      );
      if (pair.inputs !== undefined)
        assert.equal(nodes.at(-1).inputs.filter((input) => input !== '').length, pair.inputs);
      const before = await open(file);
      const after = await open(bytes);
      for (const size of [1, 2, 5]) {
        const dims = pair.dims.map((dim) => (typeof dim === 'number' ? dim : size + 2));
        const input = { x: { type: 'float32', dims, from: -2, to: 2 } };
        await compare(
          before,
          after,
          drawn(input, () => random.next()),
          fuseInexact && pair.fused ? 1e-5 : 0,
        );
      }
      await Promise.all([before.release(), after.release()]);
    });
  }
}
