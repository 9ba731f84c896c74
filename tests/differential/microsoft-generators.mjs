// Random nodes of com.microsoft: { inputs, attributes, outputs }. An input that is null is omitted. `outputs` is the number of
// the node's outputs, or a list with null for those that are omitted. Attributes of the type float are { float }.
import { tensorOf } from './values.mjs';

/** The types that the oracle computes these in. */
const floats = ['float32'];

const numbers = (random, dims, type = 'float32') => tensorOf(random, type, dims, () => random.next() * 4 - 2);

const gelu = (biases) => (random) => {
  const dims = random.dims(random.integer(1, 3), 5, 1);
  const inputs = [numbers(random, dims, random.pick(floats))];
  if (biases(random)) inputs.push(numbers(random, dims.slice(-1)));
  return { inputs };
};

export const microsoftGenerators = {
  BiasGelu: gelu(() => true),
  FastGelu: gelu((random) => random.chance(0.5)),
  Gelu: gelu(() => false),
  QuickGelu(random) {
    return { ...gelu(() => false)(random), attributes: { alpha: { float: random.pick([1.702, 1, 0.5]) } } };
  },
};
