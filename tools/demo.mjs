// Runs every documented example and the official models whose operators are all there, prints each call and its result, and
// fails when one differs from what is expected. Then measures the start.
import { execFileSync } from 'node:child_process';
import { load } from 'broadloom';
import { difference, officialTolerance } from '../shared/agreement.js';
import { methodName } from '../shared/method-name.js';
import { documentedExamples, missingCounts, officialCases, officialTests, runExample } from './models/examples.mjs';
import { root } from './run.mjs';

const ops = await load();
let passed = 0;
let failed = 0;

const indent = (text) => text.replace(/^(?=.)/gm, '    ');
const show = (value) => (value?.dims ? `${value.type} [${value.dims.join(', ')}]` : JSON.stringify(value));

function report(title, call, result, expected) {
  const reason = difference(result, expected, officialTolerance(expected, title));
  if (reason === undefined) passed++;
  else failed++;
  console.log(`${title}\n  ${call}\n${indent(String(result))}`);
  console.log(
    reason === undefined
      ? '  equals the expected output\n'
      : `  DIFFERS from the expected output: it ${reason}\n${indent(String(expected))}\n`,
  );
}

function callText({ operator, inputs, attributes }) {
  // Lists of sizes read best as lists.
  const operands = inputs.map((input) => (input.type === 'int64' ? `[${input.data.join(', ')}]` : show(input)));
  const named = Object.entries(attributes).map(([name, value]) => `${name}: ${show(value)}`);
  if (named.length > 0) operands.push(`{ ${named.join(', ')} }`);
  return `ops.${methodName(operator)}(${operands.join(', ')})`;
}

console.log('Documented examples\n');
for (const example of documentedExamples()) {
  ops.scope(() => {
    const { type, dims, data } = example.output;
    report(
      `${example.operator} ${example.name}`,
      callText(example),
      runExample(ops, example),
      ops.tensor(type, data, dims),
    );
  });
}

console.log('Official models\n');
const cases = officialCases(ops);
const officials = officialTests(cases);
for (const { name, model: bytes, inputs, outputs } of officials) {
  const model = ops.loadModel(bytes);
  ops.scope(() => {
    const feeds = Object.fromEntries(model.inputs.map((input, i) => [input.name, ops.readTensor(inputs[i])]));
    const results = model.run(feeds);
    const fed = Object.entries(feeds).map(([key, tensor]) => `${key}: ${show(tensor)}`);
    model.outputs.forEach((output, i) => {
      report(name, `model.run({ ${fed.join(', ')} }).${output.name}`, results[output.name], ops.readTensor(outputs[i]));
    });
  });
  model.dispose();
}

console.log(
  `${officials.length} of ${cases.length} official models have only what runs here. Cases that need something else:`,
);
console.log(
  `${missingCounts(cases)
    .map(([need, count]) => `${need} ${count}`)
    .join(', ')}\n`,
);

const { liveTensors, bytesInUse } = ops.memory();
console.log(`${liveTensors} tensors and ${bytesInUse} bytes are left in use.`);

const cold = `
  const start = performance.now();
  const { load } = await import('broadloom');
  const ops = await load();
  const y = ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]);
  if (y.data.length !== 36) throw new Error('wrong result');
  console.log(performance.now() - start);
`;
const times = Array.from({ length: 11 }, () =>
  Number(execFileSync(process.execPath, ['--input-type=module', '-e', cold], { cwd: root })),
);
const median = times.sort((a, b) => a - b)[times.length >> 1];
console.log(
  `import, load() and a first expand in a fresh process: ${median.toFixed(1)} ms (median of ${times.length}; the aim is below 15 ms)`,
);

const rounds = 20000;
const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
const call = () => {
  const start = performance.now();
  for (let i = 0; i < rounds; i++) ops.expand(x, [2, 1, 6]).dispose();
  return ((performance.now() - start) / rounds) * 1000;
};
const calls = Array.from({ length: 11 }, call).sort((a, b) => a - b);
console.log(
  `expand of [3, 1] to [2, 3, 6] and dispose: ${calls[calls.length >> 1].toFixed(2)} us (median; the aim is below 2 us)`,
);

console.log(`${passed} passed, ${failed} failed`);
if (failed > 0 || passed === 0 || officials.length === 0 || liveTensors > 0) process.exitCode = 1;
