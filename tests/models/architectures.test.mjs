// Architectures with random weights, in small: each one loads and runs, and its plan changes no bit of its results.
// BROADLOOM_ARCHITECTURE=text chooses those with this text in their names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { architectures, singleNodes } from '../../tools/models/architectures/index.mjs';
import { halfBits, halfValue, Weights } from '../../tools/models/architectures/weights.mjs';
import { seed } from '../depth.mjs';

const ops = await load();
const bytesOf = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
const chosen = process.env.BROADLOOM_ARCHITECTURE ?? '';

for (const { name, make, tiny } of [...architectures, ...singleNodes].filter((one) => one.name.includes(chosen)))
  test(`${name} has the same bits planned and node by node`, (context) => {
    context.diagnostic(`BROADLOOM_SEED=${seed}`);
    const { file, feeds } = make({ ...tiny, seed });
    const given = Object.fromEntries(
      feeds.map(({ name: input, type, dims, elements }) => [input, ops.tensor(type, elements, dims)]),
    );
    const [planned, plain] = [true, false].map((optimize) => ops.loadModel(file, { optimize }));
    const wanted = plain.run(given);
    // The second run has a plan.
    for (let run = 0; run < 2; run++)
      for (const [output, tensor] of Object.entries(planned.run(given))) {
        assert.deepEqual([...tensor.dims], [...wanted[output].dims], output);
        assert.ok(bytesOf(tensor).equals(bytesOf(wanted[output])), `${output} has other bits in run ${run}`);
        const numbers = Array.from(tensor.data, tensor.type === 'float16' ? halfValue : Number);
        assert.ok(numbers.every(Number.isFinite), `${output} has numbers that are not finite`);
        tensor.dispose();
      }
    for (const tensor of Object.values({ ...wanted, ...given })) tensor.dispose();
    for (const model of [planned, plain]) model.dispose();
  });

test('an architecture has the same bytes each time, and others with another seed', () => {
  const { make, tiny } = architectures[0];
  const [first, second, other] = [1, 1, 2].map((one) => make({ ...tiny, seed: one }).file);
  assert.ok(first.equals(second));
  assert.ok(!first.equals(other));
});

test('halves are the nearest, and back are the same bits', () => {
  for (let bits = 0; bits <= 0x7c00; bits++) assert.equal(halfBits(halfValue(bits)), bits);
  for (const value of new Weights(seed).floats(1000, 4)) {
    const bits = halfBits(Math.abs(value));
    const distance = (other) => Math.abs(halfValue(other) - Math.abs(value));
    for (const other of [bits - 1, bits + 1]) if (other >= 0) assert.ok(distance(bits) <= distance(other), `${value}`);
  }
});
