// The documented examples of the operators (examples/documented.json) and the official test models, as calls that can be
// made and checked. Used by the demo and by the tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian's libonnx-testdata puts the official test models. */
export const testdata = '/usr/share/libonnx-testdata/data';

const officialModels = [
  /^node\/test_constant$/,
  /^node\/test_constantofshape_/,
  /^node\/test_shape(_clip|_end|_start|_example|$)/,
  /^node\/test_expand_dim_/,
  /^simple\/test_expand_shape_model/,
];

/** Examples: { operator, name, inputs, attributes, output }; a tensor with `fill` has that value everywhere. */
export function documentedExamples() {
  const text = readFileSync(new URL('../examples/documented.json', import.meta.url), 'utf8');
  const filled = (_, value) => {
    if (typeof value?.fill !== 'number') return value;
    const { type, dims, fill } = value;
    return { type, dims, data: Array(dims.reduce((product, dim) => product * dim, 1)).fill(fill) };
  };
  return JSON.parse(text, filled);
}

/** Makes an example's call through the typed method of its operator. */
export function runExample(ops, { operator, inputs, attributes }) {
  const method = operator[0].toLowerCase() + operator.slice(1);
  return ops[method](...inputs, ...(Object.keys(attributes).length > 0 ? [attributes] : []));
}

/** The official models of the four operators: { name, model, inputs, outputs }, the latter as .pb bytes. */
export function officialTests() {
  if (!existsSync(testdata)) throw new Error(`${testdata} is missing: install libonnx-testdata`);
  const names = ['node', 'simple'].flatMap((folder) =>
    readdirSync(join(testdata, folder)).map((name) => `${folder}/${name}`),
  );
  return names
    .filter((name) => officialModels.some((pattern) => pattern.test(name)))
    .sort()
    .map((name) => {
      const set = join(testdata, name, 'test_data_set_0');
      const files = (kind) =>
        readdirSync(set)
          .filter((file) => file.startsWith(kind))
          .sort()
          .map((file) => readFileSync(join(set, file)));
      return {
        name,
        model: readFileSync(join(testdata, name, 'model.onnx')),
        inputs: files('input'),
        outputs: files('output'),
      };
    });
}

/** Whether two tensors are equal, bit for bit. */
export function sameTensor(a, b) {
  if (a.type !== b.type || a.dims.length !== b.dims.length || !a.dims.every((dim, i) => dim === b.dims[i]))
    return false;
  if (a.type === 'string') return a.data.every((string, i) => string === b.data[i]);
  const bytes = ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes(a).equals(bytes(b));
}
