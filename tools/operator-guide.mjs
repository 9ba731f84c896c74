// Writes docs/guides/operators.md: what runs, from what the command prints of the operators' rows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from './run.mjs';

/** The guide's text. */
export function operatorGuide() {
  const [, ...lines] = run('node', ['dist/cli/broadloom.js', 'operators'], { quiet: true }).trim().split('\n');
  const rows = lines.map((line) => {
    const [name, versions, types] = line.split(/ {2,}/);
    return `| [${name}](https://onnx.ai/onnx/operators/onnx__${name}.html) | ${versions} | ${types} |`;
  });
  return `# Operators

${rows.length} operators of ONNX's default domain run. Each has a method on the runtime with its name in camel case: inputs by position, then
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
hold it. A list of booleans is a bool tensor. Lists stand for inputs that say where or how many: shapes, axes, indices. One axis
or size needs no list.

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
own attributes and types and refuses all others. \`ops.operators()\` gives the rows of this table with all details, and
\`broadloom operators\` prints them.

\`If\`, \`Loop\` and \`Scan\` run in models.

| operator | versions | element types (newest version) |
| -------- | -------- | -------------------------------- |
${rows.join('\n')}
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(join(root, 'docs/guides/operators.md'), operatorGuide());
