// Runs one contender of simplify.mjs on one file in a separate process: the median of up to five calls, after one on a small
// model. Discards the output of onnxsim.
import { readFileSync, writeFileSync } from 'node:fs';
import { census } from '../tools/models/census.mjs';
import { generatedModels } from '../tools/models/generated.mjs';
import { median } from './statistics.mjs';

const [contender, input, output, given] = process.argv.slice(2);
if (contender === 'onnxruntime-web') {
  console.log(JSON.stringify(await levelsThatLoad(readFileSync(input))));
  process.exit(0);
}
const options = JSON.parse(given);
for (const value of Object.values(options.values ?? {})) value.data = BigInt64Array.from(value.data, BigInt);
const print = console.log;
console.log = () => {};
console.error = () => {};

async function simplifier() {
  if (contender !== 'onnxsim') {
    const { load } = await import('../dist/inline.js');
    const ops = await load();
    return (file, how) => ops.simplify(file, how).bytes;
  }
  const { simplify } = await import('onnxsim');
  return async (file) => (await simplify(file)).model;
}

/** For each level of optimisation, onnxruntime-web's error on loading a file, or null. */
async function levelsThatLoad(file) {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'fatal';
  const result = {};
  for (const graphOptimizationLevel of ['disabled', 'basic', 'extended', 'all']) {
    try {
      const session = await ort.InferenceSession.create(file, { graphOptimizationLevel });
      await session.release();
      result[graphOptimizationLevel] = null;
    } catch (error) {
      result[graphOptimizationLevel] = String(error.message ?? error).split('\n')[0];
    }
  }
  return result;
}

const simplify = await simplifier();
const file = readFileSync(input);
await simplify(generatedModels.branches(), {});
const times = [];
let result;
for (let total = 0; times.length < 5 && total < 3000; total += times.at(-1)) {
  const started = performance.now();
  result = await simplify(file, options);
  times.push(performance.now() - started);
}
writeFileSync(output, result);
print(JSON.stringify({ before: census(file), census: census(Buffer.from(result)), ms: median(times) }));
process.exit(0);
