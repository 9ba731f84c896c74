// Operators compute new tensors of live ones.
import * as exact from './arithmetic.mjs';
import { Wrong } from './machine.mjs';
import { at, countOf, difference, randomShadow, rows, shadow, zeros } from './values.mjs';

const integers = ['int32', 'int64', 'uint8', 'int8'];
const isSmall = ({ dims }) => countOf(dims) <= 4096 && dims.length <= 6;

const operand = (machine, types) => machine.pick((found) => types.includes(found.type) && isSmall(found));

/** A tensor for the length of a call: of a live one's type, with dims that broadcast to its. */
function partner(machine, { type, dims }) {
  const { random } = machine;
  const lead = random.below(dims.length + 1);
  return randomShadow(
    random,
    type,
    dims.slice(lead).map((size) => (random.oneIn(3) ? 1 : size)),
  );
}

/** Runs an operator on live tensors and shadows that live for the call, and keeps the result. */
function call(machine, name, inputs, attributes, ...wanted) {
  const made = [];
  const given = inputs.map((one) => {
    if (one.tensor !== undefined) return one.tensor;
    if (one.items === undefined) return one;
    made.push(machine.make(one));
    return made.at(-1);
  });
  const results = machine.ops.run(name, given, attributes);
  for (const tensor of made) tensor.dispose();
  for (const [i, result] of results.entries()) machine.keep(result, wanted[i]);
}

function binary(machine) {
  const { random } = machine;
  const name = random.from(['Add', 'Sub', 'Mul', 'Max', 'Min']);
  const found = operand(machine, name.startsWith('M') && name !== 'Mul' ? integers : exact.numberTypes);
  if (found === undefined) return;
  const other = partner(machine, found.shadow);
  const wanted = exact.binary(name, found.shadow, other);
  call(machine, name, [found, other], {}, wanted);
}

function unary(machine) {
  const found = operand(machine, ['float32', 'float64', 'int32', 'int64', 'int8']);
  if (found === undefined) return;
  const name = machine.random.from(['Neg', 'Abs']);
  call(machine, name, [found], {}, exact.unary(name, found.shadow));
}

/** An operator on a live tensor and itself. */
function twice(machine) {
  const found = operand(machine, exact.numberTypes);
  if (found === undefined) return;
  const name = machine.random.from(['Add', 'Sub', 'Mul']);
  call(machine, name, [found, found], {}, exact.binary(name, found.shadow, found.shadow));
}

function compare(machine) {
  const found = operand(machine, ['float32', ...integers]);
  if (found === undefined) return;
  const name = machine.random.from(['Equal', 'Less', 'Greater']);
  const other = partner(machine, found.shadow);
  call(machine, name, [found, other], {}, exact.compare(name, found.shadow, other));
}

function where(machine) {
  const found = machine.pick(
    (one) =>
      one.type !== 'string' && rows.get(one.type).kind !== 'mini_float' && rows.get(one.type).bits >= 8 && isSmall(one),
  );
  if (found === undefined) return;
  const condition = partner(machine, { type: 'bool', dims: found.shadow.dims });
  const other = partner(machine, found.shadow);
  const { type, dims } = found.shadow;
  if (rows.get(type).kind === 'complex') return;
  const wanted = exact.where(condition, found.shadow, other);
  call(machine, 'Where', [condition, found, other], {}, { ...wanted, type, dims });
}

function cast(machine) {
  const found = operand(machine, ['int32', 'uint8', 'int8', 'bool']);
  if (found === undefined) return;
  const type = machine.random.from(['int32', 'int64', 'float32', 'float64', 'int8', 'uint8']);
  call(machine, 'Cast', [found], { to: rows.get(type).id }, exact.cast(found.shadow, type));
}

function reduce(machine) {
  const found = machine.pick(
    (one) => ['int32', 'int64'].includes(one.type) && isSmall(one) && one.items.length > 0 && one.dims.length > 0,
  );
  if (found === undefined) return;
  const name = machine.random.from(['ReduceSum', 'ReduceMax']);
  const axis = machine.random.below(found.shadow.dims.length);
  call(machine, name, [found, [axis]], {}, exact.reduce(name, found.shadow, axis));
}

function concat(machine) {
  const { random } = machine;
  const found = machine.pick(
    (one) =>
      isSmall(one) &&
      one.dims.length > 0 &&
      rows.get(one.type).bits >= 8 &&
      rows.get(one.type).bits <= 64 &&
      !one.type.startsWith('float8') &&
      one.type !== 'complex64',
  );
  if (found === undefined) return;
  const { type, dims } = found.shadow;
  const axis = random.below(dims.length);
  const others = random.list(random.between(1, 3), () =>
    random.oneIn(3) ? found : randomShadow(random, type, dims.with(axis, random.below(4))),
  );
  const all = [found, ...others];
  call(
    machine,
    'Concat',
    all,
    { axis },
    exact.concat(
      all.map((one) => one.shadow ?? one),
      axis,
    ),
  );
}

function gather(machine) {
  const { random } = machine;
  const found = machine.pick(
    (one) => isSmall(one) && one.dims.length > 0 && rows.get(one.type).bits >= 8 && !one.type.startsWith('float8'),
  );
  if (found === undefined) return;
  const { dims } = found.shadow;
  const axis = random.below(dims.length);
  const size = dims[axis];
  if (size === 0) return;
  const indices = random.list(random.below(5), () => random.between(-size, size - 1));
  const list = shadow('int64', [indices.length], BigInt64Array.from(indices, BigInt));
  call(machine, 'Gather', [found, list], { axis }, exact.gather(found.shadow, indices, axis));
}

function tile(machine) {
  const { random } = machine;
  const found = machine.pick(
    (one) => ['float32', 'int32', 'int64', 'uint8', 'bool', 'string'].includes(one.type) && countOf(one.dims) <= 64,
  );
  if (found === undefined) return;
  const repeats = found.shadow.dims.map(() => random.between(0, 2) || random.between(0, 1));
  call(machine, 'Tile', [found, repeats], {}, exact.tile(found.shadow, repeats));
}

function split(machine) {
  const { random } = machine;
  const found = machine.pick(
    (one) =>
      ['float32', 'int32', 'int64', 'uint8', 'bool', 'string', 'float16'].includes(one.type) &&
      isSmall(one) &&
      one.dims.length > 0,
  );
  if (found === undefined) return;
  const { dims } = found.shadow;
  const axis = random.below(dims.length);
  const sizes = [];
  for (let rest = dims[axis]; rest > 0 || sizes.length === 0; rest -= sizes.at(-1)) sizes.push(random.between(0, rest));
  let first = 0;
  const parts = sizes.map((size) => {
    const indices = Array.from({ length: size }, (_, i) => first + i);
    first += size;
    return size === 0
      ? shadow(found.shadow.type, dims.with(axis, 0), zeros(found.shadow.type, 0))
      : exact.gather(found.shadow, indices, axis);
  });
  call(machine, 'Split', [found, sizes], { axis }, ...parts);
}

function cumSum(machine) {
  const found = machine.pick((one) => ['int32', 'int64'].includes(one.type) && isSmall(one) && one.dims.length > 0);
  if (found === undefined) return;
  const axis = machine.random.below(found.shadow.dims.length);
  call(
    machine,
    'CumSum',
    [found, shadow('int64', [], BigInt64Array.of(BigInt(axis)))],
    {},
    exact.cumSum(found.shadow, axis),
  );
}

function matMul(machine) {
  const found = machine.pick((one) => ['int32', 'int64'].includes(one.type) && isSmall(one) && one.dims.length === 2);
  if (found === undefined) return;
  const other = randomShadow(machine.random, found.shadow.type, [found.shadow.dims[1], machine.random.below(7)]);
  call(machine, 'MatMul', [found, other], {}, exact.matMul(found.shadow, other));
}

function shape(machine) {
  const found = machine.pick();
  if (found === undefined) return;
  const { dims } = found.shadow;
  call(machine, 'Shape', [found], {}, shadow('int64', [dims.length], BigInt64Array.from(dims, BigInt)));
}

function nonZero(machine) {
  const found = operand(machine, ['int32', 'uint8', 'bool', 'float32']);
  if (found === undefined || found.shadow.dims.length === 0) return;
  call(machine, 'NonZero', [found], {}, exact.nonZero(found.shadow));
}

/** A typed method, with a number as an operand. */
function method(machine) {
  const found = operand(machine, ['float32', 'int32']);
  if (found === undefined) return;
  const { type, dims } = found.shadow;
  const one = shadow(type, [], at(found.shadow, [], []).items.constructor.of(3));
  machine.keep(
    machine.ops.add(found.tensor, 3),
    exact.elementwise(type, dims, [found.shadow, one], exact.arithmetic[type].add),
  );
}

/** The call is written as files, and the model of it gives the same. */
function nodeModel(machine) {
  const found = operand(machine, ['float32', 'int32']);
  if (found === undefined) return;
  const { ops } = machine;
  const files = ops.nodeModel('Neg', [found.tensor]);
  const wanted = exact.unary('Neg', found.shadow);
  const output = ops.readTensor(files['test_data_set_0/output_0.pb']);
  const found2 = difference(output, wanted);
  output.dispose();
  if (found2 !== undefined) throw new Wrong(found2);
  const model = ops.loadModel(files['model.onnx']);
  const [name] = model.inputs.map((input) => input.name);
  const [result] = Object.values(model.run({ [name]: found.tensor }));
  model.dispose();
  machine.keep(result, wanted);
}

export const arithmeticSteps = [
  [20, 'binary', binary],
  [6, 'unary', unary],
  [4, 'twice', twice],
  [5, 'compare', compare],
  [5, 'Where', where],
  [8, 'Cast', cast],
  [5, 'reduce', reduce],
  [6, 'Concat', concat],
  [6, 'Gather', gather],
  [3, 'Tile', tile],
  [5, 'Split', split],
  [3, 'CumSum', cumSum],
  [4, 'MatMul', matMul],
  [2, 'Shape', shape],
  [2, 'NonZero', nonZero],
  [4, 'method', method],
  [2, 'nodeModel', nodeModel],
];
