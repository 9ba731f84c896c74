// Writes schemas.json: the facts of ONNX's schemas that Broadloom's rows are compared with.
//   node tests/data/extract-schemas.mjs path/to/onnx-schemas.json
import { readFileSync, writeFileSync } from 'node:fs';

const { onnx_version, max_opset, ops } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

// That a variadic parameter stands for one or more is said by its option.
const plain = (parameters) =>
  parameters.map(({ min_arity, ...rest }) => (min_arity === undefined || min_arity === 1 ? rest : { ...rest, min_arity }));

// One line per row, so that a change of the schemas is a readable diff.
const rows = Object.keys(ops).flatMap((operator) => {
  return ops[operator].map(({ since_version, attributes, inputs, outputs, type_constraints }) => {
    return JSON.stringify({
      operator,
      since_version,
      attributes,
      inputs: plain(inputs),
      outputs: plain(outputs),
      type_constraints,
    });
  });
});
const text = `{"onnx_version": "${onnx_version}", "max_opset": ${max_opset}, "rows": [\n${rows.join(',\n')}\n]}\n`;
writeFileSync(new URL('schemas.json', import.meta.url), text);
