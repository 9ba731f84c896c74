// Real models run as in onnxruntime-node: whole, with what people feed them, and with their states over several runs.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { feedsOfRealModel, readRealModel, realModels } from './real-models.mjs';

const ort = createRequire(join(import.meta.dirname, '../differential/package.json'))('onnxruntime-node');
const ops = await load();

/** The farthest that two lists are apart, in units of the largest number, or of 1 where all are smaller. */
function distance(found, wanted) {
  assert.equal(found.length, wanted.length);
  let [farthest, largest] = [0, 1];
  for (let i = 0; i < found.length; i++) {
    farthest = Math.max(farthest, Math.abs(Number(found[i]) - Number(wanted[i])));
    largest = Math.max(largest, Math.abs(Number(wanted[i])));
  }
  return farthest / largest;
}

/** A plan changes no bit of what the nodes one by one give. */
function assertSameBits(planned, plain) {
  for (const [name, { data }] of Object.entries(plain))
    assert.deepEqual(
      Buffer.from(planned[name].toMessage().data.buffer),
      Buffer.from(data.buffer, data.byteOffset, data.byteLength),
      name,
    );
}

for (const [file, { states = {}, within = 1e-3 }] of Object.entries(realModels)) {
  test(`${file} runs as in onnxruntime-node, and planned as node by node`, async () => {
    const bytes = readRealModel(file);
    const model = ops.loadModel(bytes);
    const plain = ops.loadModel(bytes, { optimize: false });
    const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4, intraOpNumThreads: 1 });
    const given = feedsOfRealModel(file, model);
    const theirStates = {};
    const ourStates = {};
    for (let run = 0; run < 4; run++) {
      const now = Object.entries(given).map(([name, feed]) => [name, typeof feed === 'function' ? feed(run) : feed]);
      const theirs = now.map(([name, { type, dims, data }]) => [name, new ort.Tensor(type, data, dims)]);
      const wanted = await session.run({ ...Object.fromEntries(theirs), ...theirStates });
      const found = model.run({ ...Object.fromEntries(now), ...ourStates });
      if (run === 0) assertSameBits(found, plain.run(Object.fromEntries(now)));
      for (const [name, { data, dims }] of Object.entries(wanted)) {
        assert.deepEqual([...found[name].dims], [...dims], name);
        const far = distance(found[name].data, data);
        assert.ok(far <= within, `${name} of run ${run} is ${far} of the largest number away`);
      }
      for (const [input, output] of Object.entries(states)) {
        theirStates[input] = wanted[output];
        ourStates[input] = found[output];
      }
    }
    model.dispose();
    plain.dispose();
  });
}

test('every model of the packages is one of these', () => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8'));
  const files = Object.keys(dependencies).flatMap((name) =>
    readdirSync(join(import.meta.dirname, 'node_modules', name), { recursive: true })
      .filter((file) => file.endsWith('.onnx'))
      .map((file) => `${name}/${file}`),
  );
  assert.deepEqual(Object.keys(realModels).sort(), files.sort());
});
