// Random calls of products and convolutions of integers of 8 bits.
import { convolutionParts } from './convolution-generators.mjs';
import { tensorOf } from './values.mjs';

const bytes = ['int8', 'uint8'];

/** Elements from the whole range of their type, so that sums are large. */
export const whole = (random, type, dims) =>
  tensorOf(random, type, dims, () => random.integer(0, 255) - (type === 'int8' ? 128 : 0));

/**
 * Elements of weights. On some processors the oracle's sums of two products of uint8 and int8 saturate at int16. Sums of these
 * elements stay below. Convolutions want them of images, too, and of the zero points that pad these: there the second factor may
 * be the image.
 */
export const weights = (random, type, dims) =>
  tensorOf(random, type, dims, () => (type === 'int8' ? random.integer(-64, 63) : random.integer(0, 255)));

/** Dims of two operands of a product, as in numpy.matmul; mostly longer than a vector, now and then odd. */
function matrices(random, stretching) {
  const [m, k, n] = [random.integer(1, 9), random.integer(1, 40), random.integer(1, 20)];
  const batch = random.dims(random.integer(0, 2), 3, 1);
  return [
    [m, k],
    [k, n],
  ].map((matrix) => (random.chance(0.1) ? [k] : [...stretching(batch), ...matrix]));
}

/** Dims of a zero point or scale of one element, or of one for each column: of one matrix, since the oracle refuses others. */
const parameterDims = (random, dims) =>
  random.chance(0.5) || dims.length !== 2 ? random.pick([[], [1]]) : [dims.at(-1)];

const scale = (random, dims, most) => tensorOf(random, 'float32', dims, () => random.integer(1, 32) / most);
const one = (random) => random.pick([[], [1]]);

export const integerGenerators = {
  ConvInteger(draw) {
    const { random } = draw;
    const { image, filters, attributes } = convolutionParts(draw);
    const types = [random.pick(bytes), random.pick(bytes)];
    const inputs = [weights(random, types[0], image), weights(random, types[1], filters)];
    if (random.chance(0.7)) inputs.push(weights(random, types[0], one(random)));
    // The oracle has no zero points of filters.
    if (inputs.length === 3 && random.chance(0.7)) inputs.push(whole(random, types[1], one(random)));
    return { inputs, attributes };
  },
  MatMulInteger(draw) {
    const { random } = draw;
    const dims = matrices(random, (batch) => draw.stretching(batch));
    const types = [random.pick(bytes), random.pick(bytes)];
    const inputs = dims.map((sizes, i) => (i === 0 ? whole : weights)(random, types[i], sizes));
    if (random.chance(0.7)) inputs.push(whole(random, types[0], one(random)));
    if (inputs.length === 3 && random.chance(0.7)) inputs.push(whole(random, types[1], parameterDims(random, dims[1])));
    return { inputs };
  },
  QLinearConv(draw) {
    const { random } = draw;
    const { image, filters, attributes } = convolutionParts(draw);
    const types = [random.pick(bytes), random.pick(bytes)];
    const to = random.pick(bytes);
    const each = random.chance(0.5) ? [filters[0]] : one(random);
    const inputs = [
      weights(random, types[0], image),
      scale(random, one(random), 64),
      weights(random, types[0], one(random)),
      weights(random, types[1], filters),
      scale(random, each, 64),
      whole(random, types[1], each),
      scale(random, one(random), 0.25),
      whole(random, to, one(random)),
    ];
    if (random.chance(0.5)) inputs.push(tensorOf(random, 'int32', [filters[0]], () => random.integer(-5000, 5000)));
    return { inputs, attributes };
  },
  QLinearMatMul(draw) {
    const { random } = draw;
    const dims = matrices(random, (batch) => draw.stretching(batch));
    const types = [random.pick(bytes), random.pick(bytes)];
    const each = parameterDims(random, dims[1]);
    const inputs = [
      whole(random, types[0], dims[0]),
      scale(random, one(random), 64),
      whole(random, types[0], one(random)),
      weights(random, types[1], dims[1]),
      scale(random, each, 64),
      whole(random, types[1], each),
      scale(random, one(random), 0.25),
      whole(random, random.pick(bytes), one(random)),
    ];
    return { inputs };
  },
};
