// Writes data/examples/onnx/<operator>.json: ONNX's own tests of single operators, as far as they are small, as data for the
// playground's cards. To be run again when operators or tests come.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'broadloom';
import { difference, officialTolerance } from '../../shared/agreement.js';
import { dataSets, documentedExamples, officialCases } from '../models/examples.mjs';
import { attributesOf, nodesOf } from '../models/reader.mjs';
import { root } from '../run.mjs';

const mostOfOperator = 6;
/** Characters of JSON. An operator that has no example of the first length gets one of the second. */
const longest = 3000;
const longestOnly = 20_000;

const ops = await load();
const folder = join(root, 'data/examples/onnx');
/** The operators that have written examples. */
const written = new Set(documentedExamples().map(({ operator }) => operator));

/** The least digits that a float32 is read back from. */
function shortest(value) {
  if (typeof value !== 'number') return value;
  for (let digits = 1; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value || digits === 17) return short;
  }
}

/** For JSON.stringify, which gives it what tensors are in JSON. */
function shortened(_key, value) {
  return value?.type === 'float32' ? { ...value, data: value.data.map(shortest) } : value;
}

/** The case as an example; undefined for one that is not a single call of tensors. */
function exampleOf({ name, file }) {
  const bytes = readFileSync(file);
  const nodes = nodesOf(bytes);
  const [node] = nodes;
  if (nodes.length !== 1 || node.graphs !== undefined) return undefined;
  return ops.scope(() => {
    const { opset, inputs: declared } = ops.loadModel(bytes);
    const data = dataSets(name)[0];
    const given = new Map(declared.map((input, i) => [input.name, ops.readTensor(data.inputs[i])]));
    const inputs = node.inputs.map((input) => (input === '' ? null : given.get(input)));
    const attributes = Object.fromEntries(
      Object.entries(attributesOf(bytes)).map(([key, value]) => [
        key,
        value instanceof Uint8Array ? ops.readTensor(value) : value,
      ]),
    );
    const outputs = data.outputs.map((output) => ops.readTensor(output));
    const holds = (options) => {
      try {
        const results = ops.run(node.operator, inputs, attributes, options);
        return (
          results.length === outputs.length &&
          results.every((it, i) => difference(it, outputs[i], officialTolerance(outputs[i])) === undefined)
        );
      } catch {
        return false; // such as an attribute that became an input
      }
    };
    const isOfNewest = holds({});
    if (!isOfNewest && !holds({ opset })) return undefined;
    const example = {
      name: name.replace(/^node\/test_/, ''),
      ...(isOfNewest ? {} : { opset }),
      ...{ inputs, attributes, outputs },
    };
    const size = outputs.reduce((sum, output) => sum + output.size, 0);
    return { operator: node.operator, attributes, size, text: JSON.stringify(example, shortened) };
  });
}

const hasElements = ({ size }) => size > 0;

/** The shortest ones. Each shows other attributes if there are enough. */
function choose(examples) {
  const sorted = examples.sort((a, b) => a.text.length - b.text.length || (a.text < b.text ? -1 : 1));
  const short = sorted.filter(({ text }) => text.length <= longest);
  if (short.length === 0) {
    const fitting = sorted.filter(({ text }) => text.length <= longestOnly);
    return (fitting.some(hasElements) ? fitting.filter(hasElements) : fitting).slice(0, 1);
  }
  const seen = new Set();
  const differing = short.filter(({ attributes }) => {
    const key = JSON.stringify(attributes);
    return !seen.has(key) && seen.add(key);
  });
  const others = short.filter((example) => !differing.includes(example));
  const chosen = [...differing, ...others].slice(0, mostOfOperator);
  return short.filter((example) => chosen.includes(example));
}

const byOperator = new Map();
const cases = officialCases(ops).filter(({ missing }) => missing.length === 0);
// Cases of expanded functions are left out: such a case has the name of the function, and nodes of other operators.
for (const one of cases.filter(({ name }) => /^node\/(?!.*_expanded)/.test(name))) {
  const example = exampleOf(one);
  if (example === undefined || written.has(example.operator)) continue;
  byOperator.set(example.operator, [...(byOperator.get(example.operator) ?? []), example]);
}
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [operator, examples] of byOperator) {
  const chosen = choose(examples);
  if (chosen.length === 0) continue;
  writeFileSync(join(folder, `${operator}.json`), `[\n${chosen.map(({ text }) => text).join(',\n')}\n]\n`);
}
