// Compares every version of every operator with onnxruntime-node, on random calls. Results are equal, or the reason
// is in differences.mjs. Mathematical functions that the oracle lacks are compared with the engine's. BROADLOOM_SEED=n selects
// the calls, COUNT=n their number for each version.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import ort from 'onnxruntime-node';
import { load } from '../../dist/inline.js';
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { oracleOpset, oracleVersions } from '../oracle.mjs';
import { count, seed } from './cases.mjs';
import { reasonOf } from './differences.mjs';
import { isOfFunction } from './functions.mjs';
import { Draw, generatorOf } from './generators.mjs';
import { allTypes, asView, Random } from './values.mjs';

const ops = await load();
const { rows } = JSON.parse(readFileSync(new URL('../../data/schemas.json', import.meta.url), 'utf8'));

/** The parameter whose type a generator selects, if not the first input. */
const typed = {
  ConstantOfShape: ({ outputs }) => outputs[0],
  OneHot: ({ inputs }) => inputs[2],
  Where: ({ inputs }) => inputs[1],
};
const typesOf = (name, version) => {
  const parameter = typed[name]?.(version) ?? version.inputs[0];
  const allowed = version.typeConstraints[parameter.type] ?? [parameter.type];
  return allTypes.filter((type) => allowed.includes(type));
};

async function oracle(model, inputs) {
  const session = await ort.InferenceSession.create(model, {
    logSeverityLevel: 4,
    interOpNumThreads: 1,
    intraOpNumThreads: 1,
  });
  try {
    const given = inputs.filter((input) => input !== null);
    const feeds = Object.fromEntries(
      session.inputNames.map((name, i) => [name, new ort.Tensor(given[i].type, given[i].data, given[i].dims)]),
    );
    const results = await session.run(feeds);
    return session.outputNames.map((name) => results[name]);
  } finally {
    await session.release();
  }
}

/** Whether the oracle has no kernel. For float16 it would insert a Cast to float32, which old opsets do not have. */
const isMissing = (message) =>
  /NOT_IMPLEMENTED|Could not find an implementation|is under development|is deprecated|InsertedPrecisionFreeCast|not supported|does not support|Unsupported/i.test(
    message,
  );

// All NaNs count as one value.
const listOf = ({ type, data }) =>
  type === 'float16' ? [...data].map((bits) => ((bits & 0x7fff) > 0x7c00 ? 'NaN' : bits)) : [...data];
const text = (attributes) =>
  JSON.stringify(attributes, (_, value) => (value?.data === undefined ? value : show(value)));
const write = (value) => (Object.is(value, -0) ? '-0' : value);
const show = (tensor) => (tensor === null ? 'none' : `${tensor.type} [${tensor.dims}] ${listOf(tensor).map(write)}`);

/** The difference of two lists of results: types and dims, or the first few elements. */
function distinction(ours, theirs) {
  const heads = (tensors) => tensors.map(({ type, dims }) => `${type} [${dims}]`).join('; ');
  if (heads(ours) !== heads(theirs)) return `ours is ${heads(ours)}, the oracle's ${heads(theirs)}`;
  return ours
    .flatMap((tensor, i) => {
      const their = listOf(theirs[i]);
      return listOf(tensor).flatMap((value, k) =>
        Object.is(value, their[k]) ? [] : [`[${i}][${k}] is ours ${write(value)}, the oracle's ${write(their[k])}`],
      );
    })
    .slice(0, 5)
    .join('; ');
}

test('the newest opset that the oracle runs is known', async () => {
  const runs = async (opset) => {
    const g = new GraphBuilder(opset);
    g.op('Relu', [g.input('x', 'float32', [1])], {}, ['y']);
    g.output('y', 'float32', [1]);
    const [y] = await oracle(g.model('newest'), [{ type: 'float32', dims: [1], data: Float32Array.of(2) }]);
    return y.data[0] === 2;
  };
  assert.ok(await runs(oracleOpset));
  await assert.rejects(runs(oracleOpset + 1), /is under development/);
});

for (const { name, versions } of ops.operators()) {
  if (name === 'Constant') continue; // it has no inputs, so the oracle would only return the file's constant
  const compared = oracleVersions(versions);
  const skip = compared.length === 0 && `it is newer than opset ${oracleOpset}, the oracle's newest`;
  test(`${name} has the oracle's results for calls that both accept`, { skip }, async (context) => {
    const tally = { same: 0, near: 0, explained: 0, missing: 0 };
    const reasons = new Map();
    for (const version of compared) {
      const { sinceVersion: since } = version;
      const isKnown = rows.some((row) => row.operator === name && row.since_version === since);
      assert.ok(isKnown);
      for (let i = 0; i < count; i++) {
        const random = new Random(seed * 7919 + since * 1009 + i);
        const call = generatorOf(name)(new Draw(random, version, typesOf(name, version)));
        const { inputs, attributes = {} } = call;
        const where = `BROADLOOM_SEED=${seed}: ${name}-${since} ${text(attributes)} of ${inputs.map(show).join('; ')}`;
        await compare({ name, since, inputs, attributes, newer: call.newer, random, where, tally, reasons });
      }
    }
    context.diagnostic(
      `${name}: ${JSON.stringify(tally)} ${[...reasons].map(([reason, times]) => `(${times}: ${reason})`).join(' ')}`,
    );
    assert.ok(tally.same + tally.near > 0);
  });
}

/**
 * Asks the oracle for `count` outputs in a newer form: it has few old versions, and most of their calls can be written for the
 * newest version.
 */
async function askInNewerForm(name, { inputs, attributes }, count) {
  try {
    const { 'model.onnx': model } = ops.nodeModel(name, inputs, attributes, { opset: oracleOpset });
    return { theirs: (await oracle(model, inputs)).slice(0, count) };
  } catch (error) {
    if (error.name === 'OnnxError') throw error;
    return { failure: error.message };
  }
}

async function compare({ name, since, inputs, attributes, newer, random, where, tally, reasons }) {
  const options = { opset: since };
  let ours;
  let refusal;
  let model;
  try {
    ({ 'model.onnx': model } = ops.nodeModel(name, inputs, attributes, options));
    ours = ops.scope(() =>
      ops
        .run(
          name,
          inputs.map((input) => input && asView(ops, random, input)),
          attributes,
          options,
        )
        .map((result) => ({
          type: result.type,
          dims: [...result.dims],
          data: result.type === 'string' ? result.toArray() : result.data.slice(),
        })),
    );
  } catch (error) {
    if (error.name !== 'OnnxError') throw new Error(where, { cause: error });
    refusal = error.message;
  }
  let theirs;
  let failure;
  try {
    if (model !== undefined) theirs = await oracle(model, inputs);
  } catch (error) {
    failure = error.message;
  }
  if (failure !== undefined && isMissing(failure) && newer !== undefined) {
    ({ theirs, failure } = await askInNewerForm(name, newer, ours.length));
  }
  const note = ({ reason, isNear }) => {
    tally[isNear ? 'near' : 'explained']++;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };
  if (refusal !== undefined) {
    // Generated calls are valid by the text of ONNX.
    const reason = reasonOf({ name, since, inputs, attributes, refusal });
    assert.ok(reason, `${where}: ${refusal}`);
    note(reason);
  } else if (failure !== undefined && isMissing(failure)) {
    tally.missing++;
    const operands = newer?.inputs ?? inputs;
    assert.ok(
      isOfFunction({ name, since, operands, attributes, ours }) !== false,
      `${where}: ours ${ours.map(show).join('; ')}, which the function is not`,
    );
  } else if (failure !== undefined) {
    const reason = reasonOf({ name, since, inputs, attributes, ours, failure });
    assert.ok(reason, `${where}: ours ${ours.map(show).join('; ')}; the oracle: ${failure}`);
    note(reason);
  } else {
    const given = theirs.map(({ type, dims, data }) => ({ type, dims: [...dims], data }));
    if (ours.map(show).join('; ') === given.map(show).join('; ')) tally.same++;
    else {
      // Operands for the broadcast of newer versions.
      const operands = newer?.inputs ?? inputs;
      const reason = reasonOf({ name, since, inputs, operands, attributes, ours, theirs: given });
      assert.ok(reason, `${distinction(ours, given)}: ${where}`);
      note(reason);
    }
  }
}
