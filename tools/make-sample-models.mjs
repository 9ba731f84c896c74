// Writes the models that the playground's page "Models" offers, field by field: web-demo/public/samples/*.onnx. The files
// are committed; a test checks that they are what this makes. Field numbers are those of onnx/onnx.proto.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../web-demo/public/samples/', import.meta.url);
const typeIds = { float32: 1, int64: 7, bool: 9 };

function varint(value) {
  const bytes = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
}

const integer = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);

/** A field of bytes, of a string, or of a message, which is a list of fields. */
function bytes(field, value) {
  const content = Array.isArray(value) ? Buffer.concat(value) : Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

/** TensorProto. Floats only: nothing else is needed. */
function tensor(dims, values) {
  const data = Buffer.from(Float32Array.from(values).buffer);
  return [...dims.map((dim) => integer(1, dim)), integer(2, typeIds.float32), bytes(9, data)];
}

/** AttributeProto. */
const tensorAttribute = (name, value) => bytes(5, [bytes(1, name), bytes(5, value), integer(20, 4)]);
const graphAttribute = (name, fields) =>
  bytes(5, [bytes(1, name), bytes(6, [...fields, bytes(2, name)]), integer(20, 5)]);
const integerAttribute = (name, value) => bytes(5, [bytes(1, name), integer(3, value), integer(20, 2)]);

/** A NodeProto in a graph. */
function node(operator, name, inputs, outputs, attributes = [], domain = undefined) {
  const fields = [
    ...inputs.map((input) => bytes(1, input)),
    ...outputs.map((output) => bytes(2, output)),
    bytes(3, name),
    bytes(4, operator),
    ...attributes,
  ];
  return bytes(1, domain === undefined ? fields : [...fields, bytes(7, domain)]);
}

/** A ValueInfoProto in a graph. A size is a number or a name. */
function value(field, name, type, dims) {
  const sizes = dims.map((dim) => bytes(1, [typeof dim === 'number' ? integer(1, dim) : bytes(2, dim)]));
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [integer(1, typeIds[type]), bytes(2, sizes)])])]);
}
const input = (name, type, dims) => value(11, name, type, dims);
const output = (name, type, dims) => value(12, name, type, dims);

/** A ModelProto with a graph of these fields. */
function model(name, graph, domains = []) {
  const opset = (domain, version) => bytes(8, [bytes(1, domain), integer(2, version)]);
  return Buffer.concat([
    integer(1, 8), // ir_version
    bytes(2, 'broadloom'),
    opset('', 21),
    ...domains.map((domain) => opset(domain, 1)),
    bytes(7, [...graph, bytes(2, name)]),
  ]);
}

/** The files by name. */
export function sampleModels() {
  return {
    'zeros-like.onnx': model('zeros_like', [
      node('Shape', 'take_shape', ['x'], ['shape']),
      node('ConstantOfShape', 'fill', ['shape'], ['zeros'], [tensorAttribute('value', tensor([1], [0]))]),
      input('x', 'float32', ['rows', 'columns']),
      output('zeros', 'float32', ['rows', 'columns']),
    ]),
    'expand-like.onnx': model('expand_like', [
      node('Shape', 'take_shape', ['like'], ['shape']),
      node('Expand', 'broadcast', ['x', 'shape'], ['y']),
      input('x', 'float32', ['rows', 1]),
      input('like', 'float32', ['batch', 'rows', 'columns']),
      output('y', 'float32', ['batch', 'rows', 'columns']),
    ]),
    'batch-bias.onnx': model('batch_bias', [
      node('Constant', 'weights', [], ['bias'], [tensorAttribute('value', tensor([4], [0.5, -1, 0.25, 2]))]),
      node('Shape', 'batch_and_one', ['x'], ['batch_by_one'], [integerAttribute('end', 2)]),
      node('Expand', 'repeat', ['bias', 'batch_by_one'], ['rows']),
      node('Identity', 'result', ['rows'], ['biases']),
      input('x', 'float32', ['batch', 1, 'length']),
      output('biases', 'float32', ['batch', 4]),
    ]),
    'keep-or-clear.onnx': model('keep_or_clear', [
      node(
        'If',
        'choose',
        ['keep'],
        ['y'],
        [
          graphAttribute('then_branch', [
            node('Identity', 'keep_it', ['x'], ['kept']),
            output('kept', 'float32', ['rows', 'columns']),
          ]),
          graphAttribute('else_branch', [
            node('Shape', 'take_shape', ['x'], ['shape']),
            node('ConstantOfShape', 'fill', ['shape'], ['zeros'], [tensorAttribute('value', tensor([1], [0]))]),
            output('zeros', 'float32', ['rows', 'columns']),
          ]),
        ],
      ),
      input('x', 'float32', ['rows', 'columns']),
      input('keep', 'bool', []),
      output('y', 'float32', ['rows', 'columns']),
    ]),
    'unsupported-gelu.onnx': model(
      'unsupported_gelu',
      [
        node('Constant', 'weights', [], ['bias'], [tensorAttribute('value', tensor([4], [0.5, -1, 0.25, 2]))]),
        node('BiasGelu', 'activation', ['x', 'bias'], ['activated'], [], 'com.microsoft'),
        node('Shape', 'take_shape', ['activated'], ['shape']),
        node('ConstantOfShape', 'mask', ['shape'], ['ones'], [tensorAttribute('value', tensor([1], [1]))]),
        input('x', 'float32', ['batch', 4]),
        output('activated', 'float32', ['batch', 4]),
        output('ones', 'float32', ['batch', 4]),
      ],
      ['com.microsoft'],
    ),
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(sampleModels())) writeFileSync(new URL(name, folder), content);
}
