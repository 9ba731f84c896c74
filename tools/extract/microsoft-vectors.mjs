// Writes tests/data/microsoft.bin: random models of one node of each operator that only models run, with inputs and with the
// outputs that onnxruntime-node has, for native tests. Numbers are little-endian, and each text follows its length. The file has
// for each case the operator, the model, how far bytes may be from the outputs, inputs, outputs (TensorProtos). Run it when a
// generator changes: node tools/extract/microsoft-vectors.mjs
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from '../../dist/node.js';
import { microsoftGenerators } from '../../tests/differential/microsoft-generators.mjs';
import { modelOf, oracle } from '../../tests/differential/microsoft-models.mjs';
import { Random } from '../../tests/differential/values.mjs';
import { root } from '../run.mjs';

/** How many calls of each; more of those with many forms. */
const few = 5;
const many = 24;
const hasManyForms = /Attention|Normalization|MatMulNBits|Conv/;

const ops = await load();
const parts = [];
const number = (value) => parts.push(Buffer.from(Uint32Array.of(value).buffer));
const bytes = (value) => {
  const content = Buffer.from(value);
  number(content.length);
  parts.push(content);
};
const tensors = (list) => {
  number(list.length);
  for (const { type, dims, data } of list) bytes(ops.writeTensor({ type, dims: [...dims], data }));
};

let cases = 0;
for (const [name, generate] of Object.entries(microsoftGenerators)) {
  for (let i = 0; i < (hasManyForms.test(name) ? many : few); i++) {
    const call = generate(new Random(7919 + i));
    const { file, wanted, feeds, results } = modelOf(name, call);
    const outputs = await oracle(wanted, feeds, results);
    bytes(name);
    bytes(file);
    number(call.levels ?? 0);
    tensors(Object.values(feeds));
    tensors(outputs);
    cases++;
  }
}
const file = Buffer.concat(parts);
writeFileSync(join(root, 'tests/data/microsoft.bin'), file);
console.log(`${cases} cases, ${file.length} bytes`);
