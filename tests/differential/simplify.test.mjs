// A simplified model has the results of the original, in onnxruntime-node without optimisation. Tests real models, generated
// ones that look like an exporter's, and random ones at every opset. Exact passes keep every bit. SEED=n selects the random
// models, COUNT=n their number.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import ort from 'onnxruntime-node';
import { load } from '../../dist/inline.js';
import { census } from '../../tools/model-census.mjs';
import { decided, drawn, models } from '../models/simplify-cases.mjs';
import { feedsOf, randomModel, sizeNames } from './random-models.mjs';
import { fileOf, pairs } from './simplify-pairs.mjs';
import { Random } from './values.mjs';

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
const count = Number(process.env.COUNT ?? 200);
const oldestOpset = 7;
const newestOpset = 26; // of the oracle
const levels = ['disabled', 'basic', 'extended', 'all'];
const ops = await load();
console.log(`seed ${seed}`);

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

/** Equality where 0 equals -0. */
const isSameNumber = (a, b) => Object.is(a, b) || (a === 0 && b === 0);

/**
 * The first index at which results differ. With `bound`, float32 elements may differ by that part of the largest; `isEqual` compares
 * all others. For outputs with names in `typed`, only type and rank are compared.
 */
function distinction(wanted, found, bound, { isEqual = Object.is, typed = [] } = {}) {
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
      bound > 0 && type === 'float32' ? (a, b, scale) => Object.is(a, b) || Math.abs(a - b) <= bound * scale : isEqual;
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
  assert.equal(distinction(wanted, found, bound, { typed }), undefined);
}

const random = new Random(seed);
for (const { name, bytes, cases } of models) {
  for (const { title, options, feeds } of cases) {
    for (const [bound, added] of [
      [0, {}],
      [0, { valueInfo: true }],
      [1e-4, { fuseInexact: true }],
    ]) {
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

/** Options for a random model, and the sizes for which its result is valid. */
function randomOptions(draw, { inputs, outputs }) {
  const present = sizeNames.filter((size) => inputs.some(({ dims }) => dims.some(({ key }) => key === size)));
  const fixed = Object.fromEntries(present.filter(() => draw.chance(0.3)).map((size) => [size, draw.integer(1, 5)]));
  const size = () => (draw.chance(0.07) ? 0 : draw.integer(1, 5));
  const sizes = () => ({ N: size(), M: size(), K: size(), ...fixed });
  const values = feedsOf(
    draw,
    inputs.filter(({ name, type }) => (type !== 'float32' ? draw.chance(0.3) : name === 'x1' && draw.chance(0.2))),
    sizes(),
    true,
  );
  // A constant of floats fixes the sizes in its input's shape.
  for (const { name, dims } of inputs)
    if (values[name] !== undefined)
      for (const [axis, { key }] of dims.entries()) if (sizeNames.includes(key)) fixed[key] = values[name].dims[axis];
  return {
    sizes,
    options: {
      dims: Object.fromEntries(Object.entries(fixed).filter(([size]) => present.includes(size))),
      values,
      ...(draw.chance(0.3) && { outputs: outputs.filter((_, i) => i === 0 || draw.chance(0.5)) }),
      ...(draw.chance(0.3) && { unroll: 8 }),
      ...(draw.chance(0.3) && { valueInfo: true }),
      ...(draw.chance(0.2) && { maxGrowth: draw.pick([0, 100, 2 ** 20]) }),
    },
  };
}

let ran = 0;
for (let i = 0; i < count; i++) {
  const one = (seed + i) % 2 ** 31;
  const opset = oldestOpset + (one % (newestOpset - oldestOpset + 1));
  test(`the random model ${one} of opset ${opset} keeps its results`, async () => {
    const draw = new Random(one);
    const model = randomModel(draw, opset);
    const { options, sizes } = randomOptions(draw, model);
    const keep = join(tmpdir(), `broadloom-simplify-${one}-${opset}.onnx`);
    const values = Object.entries(options.values).map(([name, { dims, data }]) => `${name} [${dims}] ${data}`);
    const plain = JSON.stringify({ ...options, values });
    try {
      const { bytes } = ops.simplify(model.bytes, options);
      const { constantFed, dead } = census(Buffer.from(bytes));
      assert.equal(dead, 0, 'nodes that nobody reads');
      const before = await open(model.bytes);
      const after = await open(bytes);
      assert.deepEqual(
        after.inputNames,
        before.inputNames.filter((name) => options.values[name] === undefined),
      );
      assert.deepEqual(after.outputNames, options.outputs ?? before.outputNames);
      const ranBefore = ran;
      for (let round = 0; round < 3; round++) {
        const inputs = { ...feedsOf(draw, model.inputs, sizes()), ...options.values };
        const wanted = await run(before, inputs).catch(() => undefined);
        if (wanted === undefined) continue; // not every operator takes sizes of 0
        ran++;
        const found = await run(after, inputs);
        const asked = Object.fromEntries(after.outputNames.map((name) => [name, wanted[name]]));
        // The oracle's Where turns -0 into 0, and its Max, Min and Clip return either. So signs differ where Broadloom folded.
        assert.equal(distinction(asked, found, 0, { isEqual: isSameNumber }), undefined);
      }
      // A node that fails in every run cannot be computed.
      if (options.maxGrowth === undefined && ran > ranBefore)
        assert.equal(constantFed, 0, 'nodes that read constants alone');
      await Promise.all([before.release(), after.release()]);
      const { dims: _, values: __, ...again } = options;
      assert.ok(Buffer.from(ops.simplify(bytes, again).bytes).equals(bytes), 'a second time changes nothing');
    } catch (error) {
      writeFileSync(keep, model.bytes);
      throw new Error(`${error.message}; ${keep} ${plain}`, { cause: error });
    }
  });
}

test('nearly all feeds of random models ran', () => {
  assert.ok(ran > 2.5 * count, `${ran} runs of ${count} models`);
});
