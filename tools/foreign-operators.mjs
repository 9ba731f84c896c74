// How far the operators that do not run as a call are known: from the list of the rules for dims, and from the words.
import { readFileSync } from 'node:fs';
import { controlFlow } from './examples.mjs';
import { foreignWords } from './operator-words.mjs';

const source = new URL('../src/ops/foreign/operators.inc', import.meta.url);
const namesIn = (kind, file = source) => [...readFileSync(file, 'utf8').matchAll(kind)].map(([, name]) => name);

/** The operators of com.microsoft that models run. */
export const runningMicrosoft = namesIn(
  /^MICROSOFT\(\w+, "(\w+)"/gm,
  new URL('../src/ops/microsoft/operators.inc', import.meta.url),
);

/** The operators that ONNX's domain had as experiments, and that models run. */
export const runningExperiments = namesIn(
  /^EXPERIMENTAL\(\w+, "(\w+)"/gm,
  new URL('../src/ops/experimental/operators.inc', import.meta.url),
);

/** The operators of each domain for which there is a rule for dims. */
export const ruled = {
  '': namesIn(/^FOREIGN\(\w+, "(\w+)"/gm),
  'ai.onnx.ml': namesIn(/^LEARNING\(\w+, "(\w+)"/gm),
  'com.microsoft': namesIn(/^MICROSOFT\(\w+, "(\w+)"/gm),
};
for (const [domain, names] of Object.entries(ruled))
  if (names.length === 0) throw new Error(`${source} lists no operator of '${domain}'`);

/** ONNX's other operators, in the order of their names: `has` is 'models', 'shapes' or 'nothing'. */
export const foreignOperators = Object.entries(foreignWords).map(([name, { group }]) => ({
  name,
  group,
  has: controlFlow.includes(name) ? 'models' : ruled[''].includes(name) ? 'shapes' : 'nothing',
}));
