// The documented examples of the operators (data/examples/documented.json) and the official test models, as calls that can be
// made and checked. Used by the demo and by the tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { methodName } from '../../shared/method-name.js';
import { officialFolder } from './official.mjs';
import { needsOf } from './reader.mjs';

/** Operators with graphs: `ops.operators()` does not list them. */
export const controlFlow = ['If', 'Loop', 'Scan'];

/** Examples: { operator, name, inputs, attributes, output }; a tensor with `fill` has that value everywhere. */
export function documentedExamples() {
  const text = readFileSync(new URL('../../data/examples/documented.json', import.meta.url), 'utf8');
  const filled = (_, value) => {
    if (typeof value?.fill !== 'number') return value;
    const { type, dims, fill } = value;
    return { type, dims, data: Array(dims.reduce((product, dim) => product * dim, 1)).fill(fill) };
  };
  return JSON.parse(text, filled);
}

/**
 * All examples of operators, each { operator, name, opset, inputs, attributes, outputs }: the documented ones; the doc
 * strings of operators whose tests are large (data/examples/doc-strings.json); results of NumPy where there are no tests
 * (data/examples/numpy.json, written by tools/extract/numpy-examples.py); and ONNX's tests of single operators (data/examples/onnx, written by
 * tools/extract/examples.mjs). Tensors are as `Tensor.toJSON` has them; `opset` is absent where the newest one gives the same.
 */
export function operatorExamples() {
  const folder = new URL('../../data/examples/onnx/', import.meta.url);
  const ofTests = readdirSync(folder).flatMap((file) =>
    JSON.parse(readFileSync(new URL(file, folder), 'utf8')).map((example) => ({
      operator: file.replace('.json', ''),
      ...example,
    })),
  );
  const documented = documentedExamples().map(({ output, ...example }) => ({ ...example, outputs: [output] }));
  const written = ['doc-strings', 'numpy'].flatMap((name) =>
    JSON.parse(readFileSync(new URL(`../${name}.json`, folder), 'utf8')),
  );
  return [...documented, ...written, ...ofTests];
}

/** Makes an example's call through the typed method of its operator. */
export function runExample(ops, { operator, inputs, attributes }) {
  return ops[methodName(operator)](...inputs, ...(Object.keys(attributes).length > 0 ? [attributes] : []));
}

// BatchNormalization and Dropout in training mode: what they give is for the next step of training, or is random.
const training = /\/test_(batchnorm_.*_training_mode|training_dropout(_default)?(_mask)?)$/;

/**
 * Every official case, its name with its kind: { name, file, missing }. `missing` has what the model needs and the runtime `ops`
 * does not have: operators and kinds of values, by what stands in the file, and `training`.
 */
export function officialCases(ops) {
  const present = new Set([...ops.operators().map(({ name }) => name), ...controlFlow]);
  const folder = officialFolder();
  return readdirSync(folder)
    .flatMap((kind) => readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`))
    .sort()
    .map((name) => {
      const file = join(folder, name, 'model.onnx');
      const missing = needsOf(readFileSync(file)).filter((need) => !present.has(need));
      if (training.test(name)) missing.push('training');
      return { name, file, missing };
    });
}

/** How many of the cases need what is missing: [what, cases], most first. */
export function missingCounts(cases) {
  const counts = new Map();
  for (const need of cases.flatMap(({ missing }) => missing)) counts.set(need, (counts.get(need) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
}

/** Inputs and outputs of each data set of a case, as .pb bytes, in their order: input_0.pb, input_1.pb ... */
export function dataSets(name) {
  const folder = join(officialFolder(), name);
  const sets = readdirSync(folder).filter((entry) => entry.startsWith('test_data_set_'));
  return sets.sort().map((set) => {
    const present = readdirSync(join(folder, set));
    const files = (kind) =>
      present
        .filter((file) => file.startsWith(`${kind}_`))
        .map((_, i) => readFileSync(join(folder, set, `${kind}_${i}.pb`)));
    return { inputs: files('input'), outputs: files('output') };
  });
}

/** The official cases whose operators are all there: { name, model, inputs, outputs }, of the first data set. */
export function officialTests(cases) {
  return cases
    .filter(({ missing }) => missing.length === 0)
    .map(({ name, file }) => ({ name, model: readFileSync(file), ...dataSets(name)[0] }));
}
