// Results do not depend on layouts: random calls of every operator give the same bits with operands as they are and as views
// that are turned, reversed, cut out or stretched. BROADLOOM_SEED=n selects the calls, COUNT=n their number for each operator.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { copyOf, differenceOf } from '../support/random-graphs/tensors.mjs';
import { count, seed } from './cases.mjs';
import { Draw, generatorOf } from './generators.mjs';
import { allTypes, anyElement, asView, floats, product, Random } from './values.mjs';

const ops = await load();

/** Some axes are long enough for the ways of kernels with many elements. */
class WideRandom extends Random {
  dims(rank, most = 4, least = 0) {
    const dims = super.dims(rank, most, least);
    if (rank > 0 && this.chance(0.6)) dims[this.integer(0, rank - 1)] = this.integer(1, this.pick([20, 90, 700]));
    if (rank > 1 && this.chance(0.5)) dims[this.integer(0, rank - 1)] = this.integer(8, 40);
    return product(dims) > 20_000 ? super.dims(rank, most, least) : dims;
  }
}

/** Floats with many digits instead of those whose sums are exact. */
function withDigits(random, tensor) {
  if (tensor === null || !floats.includes(tensor.type) || tensor.type === 'float16') return tensor;
  const make = () => (random.chance(0.02) ? anyElement(random, tensor.type) : random.next() * 4 - 2);
  return { ...tensor, data: tensor.data.map(make) };
}

/** Every 3rd element of a larger tensor, along each axis. */
function cutOut(tensor) {
  const { type, dims, data } = tensor;
  const wide = dims.map((size) => 3 * size + 1);
  if (product(wide) > 2 ** 22) return ops.tensor(type, data, dims);
  const large = type === 'string' ? Array(product(wide)).fill('') : new data.constructor(product(wide));
  const places = dims.map(() => 0);
  for (let i = 0; i < data.length; i++) {
    large[places.reduce((at, place, axis) => at * wide[axis] + 3 * place + 1, 0)] = data[i];
    for (let axis = dims.length - 1; axis >= 0 && ++places[axis] === dims[axis]; axis--) places[axis] = 0;
  }
  const axes = dims.map((_, axis) => axis);
  const bounds = [dims.map(() => 1), wide, axes, dims.map(() => 3)];
  return ops.run('Slice', [ops.tensor(type, large, wide), ...bounds])[0];
}

/** The operators whose operands hold what must be whole, or lie in a range. */
const kept = new Set(
  'Range Resize Upsample RoiAlign MaxRoiPool NonMaxSuppression Cast CastLike OneHot Tile QuantizeLinear'.split(' '),
);

for (const { name, versions } of ops.operators()) {
  if (name === 'Constant') continue;
  test(`${name} gives the same bits for operands in any layout`, () => {
    const version = versions.at(-1);
    const types = allTypes.filter((type) =>
      (version.typeConstraints[version.inputs[0].type] ?? [version.inputs[0].type]).includes(type),
    );
    for (let i = 0; i < count; i++) {
      const random = new WideRandom(seed * 7919 + i);
      const reals = types.filter((type) => type === 'float32' || type === 'float64');
      const among = reals.length > 0 && random.chance(0.7) ? reals : types.length > 0 ? types : allTypes;
      const call = generatorOf(name)(new Draw(random, version, among));
      const { attributes = {} } = call;
      const inputs = call.inputs.map((one, k) =>
        kept.has(name) || (k > 0 && !random.chance(0.7)) ? one : withDigits(random, one),
      );
      const run = (form) =>
        ops.scope(() => {
          try {
            return ops
              .run(
                name,
                inputs.map((one) => one && form(one)),
                attributes,
              )
              .map(copyOf);
          } catch (error) {
            if (error.name !== 'OnnxError') throw error;
            return error.message;
          }
        });
      const dense = run(({ type, data, dims }) => ops.tensor(type, data, dims));
      const forms = { view: (one) => asView(ops, random, one), 'part of a larger one': cutOut };
      for (const [form, make] of Object.entries(forms)) {
        const found = run(make);
        const where = `BROADLOOM_SEED=${seed}, number ${i}, ${form}: ${JSON.stringify(attributes, (_, value) => (typeof value === 'bigint' ? `${value}` : value))} of ${inputs.map((one) => one && `${one.type} [${one.dims}]`).join('; ')}`;
        if (typeof dense === 'string') assert.equal(found, dense, where);
        else for (const [k, one] of dense.entries()) assert.equal(differenceOf(found[k], one), undefined, where);
      }
    }
  });
}
