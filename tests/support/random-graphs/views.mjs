// Values in other forms: as an opset writes it, in a type that JavaScript lacks, or with given dims whatever the sizes are.
import { onnxIds } from '../../differential/generators.mjs';
import { product } from '../../differential/values.mjs';
import { isOrdinary } from './tensors.mjs';

const ids = { ...onnxIds, bfloat16: 16, float8e4m3fn: 17, float8e5m2: 19, uint4: 21, int4: 22 };

export function cast(scope, value, type) {
  return scope.op('Cast', [value], { to: ids[type] });
}

export function reshape(scope, value, dims) {
  if (scope.builder.opset < 5) return scope.op('Reshape', [value], { shape: dims });
  return scope.op('Reshape', [value, scope.ints(dims)]);
}

export function slice(scope, value, starts, ends, axes) {
  if (scope.builder.opset < 10) return scope.op('Slice', [value], { starts, ends, axes });
  return scope.op('Slice', [value, scope.ints(starts), scope.ints(ends), scope.ints(axes)]);
}

const withAxes = (operator) => (scope, value, axes) => {
  if (scope.builder.opset < 13) return scope.op(operator, [value], { axes });
  return scope.op(operator, [value, scope.ints(axes)]);
};
export const unsqueeze = withAxes('Unsqueeze');
export const squeeze = withAxes('Squeeze');

const reals = ['float32', 'float64', 'float16'];
const isWhole = (type) => /^u?int/.test(type);

/** Whether elements keep their meaning in another type on every platform. */
function canCast(value, type) {
  if (value.type === type) return true;
  if (value.type === 'bool') return type !== 'string';
  if (value.type === 'string' || type === 'string' || type === 'bool') return false;
  if (isWhole(value.type) && type === 'float32') return true;
  if (reals.includes(value.type) && reals.includes(type)) return true;
  const least = type.startsWith('u') ? 0 : -100;
  return value.worlds.every(
    (tensor) =>
      tensor === undefined ||
      (value.type !== 'float16' && isOrdinary(tensor, 100) && tensor.data.every((one) => one >= least && one <= 100)),
  );
}

/** A value of the graph as one of the type and dims of `tensor` in every world, or undefined. */
export function adapted(scope, tensor) {
  const { random, builder } = scope;
  const { type, dims } = tensor;
  if (builder.opset < 6) return undefined;
  const possible = scope.visible().filter((value) => canCast(value, type));
  if (possible.length === 0) return undefined;
  const same = possible.filter((value) => value.type === type);
  const value = same.length > 0 && random.chance(0.7) ? same.at(-1) : random.pick(possible);
  const flat = reshape(scope, value.type === type ? value : cast(scope, value, type), [-1]);
  const count = product(dims);
  if (count === 0) return undefined;
  const rest = scope.weight({ ...tensor, dims: [count] });
  const parts = random.chance(0.8) ? [flat, rest] : [rest, flat];
  const joined = scope.op('Concat', parts, { axis: 0 });
  const cut = slice(scope, joined, [0], [count], [0]);
  return reshape(scope, cut, dims);
}

/** Now and then, for an operator that takes float32: its operands as bfloat16, if the version takes that, too. */
export function converted(scope, { version }, inputs, operands) {
  if (version === undefined || !scope.random.chance(0.04)) return undefined;
  if (inputs[0]?.type !== 'float32') return undefined;
  const allowed = version.typeConstraints[version.inputs[0].type] ?? [];
  if (!allowed.includes('bfloat16') || scope.builder.opset < 13) return undefined;
  return operands.map((value, i) => (inputs[i]?.type === 'float32' ? cast(scope, value, 'bfloat16') : value));
}
