// Random nodes of com.microsoft, and of ONNX's former experiments: { inputs, attributes, outputs }. An input that is null is omitted. `outputs` is the number of
// the node's outputs, or a list with null for those that are omitted, else their types. Attributes of the type float are
// { float }, lists of them { floats }. The inputs numbered in `constants` are initializers. Bytes may differ by `levels`. `others`
// adds nodes of ONNX with the same result to a graph, for operators that the oracle does not run.
import { weights, whole } from './integer-generators.mjs';
import { integersOf, product, tensorOf } from './values.mjs';

const numbers = (random, dims) => tensorOf(random, 'float32', dims, () => random.next() * 4 - 2);
const int32s = (dims, make) => integersOf('int32', dims, make);
const float = (value) => ({ float: value });
const trimmed = (inputs) => inputs.slice(0, inputs.findLastIndex((input) => input !== null) + 1);

const gelu = (biases) => (random) => {
  const dims = random.dims(random.integer(1, 3), 5, 1);
  const inputs = [numbers(random, dims)];
  if (biases(random)) inputs.push(numbers(random, dims.slice(-1)));
  return { inputs };
};

const layered = (hasBias) => (random) => {
  const dims = random.dims(random.integer(1, 3), 5, 1);
  const axis = random.integer(0, dims.length - 1);
  const count = hasBias && random.chance(0.5) ? 2 : 1;
  const parameters = Array.from({ length: count }, () => numbers(random, dims.slice(axis)));
  return { inputs: [numbers(random, dims), ...parameters], attributes: { axis, epsilon: float(1e-3) } };
};

const skipped = (isSimplified) => (random) => {
  const dims = [random.integer(1, 3), random.integer(1, 4), random.integer(1, 8)];
  const row = () => numbers(random, dims.slice(-1));
  const skip = numbers(random, random.pick([dims, dims.slice(1), [1, ...dims.slice(1)]]));
  const rest = isSimplified ? [] : [random.chance(0.7) ? row() : null];
  const inputs = trimmed([numbers(random, dims), skip, row(), ...rest, random.chance(0.5) ? row() : null]);
  const outputs = random.chance(0.5) ? 1 : ['float32', null, null, 'float32'];
  return { inputs, attributes: { epsilon: float(1e-3) }, outputs };
};

/** Dims of two operands of a product with a batch, each perhaps transposed. */
function operands(random, canMoveBatch) {
  const [m, k, n] = Array.from({ length: 3 }, () => random.integer(1, 5));
  const batch = random.dims(random.integer(canMoveBatch ? 1 : 0, 2), 3, 1);
  const attributes = { alpha: float(random.pick([1, 0.5])) };
  const dimsOf = (rows, columns, name) => {
    const isTurned = random.chance(0.5);
    const isMoved = canMoveBatch && random.chance(0.5);
    attributes[`trans${name}`] = isTurned ? 1 : 0;
    if (canMoveBatch) attributes[`transBatch${name}`] = isMoved ? 1 : 0;
    const matrix = isTurned ? [columns, rows] : [rows, columns];
    // A moved first axis becomes the last but one.
    return isMoved ? [matrix[0], ...batch, matrix[1]] : [...batch, ...matrix];
  };
  return { a: dimsOf(m, k, 'A'), b: dimsOf(k, n, 'B'), attributes };
}

const fusedProduct = (canMoveBatch) => (random) => {
  const { a, b, attributes } = operands(random, canMoveBatch);
  return { inputs: [numbers(random, a), numbers(random, b)], attributes };
};

/** Dims, and the dims of a scale: one for all, or one for each index of an axis. */
function scaled(random) {
  const dims = random.dims(random.integer(1, 3), 5, 1);
  const axis = random.integer(0, dims.length - 1);
  const isOfAxis = random.chance(0.5);
  const parameterDims = isOfAxis ? [dims[axis]] : [];
  const attributes = isOfAxis ? { axis: random.pick([axis, axis - dims.length]) } : {};
  const scale = tensorOf(random, 'float32', parameterDims, () => random.integer(1, 20) / 16);
  return { dims, parameterDims, attributes, scale };
}

const smallTypes = ['int8', 'uint8', 'int16', 'uint16'];
const small = (random, type, dims) =>
  tensorOf(random, type, dims, () => random.integer(type.startsWith('u') ? 0 : -90, 90));

/** The number of parameters of each activation that a FusedConv may have. */
const activations = { Clip: 2, HardSigmoid: 2, LeakyRelu: 1, Relu: 0, Sigmoid: 0, Tanh: 0 };

/** Windows of `axes` axes, and an image that they fit into. */
function windows(random, axes) {
  const list = (make) => Array.from({ length: axes }, make);
  const kernel = list(() => random.integer(1, 3));
  const pads = random.chance(0.5) ? list(() => 0) : kernel.map((size) => random.integer(0, size - 1));
  const image = kernel.map((size) => random.integer(size, size + 5));
  const strides = list(() => random.integer(1, 2));
  return { kernel, image, attributes: { kernel_shape: kernel, pads: [...pads, ...pads], strides } };
}

/** Axes [N, C, ...] as [N, ..., C], and back. */
const toBack = (dims) => [dims[0], ...dims.slice(2), dims[1]];
const orderToFront = (rank) => [0, rank - 1, ...Array.from({ length: rank - 2 }, (_, i) => i + 1)];
const orderToBack = (rank) => toBack(Array.from({ length: rank }, (_, i) => i));

/** A convolution of an image whose channels are the last axis. Filters have theirs last, too, unless they are as Conv has them. */
function nhwc(random, { areFiltersLast, more = {}, added = false }) {
  const window = windows(random, 2);
  const group = random.integer(1, 2);
  const [batch, channels, filters] = [random.integer(1, 2), random.integer(1, 4), group * random.integer(1, 4)];
  const weightDims = [filters, channels, ...window.kernel];
  const inputs = [
    numbers(random, toBack([batch, group * channels, ...window.image])),
    numbers(random, areFiltersLast ? toBack(weightDims) : weightDims),
    random.chance(0.5) ? numbers(random, [filters]) : null,
    added && random.chance(0.5) ? numbers(random, [batch, ...places(window), filters]) : null,
  ];
  const attributes = { ...window.attributes, group };
  const others = (g, names) => {
    const front = (name) => g.op('Transpose', [name], { perm: orderToFront(4) });
    const operands = [front(names[0]), areFiltersLast ? front(names[1]) : names[1], ...names.slice(2, 3)];
    let y = g.op('Transpose', [g.op('Conv', operands, attributes)], { perm: orderToBack(4) });
    if (names.length > 3) y = g.op('Add', [y, names[3]]);
    return more.activation === undefined ? y : g.op(more.activation, [y]);
  };
  const constants = random.chance(0.5) ? [1] : [];
  return { inputs: trimmed(inputs), attributes: { ...attributes, ...more }, constants, others };
}

const places = ({ image, kernel, attributes: { pads, strides } }) =>
  image.map((size, i) => Math.floor((size + 2 * pads[i] - kernel[i]) / strides[i]) + 1);

const bytesOf = (random, type, dims) => {
  const least = type === 'int8' ? -128 : 0;
  return tensorOf(random, type, dims, () => random.integer(least, least + 255));
};

/** Bytes with their scale and zero point. Scales are powers of two if results are to be exact. */
function quantised(random, type, dims, isExact) {
  const scale = isExact ? 2 ** random.integer(-5, -2) : 0.02 + random.next() / 4;
  return [bytesOf(random, type, dims), ...levelsOf(random, type, scale)];
}
const levelsOf = (random, type, scale) => [tensorOf(random, 'float32', [], () => scale), bytesOf(random, type, [])];

/**
 * A call on quantised bytes. `make` gives its inputs; the scale and zero point of the result are the last inputs, or the first.
 */
function ofBytes(random, make, { attributes = {}, isRounded = false, isFirst = false } = {}) {
  const type = random.pick(['int8', 'uint8']);
  const isExact = random.chance(0.5);
  const inputs = make((dims) => quantised(random, type, dims, isExact));
  const result = quantised(random, type, [], isExact).slice(1);
  return {
    inputs: isFirst ? [...result, ...inputs] : [...inputs, ...result],
    attributes,
    outputs: [type],
    levels: isExact && !isRounded ? 0 : 1,
  };
}

/** The oracle rounds ties after it added the zero point, which may be odd. */
const ofTwo = (random) => {
  const dims = random.dims(random.integer(1, 3), 20, 1);
  const other = dims.slice(random.integer(0, dims.length - 1));
  const make = (bytes) => {
    const both = [bytes(dims), bytes(random.chance(0.5) ? dims : other)];
    return random.chance(0.5) ? both.flat() : both.reverse().flat();
  };
  return ofBytes(random, make, { isRounded: true });
};

const ofOne = (random, how) => ofBytes(random, (bytes) => bytes(random.dims(random.integer(1, 4), 8, 1)), how);

/** Images whose channels are axis 1 or the last one. */
const imageOf = (random, image) => {
  const channels_last = random.integer(0, 1);
  const [batch, channels] = [random.integer(1, 2), random.integer(1, 20)];
  return { channels_last, dims: channels_last === 1 ? [batch, ...image, channels] : [batch, channels, ...image] };
};

const mask = (random, batch, queries, keys) =>
  random.pick([
    null,
    int32s([batch], () => random.integer(1, keys)),
    int32s([batch, keys], (i) => (i % keys === 0 ? 1 : random.integer(0, 1))),
    int32s([batch, queries, keys], (i) => (i % keys === 0 ? 1 : random.integer(0, 1))),
    // Lengths, and sums of lengths, which the oracle's CPU does not read.
    int32s([3 * batch + 2], (i) => (i < batch ? random.integer(1, keys) : 0)),
  ]);

/** Operands of a product of quantised matrices, and parameters of the second one. `types` are the types of quantised elements. */
function quantisedOperands(random) {
  const [m, k, n] = [random.integer(1, 9), random.integer(1, 40), random.integer(1, 20)];
  const batch = random.dims(random.integer(0, 2), 3, 1);
  const isShared = random.chance(0.5);
  const type = random.pick(['int8', 'uint8']);
  // The oracle has parameters of columns for one matrix alone.
  const parameter = isShared && random.chance(0.5) ? [n] : [1];
  return {
    a: [...batch, m, k],
    b: weights(random, type, isShared ? [k, n] : [...batch, k, n]),
    scale: tensorOf(random, 'float32', parameter, () => random.integer(1, 20) / 1024),
    zero: random.chance(0.7) ? whole(random, type, parameter) : null,
    bias: random.chance(0.5) ? numbers(random, [n]) : null,
  };
}

/** ONNX's domain had experiments until opset 9. */
const former = { domain: '', opset: 9 };

/** One of one element. */
const experiment = (random) => ({
  inputs: [numbers(random, random.dims(random.integer(0, 4), 5, 1))],
  attributes: { alpha: float(random.pick([1, 0.5])), beta: float(random.pick([1, 2, 0.25])) },
  ...former,
});

export const microsoftGenerators = {
  Affine: experiment,
  Attention(random) {
    const heads = random.integer(1, 3);
    const size = random.integer(1, 4);
    const [batch, length, width] = [random.integer(1, 2), random.integer(1, 5), random.integer(1, 6)];
    const past = random.chance(0.3) ? random.integer(1, 3) : 0;
    const hidden = heads * size;
    const inputs = [
      numbers(random, [batch, length, width]),
      numbers(random, [width, 3 * hidden]),
      numbers(random, [3 * hidden]),
      // One column stands for no mask.
      random.chance(0.1) && past + length > 1
        ? int32s([random.pick([1, batch]), 1], () => random.integer(0, 1))
        : mask(random, batch, length, past + length),
      past > 0 ? numbers(random, [2, batch, heads, past, size]) : null,
      past === 0 && random.chance(0.3) ? numbers(random, [random.pick([1, batch]), heads, length, length]) : null,
    ];
    const attributes = { num_heads: heads, unidirectional: random.integer(0, 1) };
    if (random.chance(0.3)) attributes.scale = float(0.5);
    return { inputs: trimmed(inputs), attributes, outputs: past > 0 ? 2 : 1 };
  },
  BiasGelu: gelu(() => true),
  Crop(random) {
    const border = Array.from({ length: 4 }, () => random.integer(0, 2));
    const image = [0, 1].map((i) => border[1 - i] + border[3 - i] + random.integer(1, 4));
    const scale = image.map((size, i) => random.integer(1, size - border[1 - i]));
    return {
      inputs: [numbers(random, [random.integer(1, 2), random.integer(1, 3), ...image])],
      attributes: { border, ...(random.chance(0.5) && { scale }) },
      ...former,
    };
  },
  CropAndResize(random) {
    const [batch, channels, ...image] = random.dims(4, 6, 1);
    const count = random.integer(1, 4);
    const edge = () => (random.chance(0.4) ? random.integer(0, 1) : random.next() * 1.4 - 0.2);
    return {
      inputs: [
        numbers(random, [batch, channels, ...image]),
        tensorOf(random, 'float32', [count, 4], edge),
        int32s([count], () => random.integer(0, batch - 1)),
        int32s([2], () => random.integer(1, 6)),
      ],
      attributes: { mode: random.pick(['bilinear', 'nearest']), extrapolation_value: float(random.integer(-1, 1)) },
    };
  },
  DequantizeLinear(random) {
    const { dims, parameterDims, attributes, scale } = scaled(random);
    const type = random.pick(smallTypes);
    const zero = random.chance(0.6) ? [small(random, type, parameterDims)] : [];
    return { inputs: [small(random, type, dims), scale, ...zero], attributes };
  },
  DynamicQuantizeMatMul(random) {
    const { a, b, scale, zero, bias } = quantisedOperands(random);
    return { inputs: trimmed([numbers(random, a), b, scale, zero, bias]) };
  },
  DynamicQuantizeLSTM(random) {
    const direction = random.pick(['forward', 'reverse', 'bidirectional']);
    const directions = direction === 'bidirectional' ? 2 : 1;
    const [steps, batch, size, hidden] = [
      random.integer(1, 5),
      random.integer(1, 3),
      random.integer(1, 6),
      random.integer(1, 6),
    ];
    const type = random.pick(['int8', 'uint8']);
    const parameter = random.chance(0.5) ? [directions] : [directions, 4 * hidden];
    const scale = () => tensorOf(random, 'float32', parameter, () => random.integer(1, 20) / 2048);
    // The oracle has one zero point for all columns, which is 0 for int8.
    const zero = () => {
      const all = parameter.length === 2 ? (type === 'int8' ? 0 : random.integer(0, 255)) : undefined;
      return all === undefined ? whole(random, type, parameter) : integersOf(type, parameter, () => all);
    };
    const state = () => (random.chance(0.3) ? numbers(random, [directions, batch, hidden]) : null);
    const inputs = [
      numbers(random, [steps, batch, size]),
      weights(random, type, [directions, size, 4 * hidden]),
      weights(random, type, [directions, hidden, 4 * hidden]),
      random.chance(0.5) ? numbers(random, [directions, 8 * hidden]) : null,
      null,
      state(),
      state(),
      random.chance(0.3) ? numbers(random, [directions, 3 * hidden]) : null,
      scale(),
      zero(),
      scale(),
      zero(),
    ];
    const attributes = { hidden_size: hidden, direction };
    if (random.chance(0.3)) attributes.input_forget = 1;
    return { inputs, attributes, outputs: 3, constants: random.chance(0.5) ? [1, 2, 8, 9, 10, 11] : [1, 2] };
  },
  EmbedLayerNormalization(random) {
    const [batch, length, size] = [random.integer(1, 3), random.integer(1, 4), random.integer(1, 8)];
    const ids = (count) => int32s([batch, length], () => random.integer(0, count - 1));
    const hasSegments = random.chance(0.7);
    const inputs = [
      ids(7),
      hasSegments ? ids(2) : null,
      numbers(random, [7, size]),
      numbers(random, [6, size]),
      hasSegments ? numbers(random, [2, size]) : null,
      numbers(random, [size]),
      numbers(random, [size]),
      random.chance(0.5) ? int32s([batch, length], () => random.integer(0, 1)) : null,
      random.chance(0.3) ? ids(6) : null,
    ];
    return { inputs: trimmed(inputs), attributes: { epsilon: float(1e-3) }, outputs: ['float32', 'int32'] };
  },
  ExpandDims(random) {
    const dims = random.dims(random.integer(0, 3), 4, 1);
    const axis = random.integer(-dims.length - 1, dims.length);
    return { inputs: [numbers(random, dims), int32s(random.pick([[], [1]]), () => axis)] };
  },
  FastGelu: gelu((random) => random.chance(0.5)),
  FusedConv(random) {
    // The oracle has no other floats, and a sum for two axes alone.
    const window = windows(random, 2);
    const group = random.integer(1, 2);
    const [batch, channels, filters] = [random.integer(1, 2), random.integer(1, 4), group * random.integer(1, 4)];
    const activation = random.pick([null, ...Object.keys(activations)]);
    const count = activations[activation] ?? 0;
    const parameters = count === 2 ? [-0.5, random.pick([0.5, 2])] : [0.25];
    return {
      inputs: trimmed([
        numbers(random, [batch, group * channels, ...window.image]),
        numbers(random, [filters, channels, ...window.kernel]),
        random.chance(0.5) ? numbers(random, [filters]) : null,
        random.chance(0.4) ? numbers(random, [batch, filters, ...places(window)]) : null,
      ]),
      attributes: {
        ...window.attributes,
        group,
        ...(activation !== null && { activation }),
        ...(count > 0 && { activation_params: { floats: parameters } }),
      },
      constants: random.chance(0.5) ? [1, 2] : [],
    };
  },
  FusedGemm(random) {
    const { a, b, attributes } = operands(random, false);
    const [first, second] = [a, b].map((dims) => dims.slice(-2));
    const n = attributes.transB === 1 ? second[0] : second[1];
    return {
      inputs: trimmed([
        numbers(random, first),
        numbers(random, second),
        random.chance(0.5) ? numbers(random, [n]) : null,
      ]),
      attributes: {
        ...attributes,
        activation: random.pick(['Relu', 'LeakyRelu', 'Sigmoid', 'Tanh']),
        activation_alpha: float(0.25),
      },
    };
  },
  FusedMatMul: fusedProduct(true),
  GatherBlockQuantized(random) {
    const type = random.pick(['uint8', 'uint8', 'int4', 'uint4']);
    const bits = type === 'uint8' ? random.pick([2, 4, 8]) : 4;
    const block_size = random.pick([16, 32]);
    const rank = random.integer(2, 3);
    const dims = random.dims(rank, 4, 1);
    const quantised = type === 'uint8' ? rank - 1 : random.integer(0, rank - 1);
    const gathered = type === 'uint8' ? 0 : random.pick(dims.map((_, i) => i).filter((i) => i !== quantised));
    const stored = dims.with(rank - 1, type === 'uint8' ? random.integer(1, 48) : 2 * random.integer(1, 24));
    const whole = stored.with(rank - 1, stored.at(-1) * (type === 'uint8' ? 8 / bits : 1));
    const blocks = whole.with(quantised, Math.ceil(whole[quantised] / block_size));
    const packed = type === 'uint8' ? blocks.with(rank - 1, Math.ceil((blocks.at(-1) * bits) / 8)) : blocks;
    const elements = (sizes) => {
      const count = product(sizes);
      const data = Uint8Array.from({ length: type === 'uint8' ? count : Math.ceil(count / 2) }, () =>
        random.integer(0, 255),
      );
      return { type, dims: sizes, data };
    };
    const index = () => random.integer(-whole[gathered], whole[gathered] - 1);
    const inputs = [
      elements(stored),
      integersOf(random.pick(['int32', 'int64']), random.dims(random.integer(0, 2), 3, 1), index),
      tensorOf(random, 'float32', blocks, () => random.integer(1, 20) / 64),
      ...(random.chance(0.5) ? [elements(packed)] : []),
    ];
    const attributes = { bits, block_size, gather_axis: gathered, quantize_axis: quantised };
    return { inputs, attributes, constants: [0, 2, 3] };
  },
  Gelu: gelu(() => false),
  GridSample(random) {
    const [batch, channels, ...image] = random.dims(4, 4, 1);
    const points = random.dims(2, 4, 1);
    const mode = random.pick(['bilinear', 'nearest', 'bicubic']);
    return {
      inputs: [
        numbers(random, [batch, channels, ...image]),
        tensorOf(random, 'float32', [batch, ...points, 2], () => random.next() * 2.6 - 1.3),
      ],
      attributes: {
        align_corners: random.integer(0, 1),
        mode,
        // The generator of ONNX's operator knows in which cases the oracle clamps differently.
        padding_mode: random.pick(mode === 'bicubic' ? ['zeros', 'reflection'] : ['zeros', 'border', 'reflection']),
      },
    };
  },
  GroupQueryAttention(random) {
    const keys = random.integer(1, 2);
    const heads = keys * random.integer(1, 2);
    const size = 16;
    const batch = random.integer(1, 2);
    const isFirst = random.chance(0.5);
    const length = isFirst ? random.integer(1, 5) : 1;
    const past = isFirst ? 0 : random.integer(1, 5);
    const total = past + length;
    // Sequences of a batch may have fewer keys than the longest one. The first one is the longest.
    const last = (i) => (isFirst || i === 0 ? total - 1 : random.integer(0, total - 1));
    const isPacked = random.chance(0.5);
    const row = (count) => numbers(random, [batch, length, count * size]);
    const state = () => numbers(random, [batch, keys, past, size]);
    const table = () => numbers(random, [10, size / 2]);
    const isRotary = random.chance(0.5);
    const hasSinks = random.chance(0.2);
    const hasPositions = isRotary && random.chance(0.5);
    const inputs = [
      row(isPacked ? heads + 2 * keys : heads),
      ...(isPacked ? [null, null] : [row(keys), row(keys)]),
      ...(isFirst ? [null, null] : [state(), state()]),
      int32s([batch], last),
      int32s([1], () => total),
      ...(isRotary ? [table(), table()] : []),
      ...(hasPositions ? [tensorOf(random, 'int64', [batch, length], () => BigInt(random.integer(0, 4)))] : []),
      ...(hasSinks
        ? [...(isRotary ? [] : [null, null]), ...(hasPositions ? [] : [null]), null, numbers(random, [heads])]
        : []),
    ];
    const attributes = { num_heads: heads, kv_num_heads: keys, do_rotary: isRotary ? 1 : 0 };
    if (isRotary) attributes.rotary_interleaved = random.integer(0, 1);
    if (random.chance(0.3)) attributes.local_window_size = random.integer(1, 4);
    if (random.chance(0.3)) attributes.softcap = float(2);
    if (random.chance(0.2)) attributes.smooth_softmax = 1;
    return { inputs, attributes, outputs: 3 };
  },
  ImageScaler(random) {
    const dims = [random.integer(1, 2), random.integer(1, 3), random.integer(1, 4), random.integer(1, 4)];
    const bias = Array.from({ length: dims[1] }, () => random.integer(-8, 8) / 4);
    return {
      inputs: [numbers(random, dims)],
      attributes: { bias: { floats: bias }, scale: float(0.5) },
      ...former,
    };
  },
  Inverse(random) {
    const size = random.integer(1, 6);
    const batch = random.dims(random.integer(0, 2), 3, 1);
    const dims = [...batch, size, size];
    const matrix = numbers(random, dims);
    // A large diagonal keeps them apart from those without an inverse.
    for (let i = 0; i < matrix.data.length; i += 1)
      if ((i % (size * size)) % (size + 1) === 0) matrix.data[i] += 2 * size;
    return { inputs: [matrix] };
  },
  LayerNormalization: (random) => ({ ...layered(true)(random), domain: '' }),
  MatMulIntegerToFloat(random) {
    const { a, b, scale, zero, bias } = quantisedOperands(random);
    // The oracle has no int8 beside uint8.
    const type = b.type === 'uint8' ? 'uint8' : random.pick(['int8', 'uint8']);
    const one = random.pick([[], [1]]);
    const inputs = [
      whole(random, type, a),
      b,
      tensorOf(random, 'float32', one, () => random.integer(1, 20) / 64),
      scale,
      random.chance(0.7) ? whole(random, type, one) : null,
      zero,
      bias,
    ];
    return { inputs: trimmed(inputs) };
  },
  MatMulNBits(random) {
    const bits = random.pick([4, 4, 8, 2]);
    const block_size = random.pick([16, 32]);
    const [k, n] = [random.integer(1, 300), random.integer(1, 40)];
    const blocks = Math.ceil(k / block_size);
    const isFlat = random.chance(0.3);
    const per = (count) => (isFlat ? [n * count] : [n, count]);
    const bytes = (dims) => tensorOf(random, 'uint8', dims, () => random.integer(0, 255));
    const inputs = [
      numbers(random, [...random.dims(random.integer(0, 1), 3, 1), random.integer(1, 6), k]),
      bytes([n, blocks, (block_size * bits) / 8]),
      tensorOf(random, 'float32', per(blocks), () => random.integer(1, 20) / 256),
      random.chance(0.5) ? bytes(per(Math.ceil((blocks * bits) / 8))) : null,
      null,
      random.chance(0.5) ? numbers(random, [n]) : null,
    ];
    return { inputs: trimmed(inputs), attributes: { K: k, N: n, bits, block_size } };
  },
  MaxpoolWithMask(random) {
    const { image, attributes } = windows(random, random.integer(1, 3));
    // The oracle takes the first element of a plane although it is masked, and of several planes of a mask not its own.
    const mask = [1, 1, ...image];
    return {
      inputs: [
        numbers(random, [random.integer(1, 2), random.integer(1, 3), ...image]),
        int32s(mask, (i) => (i > 0 && random.chance(0.2) ? 0 : random.pick([-1, 1, 2]))),
      ],
      attributes,
    };
  },
  MultiHeadAttention(random) {
    const heads = random.integer(1, 3);
    const [batch, queries, keys] = [random.integer(1, 2), random.integer(1, 5), random.integer(1, 5)];
    const past = random.chance(0.3) ? random.integer(1, 3) : 0;
    const size = random.integer(1, 4);
    const width = past > 0 ? size : random.integer(1, 4);
    const state = (each) => (past > 0 ? numbers(random, [batch, heads, past, each]) : null);
    const added = random.chance(0.3) ? [random.pick([1, batch]), heads, queries, past + keys] : null;
    const inputs = [
      numbers(random, [batch, queries, heads * size]),
      numbers(random, [batch, keys, heads * size]),
      numbers(random, [batch, keys, heads * width]),
      random.chance(0.5) ? numbers(random, [heads * (2 * size + width)]) : null,
      random.chance(0.5)
        ? int32s([batch, past + keys], (i) => (i % (past + keys) === 0 ? 1 : random.integer(0, 1)))
        : null,
      added && numbers(random, added),
      state(size),
      state(width),
    ];
    const attributes = { num_heads: heads };
    if (random.chance(0.3)) attributes.scale = float(0.5);
    // With fewer queries than keys, the oracle lets a single query see all keys, and puts several queries at the first keys.
    if ((queries === 1 || queries === keys) && random.chance(0.3)) attributes.unidirectional = 1;
    return { inputs: trimmed(inputs), attributes, outputs: past > 0 || random.chance(0.3) ? 3 : 1 };
  },
  NhwcConv: (random) => nhwc(random, { areFiltersLast: true }),
  NhwcFusedConv(random) {
    const activation = random.pick([undefined, 'Relu', 'Sigmoid', 'Tanh']);
    return nhwc(random, { added: true, more: activation === undefined ? {} : { activation } });
  },
  NhwcMaxPool(random) {
    const window = windows(random, random.integer(1, 3));
    const type = random.pick(['int8', 'uint8']);
    const dims = [random.integer(1, 2), ...window.image, random.integer(1, 5)];
    return {
      inputs: [bytesOf(random, type, dims)],
      attributes: { ...window.attributes, ceil_mode: random.integer(0, 1) },
      outputs: [type],
    };
  },
  Pad(random) {
    const dims = Array.from({ length: random.integer(1, 4) }, () => random.integer(2, 4));
    const mode = random.pick(['constant', 'constant', 'edge', 'reflect']);
    const pads = integersOf('int64', random.pick([[2 * dims.length], [1, 2 * dims.length]]), () =>
      random.integer(mode === 'constant' && random.chance(0.2) ? -1 : 0, mode === 'reflect' ? 1 : 3),
    );
    const value = mode === 'constant' && random.chance(0.5) ? [numbers(random, random.pick([[], [1]]))] : [];
    return { inputs: [numbers(random, dims), pads, ...value], attributes: { mode } };
  },
  ParametricSoftplus: experiment,
  QAttention(random) {
    const [heads, size] = [random.integer(1, 3), random.integer(1, 4)];
    const [batch, length, width] = [random.integer(1, 2), random.integer(1, 5), random.integer(1, 6)];
    const hidden = heads * size;
    const past = random.chance(0.3) ? random.integer(1, 3) : 0;
    const weightType = random.pick(['int8', 'uint8']);
    // The oracle has no int8 inputs.
    const type = 'uint8';
    const parameter = random.chance(0.5) ? [] : [3 * hidden];
    const inputs = [
      whole(random, type, [batch, length, width]),
      weights(random, weightType, [width, 3 * hidden]),
      numbers(random, [3 * hidden]),
      tensorOf(random, 'float32', [], () => random.integer(1, 20) / 512),
      tensorOf(random, 'float32', parameter, () => random.integer(1, 20) / 1024),
      random.chance(0.5) ? mask(random, batch, length, past + length) : null,
      whole(random, type, []),
      whole(random, weightType, parameter),
      past > 0 ? numbers(random, [2, batch, heads, past, size]) : null,
    ];
    const attributes = { num_heads: heads, unidirectional: random.integer(0, 1) };
    const constants = random.chance(0.5) ? [1] : [];
    return { inputs: trimmed(inputs), attributes, outputs: past > 0 ? 2 : 1, constants };
  },
  QGemm(random) {
    const [m, k, n] = [random.integer(1, 9), random.integer(1, 40), random.integer(1, 20)];
    const [transA, transB] = [random.integer(0, 1), random.integer(0, 1)];
    const type = random.pick(['int8', 'uint8']);
    const weightType = type === 'int8' ? 'int8' : random.pick(['int8', 'uint8']);
    const parameter = random.chance(0.5) ? [] : [n];
    const isRounded = random.chance(0.5);
    const inputs = [
      whole(random, type, transA === 1 ? [k, m] : [m, k]),
      tensorOf(random, 'float32', [], () => random.integer(1, 20) / 64),
      whole(random, type, []),
      weights(random, weightType, transB === 1 ? [n, k] : [k, n]),
      tensorOf(random, 'float32', parameter, () => random.integer(1, 20) / 64),
      whole(random, weightType, parameter),
      random.chance(0.5) ? int32s(random.pick([[n], [m, n], [m, 1], [1], []]), () => random.integer(-900, 900)) : null,
      ...(isRounded ? [tensorOf(random, 'float32', [], () => random.integer(20, 90)), whole(random, type, [])] : []),
    ];
    return {
      inputs: trimmed(inputs),
      attributes: { transA, transB, alpha: float(random.pick([1, 0.5])) },
      outputs: [isRounded ? type : 'float32'],
      levels: 1,
      constants: random.chance(0.5) ? [3] : [],
    };
  },
  QLinearAdd: ofTwo,
  QLinearAveragePool(random) {
    const window = windows(random, random.integer(1, 3));
    const { channels_last, dims } = imageOf(random, window.image);
    const count_include_pad = random.integer(0, 1);
    const attributes = { ...window.attributes, channels_last, count_include_pad };
    return ofBytes(random, (bytes) => bytes(dims), { attributes, isRounded: true });
  },
  QLinearConcat(random) {
    const dims = random.dims(random.integer(1, 3), 5, 1);
    const axis = random.integer(0, dims.length - 1);
    const part = () => dims.map((size, i) => (i === axis ? random.integer(1, 5) : size));
    return ofBytes(random, (bytes) => Array.from({ length: random.integer(1, 4) }, () => bytes(part())).flat(), {
      attributes: { axis: random.pick([axis, axis - dims.length]) },
      isFirst: true,
    });
  },
  QLinearConv(random) {
    const window = windows(random, 2);
    const [channels, filters] = [random.integer(1, 4), random.integer(1, 5)];
    const channels_last = random.integer(0, 1);
    const dims = [random.integer(1, 2), channels, ...window.image];
    const [type, weightType] = random.pick([
      ['uint8', 'uint8'],
      ['uint8', 'int8'],
      ['int8', 'int8'],
    ]);
    return {
      inputs: [
        ...[weights(random, type, channels_last === 1 ? toBack(dims) : dims), ...levelsOf(random, type, 1 / 64)],
        weights(random, weightType, [filters, channels, ...window.kernel]),
        tensorOf(random, 'float32', random.pick([[1], [filters]]), () => random.integer(1, 20) / 256),
        integersOf(weightType, [1], () => 0),
        ...levelsOf(random, type, 1 / 8),
        ...(random.chance(0.5) ? [int32s([filters], () => random.integer(-500, 500))] : []),
      ],
      attributes: { ...window.attributes, channels_last },
      outputs: [type],
      levels: 1,
      constants: random.chance(0.5) ? [3] : [],
    };
  },
  QLinearGlobalAveragePool(random) {
    const { channels_last, dims } = imageOf(random, random.dims(random.integer(1, 3), 6, 1));
    return ofBytes(random, (bytes) => bytes(dims), { attributes: { channels_last }, isRounded: true });
  },
  QLinearLeakyRelu: (random) => ofOne(random, { attributes: { alpha: float(0.25) } }),
  QLinearMul: ofTwo,
  QLinearReduceMean(random) {
    const dims = random.dims(random.integer(1, 4), 6, 1);
    const axes = dims.map((_, i) => i).filter(() => random.chance(0.5));
    const attributes = {
      axes: axes.length > 0 ? axes.map((axis) => axis - random.pick([0, dims.length])) : [0],
      keepdims: random.integer(0, 1),
    };
    const call = ofBytes(random, (bytes) => bytes(dims), { attributes, isRounded: true });
    const others = (g, [x, scale, zero, toScale, toZero]) =>
      g.op('QuantizeLinear', [
        g.op('ReduceMean', [g.op('DequantizeLinear', [x, scale, zero])], attributes),
        toScale,
        toZero,
      ]);
    return { ...call, others };
  },
  QLinearSigmoid: (random) => ofOne(random, { isRounded: true }),
  QLinearSoftmax(random) {
    const dims = random.dims(random.integer(1, 4), 8, 1);
    const attributes = { axis: random.integer(-dims.length, dims.length - 1), opset: random.pick([11, 13]) };
    return ofBytes(random, (bytes) => bytes(dims), { attributes, isRounded: true });
  },
  QLinearWhere(random) {
    const dims = random.dims(random.integer(1, 3), 6, 1);
    const some = () => dims.map((size) => (random.chance(0.3) ? 1 : size));
    const condition = tensorOf(random, 'bool', some(), () => random.integer(0, 1));
    return ofBytes(random, (bytes) => [condition, ...bytes(some()), ...bytes(some())]);
  },
  QuantizeLinear(random) {
    const { dims, parameterDims, attributes, scale } = scaled(random);
    const type = random.pick(smallTypes);
    const x = tensorOf(random, 'float32', dims, () => random.integer(-400, 400) / 8);
    return { inputs: [x, scale, small(random, type, parameterDims)], attributes, outputs: [type] };
  },
  QuickGelu(random) {
    return { ...gelu(() => false)(random), attributes: { alpha: float(random.pick([1.702, 1, 0.5])) } };
  },
  Range(random) {
    const type = random.pick(['float32', 'float64', 'int32', 'int64', 'int16']);
    const isFloat = type.startsWith('float');
    const one = (value) => {
      const number = type === 'int64' ? BigInt(value) : isFloat ? value / 4 : value;
      return tensorOf(random, type, random.pick([[], [1]]), () => number);
    };
    const bounds = [random.integer(-9, 9), random.integer(-9, 9)];
    const step = random.chance(0.3) ? [] : [random.pick([-3, -2, -1, 1, 2, 3])];
    return { inputs: [...bounds, ...step].map(one), outputs: [type] };
  },
  RotaryEmbedding(random) {
    const [batch, heads, length] = [random.integer(1, 2), random.integer(1, 3), random.integer(1, 4)];
    const size = 8 * random.integer(1, 2);
    const isFlat = random.chance(0.5);
    const dims = isFlat ? [batch, length, heads * size] : [batch, heads, length, size];
    const positions = random.chance(0.5)
      ? integersOf('int64', [1], () => random.integer(0, 3))
      : integersOf('int64', [batch, length], () => random.integer(0, 7));
    return {
      inputs: [numbers(random, dims), positions, numbers(random, [8, size / 2]), numbers(random, [8, size / 2])],
      attributes: { interleaved: random.integer(0, 1) },
    };
  },
  ScaledTanh: experiment,
  SimplifiedLayerNormalization: (random) => ({ ...layered(false)(random), domain: '' }),
  SkipLayerNormalization: skipped(false),
  SkipSimplifiedLayerNormalization: skipped(true),
  TransposeMatMul: fusedProduct(false),
  Trilu(random) {
    const type = random.pick(['float32', 'float64', 'int64']);
    const dims = random.dims(random.integer(2, 4), 5, 1);
    const k = random.chance(0.6) ? [integersOf('int64', random.pick([[], [1]]), () => random.integer(-6, 6))] : [];
    const attributes = random.chance(0.7) ? { upper: random.integer(0, 1) } : {};
    return { inputs: [tensorOf(random, type, dims), ...k], attributes, outputs: [type] };
  },
  UnfoldTensor(random) {
    const dims = random.dims(random.integer(1, 4), 6, 1);
    const dim = random.integer(-dims.length, dims.length - 1);
    const size = random.integer(1, dims.at(dim));
    const step = random.chance(0.5) ? { step: random.integer(1, 4) } : {};
    return { inputs: [numbers(random, dims)], attributes: { dim, size, ...step } };
  },
};
