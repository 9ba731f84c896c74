// The text of docs/guides/operators.md: all of ONNX's operators, and how far each is known here. From what the command prints of
// the operators' rows, ONNX's schemas, and the list of the rules for dims.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';
import { foreignOperators, ruled, runningExperiments, runningMicrosoft } from './foreign.mjs';
import { operatorGroups, operatorWords } from './words.mjs';

const here = { models: 'in models', shapes: 'shapes only', nothing: 'not yet' };

const schemas = JSON.parse(readFileSync(join(root, 'data/schemas.json'), 'utf8'));

/** The versions of each operator, by its name. */
function versionsOf() {
  const versions = {};
  for (const { operator, since_version } of schemas.rows) (versions[operator] ??= []).push(since_version);
  return versions;
}

/** A row of the table for each operator of ONNX's default domain. */
function tableRows(running) {
  const versions = versionsOf();
  const runs = running.map((line) => {
    const [name, numbers, types] = line.split(/ {2,}/);
    return { name, state: 'runs', numbers, types };
  });
  const others = foreignOperators.map(({ name, has }) => {
    const numbers = versions[name].join(', ');
    return { name, state: here[has], numbers, types: '' };
  });
  return [...runs, ...others]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, state, numbers, types }) => {
      const link = `[${name}](https://onnx.ai/onnx/operators/onnx__${name}.html)`;
      return `| ${link} | ${state} | ${numbers} | ${types} |`.replace(/ +\|$/, ' |');
    });
}

/** A row for each group that has an operator which runs. */
function groupRows(running) {
  const names = running.map((line) => line.split(' ', 1)[0]);
  return operatorGroups
    .map(({ name, en }) => [en, names.filter((operator) => operatorWords[operator].group === name)])
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => `| ${title} | ${members.join(', ')} |`);
}

const listOf = (names) => names.map((name) => `\`${name}\``).join(', ');

/** The guide's text. */
export function operatorGuide() {
  const [, ...lines] = run('node', ['dist/cli/broadloom.js', 'operators'], { quiet: true }).trim().split('\n');
  const rows = tableRows(lines);
  const count = (has) => foreignOperators.filter((row) => row.has === has).length;
  return `# Operators

${lines.length} of the ${rows.length} operators of ONNX's default domain run. [The table](#all-operators) has all. Each that runs has a method on the runtime with its name in camel case: inputs by position, then
attributes by ONNX's names, then options. An optional input that is left out between others is \`null\`.

\`\`\`js
import { load } from 'broadloom';

const ops = await load();
const x = ops.tensor('float32', [1, 2, 3, 4, 5, 6], [2, 3]);
ops.concat([x, x], { axis: 0 }); // float32 [4, 3]
ops.slice(x, [0], [2], null, [2]); // float32 [1, 3] [[1. 2. 3.]]
ops.cast(x, { to: 'uint8' }); // uint8 [2, 3] [[1 2 3] [4 5 6]]
const [values, indices] = ops.topK(x, [1], { axis: 1 });
indices; // int64 [2, 1] [[2] [2]]
\`\`\`

A number, a bigint or a boolean stands for a scalar with the type of the other operands, and is refused where that type cannot
hold it. A list of booleans is a bool tensor. A list of integers stands for shapes, axes and indices. One axis or size needs no
list. A typed array is a tensor with one axis, of the array's type; as shapes, axes and indices, its integers become int64.

\`\`\`js
ops.clip(ops.mul(x, 2), 0, 6); // float32 [2, 3] [[2. 4. 6.] [6. 6. 6.]]
ops.where(ops.greater(x, 3), x, 0); // float32 [2, 3] [[0. 0. 0.] [4. 5. 6.]]
ops.reduceSum(x, 0, { keepdims: false }); // float32 [3] [5. 7. 9.]
ops.range('int64', 0, 5, 1); // int64 [5] [0 1 2 3 4]
ops.range(0, 1, 0.25); // float32 [4] [0.   0.25 0.5  0.75]
ops.add(ops.tensor('int8', [1]), 300); // throws INVALID_ARGUMENT: Add-14: input 1 ('B') is 300, which int8 cannot hold
\`\`\`

\`opset\` in the options picks another version
(\`{ opset: 11 }\`); old versions take some inputs as attributes, which \`ops.run\` takes as they are. Each version takes its
own attributes and types and refuses all others. \`ops.operators()\` gives the rows of those that run with all details, and
\`broadloom operators\` prints them.

## Groups

These run:

| group | operators |
| ----- | --------- |
${groupRows(lines).join('\n')}

## Rounding

Operators that move elements are exact. Add, Sub, Mul, Div and Sqrt round as IEEE 754 does. Integers wrap around, and no division
traps. Functions such as Exp and Tanh are within 2 units in the last place in float32. float16 and bfloat16 are computed in float32
and rounded. Sums of floats have one order, which follows from the number of elements alone.

Types that onnxruntime-web refuses run, too: Add, Exp or MatMul of bfloat16, Acos of float64, ReduceSum of uint32.

## All operators

ONNX ${schemas.onnx_version} has ${rows.length} operators in its default domain, up to opset ${schemas.max_opset}.

| here | meaning | operators |
| ---- | ------- | --------: |
| runs | a method, \`ops.run\` and models run it | ${lines.length} |
| in models | models run it: it has graphs of its own | ${count('models')} |
| shapes only | it does not run yet; the types and shapes of its outputs are known to \`Model.nodes\`, \`simplify\` and \`inspect\` | ${count('shapes')} |
| not yet | it does not run, and its outputs are not known: they are sequences or optional values | ${count('nothing')} |

Element types are those of the newest version. For an operator that does not run, use
[onnxruntime-web](coming-from.md#onnxruntime-web).

| operator | here | versions | element types |
| -------- | ---- | -------- | ------------- |
${rows.join('\n')}

## Other domains

Models run these operators of com.microsoft, which onnxruntime's tools write into files: ${listOf(runningMicrosoft)}.

Types and shapes are known of the following ones, which do not run.

In ai.onnx.ml: ${listOf(ruled['ai.onnx.ml'])}.

In com.microsoft: ${listOf(ruled['com.microsoft'])}.

Until opset 9, ONNX's default domain had some operators as experiments. Models run ${listOf(runningExperiments)}.
`;
}

/** Writes the guide, if it has another text. */
export function writeOperatorGuide() {
  const file = join(root, 'docs/guides/operators.md');
  const text = operatorGuide();
  if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}
