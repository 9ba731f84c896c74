// For each operator, random calls that ONNX allows: { inputs, attributes }. They have the form of the draw's version.

import { operatorWords } from '../../tools/operators/words.mjs';
import { attentionGenerators } from './attention-generators.mjs';
import { convolutionGenerators } from './convolution-generators.mjs';
import { integerGenerators } from './integer-generators.mjs';
import { recurrentGenerators } from './recurrent-generators.mjs';
import { samplingGenerators } from './sampling-generators.mjs';
import { schemaGenerator } from './schema-generator.mjs';
import { signalGenerators } from './signal-generators.mjs';
import { allTypes, anyElement, element, floats, integers, integersOf, product, tensorOf } from './values.mjs';

const numbers = [...floats, ...integers];
const indexTypes = ['int32', 'int64'];

/** The argument of all generators: random numbers, the version of the operator, and its element types. */
export class Draw {
  constructor(random, version, types) {
    Object.assign(this, { random, version, types, since: version.sinceVersion });
  }
  has(attribute) {
    return this.version.attributes.some(({ name }) => name === attribute);
  }
  type(among = allTypes) {
    return this.random.pick(among.filter((type) => this.types.includes(type)));
  }
  any(dims, among) {
    return tensorOf(this.random, this.type(among), dims);
  }
  /** A list of integers as an input. */
  list(values, type = 'int64') {
    return integersOf(type, [values.length], (i) => values[i]);
  }
  scalar(value, type = 'int64') {
    return integersOf(type, [], () => value);
  }
  /** The axis, or the same counted from the end if the version allows that. */
  axis(axis, rank, fromEndSince = 1) {
    return this.since >= fromEndSince && this.random.chance(0.5) ? axis - rank : axis;
  }
  /** Dims that broadcast to `dims`. Before version 7 these are `dims`, because only an attribute can request a broadcast. */
  stretching(dims) {
    if (this.since < 7) return dims;
    return dims.slice(this.random.integer(0, dims.length)).map((size) => (this.random.chance(0.3) ? 1 : size));
  }
  /** Some axes of a rank, in any order. */
  axes(rank, least = 0) {
    const all = this.random.shuffled(Array.from({ length: rank }, (_, axis) => axis));
    return all.slice(0, this.random.integer(Math.min(least, rank), rank));
  }
}

function special(draw, dims, among) {
  const type = draw.type(among);
  return tensorOf(draw.random, type, dims, () => element(draw.random, type, { isSpecial: true }));
}

/** Attributes of old versions that do not affect the result. */
const old = (draw) => (draw.has('consumed_inputs') && draw.random.chance(0.5) ? { consumed_inputs: [0] } : {});

/**
 * B for A in the broadcast of old versions: aligned with A from an axis on, or with its last axes. And the B that newer versions
 * broadcast in the same way.
 */
function aligned(draw, dims) {
  const { random } = draw;
  const end = random.chance(0.5) ? dims.length : random.integer(0, dims.length);
  const start = random.integer(0, end);
  const isLast = end === dims.length && random.chance(0.5);
  return {
    own: dims.slice(start, end),
    newer: [...dims.slice(start, end), ...dims.slice(end).map(() => 1)],
    attributes: { broadcast: 1, ...(!isLast && start < dims.length && { axis: start }) },
  };
}

const binary = (make, among) => (draw) => {
  const dims = draw.random.dims(draw.random.integer(0, 4));
  const type = draw.type(among);
  const a = tensorOf(draw.random, type, draw.has('broadcast') ? dims : draw.stretching(dims), () =>
    make(draw.random, type),
  );
  const isAligned = draw.has('broadcast') && draw.random.chance(0.7);
  const how = isAligned ? aligned(draw, dims) : { own: draw.stretching(dims), attributes: {} };
  const b = tensorOf(draw.random, type, how.own, () => make(draw.random, type));
  return {
    inputs: [a, b],
    attributes: { ...how.attributes, ...old(draw) },
    newer: { inputs: [a, { ...b, dims: how.newer ?? how.own }] },
  };
};

const withSpecial = (random, type) => element(random, type, { isSpecial: true });

const variadic = (among) => (draw) => {
  const dims = draw.random.dims(draw.random.integer(0, 4));
  const type = draw.type(among);
  const inputs = Array.from({ length: draw.random.integer(1, 4) }, () =>
    // Before version 8 there is no broadcasting.
    tensorOf(draw.random, type, draw.since < 8 ? dims : draw.stretching(dims), () => withSpecial(draw.random, type)),
  );
  return { inputs, attributes: old(draw), newer: { inputs } };
};

const unary = (among, make, attributesOf) => (draw) => {
  const dims = draw.random.dims(draw.random.integer(0, 4), 5);
  const type = draw.type(among);
  const inputs = [tensorOf(draw.random, type, dims, () => make(draw.random, type))];
  const attributes = attributesOf?.(draw) ?? {};
  return { inputs, attributes: { ...attributes, ...old(draw) }, newer: { inputs, attributes } };
};
const exact = (among) => unary(among, withSpecial);
/** A function of numbers from the whole range of a type. */
const mathematical = (attributesOf) => unary(floats, anyElement, attributesOf);

/** Sometimes an attribute with one of the values; always for old versions, which have other defaults. */
const perhaps = (values) => (draw) =>
  Object.fromEntries(
    Object.entries(values)
      .filter(() => draw.since < 6 || draw.random.chance(0.6))
      .map(([name, list]) => [name, draw.random.pick(list)]),
  );

/** Avoids integer division by 0, which ends the oracle with a signal. */
const divided = (attributesOf) => (draw) => {
  const { inputs, attributes, newer } = binary(withSpecial, numbers)(draw);
  const [, { type, dims }] = inputs;
  inputs[1] = tensorOf(draw.random, type, dims, () => {
    const value = element(draw.random, type, { isSpecial: true });
    return integers.includes(type) && Number(value) === 0 ? (type.endsWith('64') ? 3n : 3) : value;
  });
  newer.inputs[1] = { ...inputs[1], dims: newer.inputs[1].dims };
  return { inputs, attributes: { ...attributes, ...attributesOf?.(draw, type) }, newer };
};

const reduction = (inputSince, among) => (draw) => {
  const dims = draw.random.dims(draw.random.integer(0, 4));
  const type = draw.type(among);
  const data = tensorOf(draw.random, type, dims, () =>
    type === 'float16' ? draw.random.pick([0x3c00, 0xbc00, 0x4000]) : element(draw.random, type, { low: -2, high: 2 }),
  );
  const axes = draw.axes(dims.length).map((axis) => draw.axis(axis, dims.length, 11));
  const attributes = { keepdims: draw.random.integer(0, 1) };
  if (draw.since < inputSince)
    return { inputs: [data], attributes: axes.length > 0 ? { ...attributes, axes } : attributes };
  attributes.noop_with_empty_axes = draw.random.integer(0, 1);
  return { inputs: draw.random.chance(0.3) ? [data] : [data, draw.list(axes)], attributes };
};

/** Some rows along an axis, of numbers and sometimes of NaN and infinities. */
const alongAxis = (among, fromEndSince, attributesOf) => (draw) => {
  const dims = draw.random.dims(draw.random.integer(1, 4), 7, 1);
  const axis = draw.random.integer(0, dims.length - 1);
  const type = draw.type(among);
  const isSpecial = draw.random.chance(0.3);
  const data = tensorOf(draw.random, type, dims, () => element(draw.random, type, { isSpecial }));
  return { inputs: [data], attributes: { axis: draw.axis(axis, dims.length, fromEndSince), ...attributesOf?.(draw) } };
};

const bestIndex = alongAxis(numbers, 11, (draw) => ({
  keepdims: draw.random.integer(0, 1),
  ...(draw.since >= 12 && { select_last_index: draw.random.integer(0, 1) }),
}));

const running = (draw) => {
  const { inputs, attributes } = alongAxis(numbers, 1)(draw);
  const axis = draw.scalar(attributes.axis, draw.random.pick(indexTypes));
  return {
    inputs: [...inputs, axis],
    attributes: { exclusive: draw.random.integer(0, 1), reverse: draw.random.integer(0, 1) },
  };
};

/** Data of [N, C, ...], and the type of all inputs. */
const channels = (draw, leastRank, multiple = 1) => {
  const dims = draw.random.dims(draw.random.integer(leastRank, 4), 5, 1);
  dims[1] *= multiple;
  const type = draw.type(floats);
  return { dims, type, data: tensorOf(draw.random, type, dims) };
};

const layered = (count) => (draw) => {
  const { random } = draw;
  const dims = random.dims(random.integer(1, 4), 5, 1);
  const axis = random.integer(0, dims.length - 1);
  const type = draw.type(floats);
  const parameters = Array.from({ length: random.integer(1, count) }, () => tensorOf(random, type, dims.slice(axis)));
  const attributes = { axis: draw.axis(axis, dims.length), epsilon: random.pick([1e-5, 0.25]) };
  return { inputs: [tensorOf(random, type, dims), ...parameters], attributes };
};

const scattered = (draw) => {
  const { random, since } = draw;
  const reduction =
    since >= 16 ? random.pick(['none', 'add', 'mul', ...(since >= 18 ? ['min', 'max'] : [])]) : undefined;
  const dims = random.dims(random.integer(1, 3), 4, 1);
  const axis = random.integer(0, dims.length - 1);
  const isReduced = reduction !== undefined && reduction !== 'none';
  const counts = dims.map((size, i) => random.integer(1, i === axis && isReduced ? 6 : size));
  // Writing an index twice is defined only for reductions.
  const places = random.shuffled(Array.from({ length: dims[axis] }, (_, i) => i));
  const inner = product(counts.slice(axis + 1));
  const indices = integersOf(random.pick(indexTypes), counts, (i) => {
    const place = isReduced ? random.integer(0, dims[axis] - 1) : places[Math.floor(i / inner) % counts[axis]];
    return since >= 11 && random.chance(0.3) ? place - dims[axis] : place;
  });
  const type = draw.type(isReduced ? numbers : allTypes);
  return {
    inputs: [tensorOf(random, type, dims), indices, tensorOf(random, type, counts)],
    attributes: { axis: draw.axis(axis, dims.length, 11), ...(reduction && { reduction }) },
  };
};

/** One scale for all elements, for each index of an axis, or for each block of indices. */
function granularity(draw, dims) {
  const { random, since } = draw;
  const kind = random.pick(['one', ...(since >= 13 ? ['axis'] : []), ...(since >= 21 ? ['block'] : [])]);
  if (kind === 'one') return { parameterDims: [], attributes: {} };
  const axis = random.integer(0, dims.length - 1);
  const attributes = { axis: draw.axis(axis, dims.length) };
  if (kind === 'axis') return { parameterDims: [dims[axis]], attributes };
  const block_size = random.integer(1, 3);
  return {
    parameterDims: dims.with(axis, Math.ceil(dims[axis] / block_size)),
    attributes: { ...attributes, block_size },
  };
}

/** Powers of two, so that quotients and products are exact. */
const scales = (random, type, dims) =>
  tensorOf(random, type, dims, () =>
    type === 'float16'
      ? random.pick([0x3800, 0x3c00, 0x4000])
      : random.pick(type === 'int32' ? [1, 2, 4] : [0.5, 1, 2, 0.25]),
  );

const integer = (type, value) => (type.endsWith('int64') ? BigInt(Math.trunc(value)) : Math.trunc(value));
const halfOf = (value) => ({ '-3': 0xc200, '-2': 0xc000, 0: 0, 1: 0x3c00, 1.5: 0x3e00, 3: 0x4200 })[value];

/** Shifts, including those by the number of bits and more. */
const shifted = (random, type) =>
  random.chance(0.5) ? integer(type, random.integer(0, 70)) : anyElement(random, type);

const base = (random, type) =>
  integers.includes(type) ? integer(type, random.integer(type.startsWith('u') ? 0 : -9, 9)) : anyElement(random, type);

const widths = {
  ...Object.fromEntries(integers.map((type) => [type, Number(/\d+$/.exec(type))])),
  float16: 16,
  float32: 32,
  float64: 64,
};

const generators = {
  ...attentionGenerators,
  ...convolutionGenerators,
  ...integerGenerators,
  ...samplingGenerators,
  ...signalGenerators,
  Abs: exact(numbers),
  Acos: mathematical(),
  Acosh: mathematical(),
  Add: binary(withSpecial, numbers),
  And: binary(withSpecial),
  ArgMax: bestIndex,
  ArgMin: bestIndex,
  Asin: mathematical(),
  Asinh: mathematical(),
  Atan: mathematical(),
  Atanh: mathematical(),
  BatchNormalization(draw) {
    const { random, since } = draw;
    const { dims, type, data } = channels(draw, 2);
    const isSpatial = since > 7 || random.chance(0.6);
    const length = isSpatial ? [dims[1]] : dims.slice(1);
    const parameter = (make) => tensorOf(random, type, length, make);
    const positive = () => (type === 'float16' ? random.pick([0x3c00, 0x4000, 0x3400]) : random.integer(1, 20) / 4);
    return {
      inputs: [data, parameter(), parameter(), parameter(), parameter(positive)],
      attributes: {
        epsilon: random.pick([1e-5, 0.25]),
        ...(since < 9 && { spatial: isSpatial ? 1 : 0 }),
        ...(since < 7 && { is_test: 1 }),
        ...(since < 6 && { consumed_inputs: [0] }),
      },
    };
  },
  BitCast(draw) {
    const { random } = draw;
    const from = draw.type(numbers);
    const to = random.pick(numbers.filter((type) => widths[type] === widths[from]));
    const dims = random.dims(random.integer(0, 4));
    return {
      inputs: [tensorOf(random, from, dims, () => anyElement(random, from))],
      attributes: { to: onnxIds[to] },
    };
  },
  BitShift: (draw) => {
    const { inputs } = binary(shifted)(draw);
    return { inputs, attributes: { direction: draw.random.pick(['LEFT', 'RIGHT']) } };
  },
  BitwiseAnd: binary(anyElement),
  BitwiseNot: unary(integers, anyElement),
  BitwiseOr: binary(anyElement),
  BitwiseXor: binary(anyElement),
  Cast(draw) {
    const { random } = draw;
    const from = draw.type();
    const to = draw.type();
    const dims = random.dims(random.integer(0, 3));
    // Values that both types have, and fractions. Conversion out of range depends on the platform.
    const isUnsigned = to.startsWith('u') || from.startsWith('u');
    const texts = to.startsWith('float')
      ? ['1.5', '-3', '1e3', '0', '-0.25']
      : isUnsigned
        ? ['0', '3', '100']
        : ['-3', '0', '100'];
    const make = () => {
      if (from === 'string') return to === 'bool' ? '1' : random.pick(texts);
      if (from === 'float16') return random.pick([0, 0x3c00, 0x3e00, 0x4100, 0x5640]);
      if (from.startsWith('float') && to !== 'string') return random.integer(isUnsigned ? 0 : -200, 400) / 4;
      return element(random, from, { low: -100, high: 100 });
    };
    return {
      inputs: [tensorOf(random, from, dims, make)],
      attributes: { to: draw.since === 1 ? textNames[to] : onnxIds[to] },
      to,
    };
  },
  CastLike(draw) {
    const { inputs, to } = generators.Cast(draw);
    return { inputs: [...inputs, tensorOf(draw.random, to, [1])] };
  },
  Ceil: exact(floats),
  Celu: mathematical(perhaps({ alpha: [0.5, 2, 1.25] })),
  CenterCropPad(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4));
    const axes = draw.axes(dims.length, 1);
    const isAll = draw.random.chance(0.3);
    const sizes = (isAll ? dims : axes).map(() => draw.random.integer(0, 6));
    const attributes = isAll ? {} : { axes: axes.map((axis) => draw.axis(axis, dims.length)) };
    return { inputs: [draw.any(dims), draw.list(sizes, draw.random.pick(indexTypes))], attributes };
  },
  Clip(draw) {
    const { random, since } = draw;
    const type = draw.type(numbers);
    const dims = random.dims(random.integer(0, 4));
    const data = tensorOf(random, type, dims, () => withSpecial(random, type));
    const bounds = { min: random.pick([-2, 0, 1]), max: random.pick([0, 1.5, 3, -3]) };
    const names = Object.keys(bounds).filter(() => random.chance(0.7));
    const scalar = (name) =>
      names.includes(name)
        ? tensorOf(random, type, [], () =>
            type === 'float16'
              ? halfOf(bounds[name])
              : floats.includes(type)
                ? bounds[name]
                : integer(type, bounds[name]),
          )
        : null;
    const inputs = [data, scalar('min'), scalar('max')];
    while (inputs.at(-1) === null) inputs.pop();
    if (since >= 11) return { inputs };
    const attributes = Object.fromEntries(names.map((name) => [name, bounds[name]]));
    const hasOwnDefaults = since === 6 && names.length < 2;
    return {
      inputs: [data],
      attributes: { ...attributes, ...old(draw) },
      newer: hasOwnDefaults ? undefined : { inputs },
    };
  },
  Compress(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 3));
    const axis = draw.random.integer(0, dims.length - 1);
    const isFlat = draw.random.chance(0.3);
    const count = draw.random.integer(0, isFlat ? product(dims) : dims[axis]);
    const condition = tensorOf(draw.random, 'bool', [count]);
    return {
      inputs: [draw.any(dims), condition],
      attributes: isFlat ? {} : { axis: draw.axis(axis, dims.length, 11) },
    };
  },
  Concat(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4));
    const axis = draw.random.integer(0, dims.length - 1);
    const type = draw.type();
    const inputs = Array.from({ length: draw.random.integer(1, 4) }, () =>
      tensorOf(draw.random, type, dims.with(axis, draw.random.integer(0, 4))),
    );
    return { inputs, attributes: { axis: draw.axis(axis, dims.length, 11) } };
  },
  ConstantOfShape(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4));
    return {
      inputs: [draw.list(dims)],
      attributes: {
        value: draw.any(
          [1],
          allTypes.filter((type) => type !== 'string'),
        ),
      },
    };
  },
  Cos: mathematical(),
  Cosh: mathematical(),
  CumProd: running,
  CumSum: running,
  DepthToSpace(draw) {
    const size = draw.random.integer(1, 3);
    const [n, c, h, w] = [draw.random.integer(1, 2), size * size * draw.random.integer(1, 3), ...draw.random.dims(2)];
    const attributes = { blocksize: size, ...(draw.since >= 11 && { mode: draw.random.pick(['DCR', 'CRD']) }) };
    return { inputs: [draw.any([n, c, h, w])], attributes };
  },
  DequantizeLinear(draw) {
    const { random, since } = draw;
    const dims = random.dims(random.integer(1, 3), 5, 1);
    const { parameterDims, attributes } = granularity(draw, dims);
    const type = draw.type(['uint8', 'int8', 'uint16', 'int16', 'int32']);
    const isHalf = since >= 19 && random.chance(0.2);
    const inputs = [
      tensorOf(random, type, dims, () => random.integer(type.startsWith('u') ? 0 : -100, 100)),
      scales(random, isHalf ? 'float16' : 'float32', parameterDims),
    ];
    if (random.chance(0.6))
      inputs.push(
        tensorOf(random, type, parameterDims, () =>
          type === 'int32' ? 0 : random.integer(type.startsWith('u') ? 0 : -9, 9),
        ),
      );
    return { inputs, attributes };
  },
  Det(draw) {
    const size = draw.random.integer(1, 4);
    return { inputs: [draw.any([...draw.random.dims(draw.random.integer(0, 2)), size, size], floats)] };
  },
  Div: divided(),
  Dropout(draw) {
    const { random, since } = draw;
    const data = draw.any(random.dims(random.integer(0, 4)), floats);
    if (since >= 12) {
      const ratio = () => tensorOf(random, random.pick(['float32', 'float64']), [], () => 0.25);
      const isGiven = random.chance(0.5);
      const training = tensorOf(random, 'bool', [], () => 0);
      const inputs = random.pick([[data], [data, ratio()], [data, null, training], [data, ratio(), training]]);
      return { inputs, attributes: isGiven ? { seed: 7 } : {} };
    }
    return {
      inputs: [data],
      attributes: { ratio: 0.25, ...(since < 7 && { is_test: 1 }), ...old(draw) },
    };
  },
  DynamicQuantizeLinear(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 3), 6, 1);
    return { inputs: [draw.any(dims)] };
  },
  Einsum(draw) {
    const { random } = draw;
    const sizes = random.dims(4, 4, 1);
    const letters = ['i', 'j', 'k', 'L'];
    const type = draw.type(['float32', 'float64', 'int32', 'int64']);
    const terms = Array.from({ length: random.integer(1, 3) }, () =>
      Array.from({ length: random.integer(1, 3) }, () => random.integer(0, 3)),
    );
    const used = [...new Set(terms.flat())];
    const text = (places) => places.map((place) => letters[place]).join('');
    const result = random.shuffled(used).slice(0, random.integer(0, used.length));
    const equation = `${terms.map(text).join(random.pick([',', ' , ']))}${random.chance(0.7) ? `->${text(result)}` : ''}`;
    return {
      inputs: terms.map((places) =>
        tensorOf(
          random,
          type,
          places.map((place) => sizes[place]),
        ),
      ),
      attributes: { equation },
    };
  },
  Elu: mathematical(perhaps({ alpha: [0.5, 2, -1] })),
  Equal: binary(withSpecial),
  Erf: mathematical(),
  Exp: mathematical(),
  Expand(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4));
    return { inputs: [draw.any(draw.stretching(dims)), draw.list(draw.stretching(dims))] };
  },
  EyeLike(draw) {
    const attributes = {
      k: draw.random.integer(-3, 3),
      dtype: onnxIds[draw.random.pick(['float32', 'int64', 'int32', 'float64'])],
    };
    return { inputs: [draw.any(draw.random.dims(2, 5))], attributes };
  },
  Flatten(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4));
    return {
      inputs: [draw.any(dims)],
      attributes: { axis: draw.axis(draw.random.integer(0, Math.max(dims.length - 1, 0)), dims.length, 11) },
    };
  },
  Floor: exact(floats),
  Gather(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4));
    const axis = draw.random.integer(0, dims.length - 1);
    const size = dims[axis];
    const places = size === 0 ? [0] : draw.random.dims(draw.random.integer(0, 3));
    const low = draw.since >= 11 ? -size : 0;
    const indices = integersOf(draw.random.pick(indexTypes), places, () => draw.random.integer(low, size - 1));
    return { inputs: [draw.any(dims), indices], attributes: { axis: draw.axis(axis, dims.length) } };
  },
  GatherElements(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4), 4, 1);
    const axis = draw.random.integer(0, dims.length - 1);
    const counts = dims.map((size, i) => (i === axis ? draw.random.integer(0, 5) : draw.random.integer(1, size)));
    const make = () => draw.random.integer(-dims[axis], dims[axis] - 1);
    const indices = integersOf(draw.random.pick(indexTypes), counts, make);
    return { inputs: [draw.any(dims), indices], attributes: { axis: draw.axis(axis, dims.length) } };
  },
  GatherND(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4), 4, 1);
    const batches = draw.since >= 12 ? draw.random.integer(0, dims.length - 1) : 0;
    const depth = draw.random.integer(1, dims.length - batches);
    const counts = [...dims.slice(0, batches), ...draw.random.dims(draw.random.integer(0, 2)), depth];
    const indices = integersOf('int64', counts, (i) => {
      const size = dims[batches + (i % depth)];
      return draw.random.integer(-size, size - 1);
    });
    return { inputs: [draw.any(dims), indices], attributes: draw.since >= 12 ? { batch_dims: batches } : {} };
  },
  Gelu: mathematical(perhaps({ approximate: ['none', 'tanh'] })),
  Gemm(draw) {
    const { random, since } = draw;
    const [m, k, n] = random.dims(3, 6);
    const [transA, transB] = [random.integer(0, 1), random.integer(0, 1)];
    const type = draw.type(numbers);
    const isFloat = floats.includes(type);
    const attributes = {
      transA,
      transB,
      alpha: isFloat ? random.pick([1, 0.5, -2]) : 1,
      beta: isFloat ? random.pick([1, 0.5, -2]) : 1,
    };
    const inputs = [transA ? [k, m] : [m, k], transB ? [n, k] : [k, n]].map((dims) => tensorOf(random, type, dims));
    if (since < 11 || random.chance(0.7)) {
      const isStretched = random.chance(0.5);
      if (since < 7) attributes.broadcast = isStretched ? 1 : 0;
      inputs.push(tensorOf(random, type, isStretched ? random.pick([[n], [1], [m, 1], [1, n]]) : [m, n]));
    }
    return { inputs, attributes };
  },
  Greater: binary(withSpecial, numbers),
  GreaterOrEqual: binary(withSpecial, numbers),
  GroupNormalization(draw) {
    const { random, since } = draw;
    const groups = random.integer(1, 3);
    const { dims, type, data } = channels(draw, 3, groups);
    const parameter = () => tensorOf(random, type, [since < 21 ? groups : dims[1]]);
    return { inputs: [data, parameter(), parameter()], attributes: { num_groups: groups } };
  },
  HardSigmoid: mathematical(perhaps({ alpha: [0.25, 0.3], beta: [0.5, 0.6] })),
  HardSwish: mathematical(),
  Hardmax: alongAxis(floats, 11),
  Identity: (draw) => ({ inputs: [draw.any(draw.random.dims(draw.random.integer(0, 4)))] }),
  InstanceNormalization(draw) {
    const { dims, type, data } = channels(draw, 2);
    const parameter = () => tensorOf(draw.random, type, [dims[1]]);
    return {
      inputs: [data, parameter(), parameter()],
      attributes: { epsilon: draw.random.pick([1e-5, 0.25]), ...(draw.since < 6 && { consumed_inputs: [0] }) },
    };
  },
  IsInf: mathematical(perhaps({ detect_negative: [0, 1], detect_positive: [0, 1] })),
  IsNaN: mathematical(),
  LayerNormalization: layered(2),
  LeakyRelu: mathematical(perhaps({ alpha: [0.5, 0.1, -2] })),
  Less: binary(withSpecial, numbers),
  LessOrEqual: binary(withSpecial, numbers),
  Log: mathematical(),
  LogSoftmax: alongAxis(floats, 11),
  LpNormalization: alongAxis(floats, 1, (draw) => ({ p: draw.random.integer(1, 2) })),
  MatMul(draw) {
    const { random } = draw;
    const [m, k, n] = random.dims(3, 7);
    const batch = random.dims(random.integer(0, 2), 3, 1);
    const type = draw.type(numbers);
    const dims = [
      [m, k],
      [k, n],
    ].map((matrix) => (random.chance(0.15) ? [k] : [...draw.stretching(batch), ...matrix]));
    return { inputs: dims.map((sizes) => tensorOf(random, type, sizes)) };
  },
  Max: variadic(numbers),
  Mean: variadic(floats),
  MeanVarianceNormalization(draw) {
    const { data } = channels(draw, 4);
    return { inputs: [data], attributes: draw.random.chance(0.5) ? {} : { axes: draw.axes(4, 1) } };
  },
  Min: variadic(numbers),
  Mish: mathematical(),
  Mod: divided((draw, type) => ({ fmod: floats.includes(type) ? 1 : draw.random.integer(0, 1) })),
  Mul: binary(withSpecial, numbers),
  Neg: exact(numbers),
  NonZero: (draw) => ({ inputs: [special(draw, draw.random.dims(draw.random.integer(0, 4)), numbers)] }),
  Not: exact(),
  OneHot(draw) {
    const depth = draw.random.integer(1, 4);
    const dims = draw.random.dims(draw.random.integer(1, 3));
    const indices = integersOf(draw.random.pick(['int64', 'int32', 'float32']), dims, () => draw.random.integer(-6, 6));
    const depths = integersOf(
      draw.random.pick(['int64', 'int32', 'float32']),
      draw.random.pick([[], [1]]),
      () => depth,
    );
    return { inputs: [indices, depths, draw.any([2])], attributes: { axis: draw.random.integer(-1, dims.length) } };
  },
  Or: binary(withSpecial),
  PRelu(draw) {
    const { random, since } = draw;
    const type = draw.type(numbers);
    const dims = random.dims(random.integer(since < 7 ? 2 : 0, 4));
    const x = tensorOf(random, type, dims, () => withSpecial(random, type));
    const isOfChannels = since < 7 && random.chance(0.6);
    const own = isOfChannels ? [dims[1]] : since < 7 ? [1] : draw.stretching(dims);
    const slope = tensorOf(random, type, own);
    const behind = isOfChannels ? dims.slice(2).map(() => 1) : [];
    return {
      inputs: [x, slope],
      attributes: old(draw),
      newer: { inputs: [x, { ...slope, dims: [...own, ...behind] }] },
    };
  },
  Pad(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4), 4, 1);
    const rank = dims.length;
    const mode = draw.random.pick(['constant', 'edge', 'reflect', ...(draw.since >= 19 ? ['wrap'] : [])]);
    const sizeOf = (i) =>
      draw.random.integer(
        mode === 'constant' && i < rank && draw.random.chance(0.2) ? -1 : 0,
        mode === 'reflect' ? dims[i % rank] - 1 : 3,
      );
    const pads = Array.from({ length: 2 * rank }, (_, i) => sizeOf(i));
    const data = draw.any(dims, draw.since >= 11 ? undefined : floats);
    if (draw.since === 1) return { inputs: [data], attributes: { mode, paddings: pads } };
    if (draw.since < 11) return { inputs: [data], attributes: { mode, pads } };
    const inputs = [data, draw.list(pads)];
    if (mode === 'constant' && draw.random.chance(0.5)) inputs.push(tensorOf(draw.random, data.type, []));
    return { inputs, attributes: { mode } };
  },
  Pow(draw) {
    const { random, since } = draw;
    const call = binary(base, numbers)(draw);
    const { inputs, newer } = call;
    const type = since < 12 ? inputs[0].type : random.pick(['float32', 'float64', 'int32', 'int64', ...numbers]);
    // The text does not say how results that are not integers are converted.
    const areIntegers = integers.includes(inputs[0].type);
    const make = () =>
      type === 'float16'
        ? random.pick(areIntegers ? [0, 0x3c00, 0x4000] : [0, 0x3c00, 0x4000, 0x3800, 0xbc00])
        : areIntegers || integers.includes(type)
          ? integer(type, random.integer(0, 4))
          : random.chance(0.5)
            ? random.integer(-4, 6) / 2
            : anyElement(random, type);
    inputs[1] = tensorOf(random, type, inputs[1].dims, make);
    newer.inputs[1] = { ...inputs[1], dims: newer.inputs[1].dims };
    return call;
  },
  QuantizeLinear(draw) {
    const { random, since } = draw;
    const dims = random.dims(random.integer(1, 3), 5, 1);
    const { parameterDims, attributes } = granularity(draw, dims);
    const type = draw.type(['float32', 'float16', 'int32']);
    const x = tensorOf(random, type, dims, () =>
      type === 'float16'
        ? element(random, type, { isSpecial: true })
        : random.integer(-400, 400) / (type === 'int32' ? 1 : 8),
    );
    const inputs = [x, scales(random, since >= 19 ? type : 'float32', parameterDims)];
    const to = random.pick(since >= 21 ? ['uint8', 'int8', 'uint16', 'int16'] : ['uint8', 'int8']);
    if (random.chance(0.7))
      inputs.push(tensorOf(random, to, parameterDims, () => random.integer(to.startsWith('u') ? 0 : -50, 50)));
    else if (since >= 21) attributes.output_dtype = onnxIds[to];
    return { inputs, attributes };
  },
  RMSNormalization: layered(1),
  Range(draw) {
    const type = draw.type();
    const step = draw.random.pick([-3, -2, -1, 1, 2, 3]);
    const bounds = [draw.random.integer(-9, 9), draw.random.integer(-9, 9), step];
    return {
      inputs: bounds.map((value) =>
        tensorOf(draw.random, type, [], () =>
          type === 'int64' ? BigInt(value) : floats.includes(type) ? value / 4 : value,
        ),
      ),
    };
  },
  Reciprocal: mathematical(),
  ReduceL1: reduction(18),
  ReduceL2: reduction(18),
  ReduceLogSum: reduction(18),
  ReduceLogSumExp: reduction(18),
  ReduceMax: reduction(18),
  ReduceMean: reduction(18),
  ReduceMin: reduction(18),
  ReduceProd: reduction(18),
  ReduceSum: reduction(13),
  ReduceSumSquare: reduction(18),
  Relu: unary(numbers, anyElement),
  Reshape(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4));
    const count = product(dims);
    const target = [];
    for (let left = count; left > 1; ) {
      const factor = [2, 3, 4, 6].filter((number) => left % number === 0);
      const size = factor.length > 0 && draw.random.chance(0.7) ? draw.random.pick(factor) : left;
      target.push(size);
      left /= size;
    }
    if (count === 0) target.push(0);
    if (target.length === 0 && draw.random.chance(0.5)) target.push(1);
    if (count > 0 && target.length > 0 && draw.random.chance(0.5))
      target[draw.random.integer(0, target.length - 1)] = -1;
    if (count === 0) target.splice(0, target.length, ...dims);
    const data = draw.any(dims);
    return draw.since < 5 ? { inputs: [data], attributes: { shape: target } } : { inputs: [data, draw.list(target)] };
  },
  ReverseSequence(draw) {
    const dims = [...draw.random.dims(2, 4, 1), ...draw.random.dims(draw.random.integer(0, 2))];
    const time = draw.random.integer(0, 1);
    const lengths = integersOf('int64', [dims[1 - time]], () => draw.random.integer(1, dims[time]));
    return { inputs: [draw.any(dims), lengths], attributes: { time_axis: time, batch_axis: 1 - time } };
  },
  Round: unary(floats, (random, type) =>
    // Halves, which round to the even neighbour.
    random.chance(0.3) && type !== 'float16' ? random.integer(-9, 9) + 0.5 : anyElement(random, type),
  ),
  Scatter: scattered,
  ScatterElements: scattered,
  ScatterND(draw) {
    const { random, since } = draw;
    const reduction =
      since >= 16 ? random.pick(['none', 'add', 'mul', ...(since >= 18 ? ['min', 'max'] : [])]) : undefined;
    const isReduced = reduction !== undefined && reduction !== 'none';
    const dims = random.dims(random.integer(1, 3), 4, 1);
    const depth = random.integer(1, dims.length);
    const count = isReduced ? random.integer(1, 5) : 1;
    const indices = integersOf('int64', [count, depth], (i) => random.integer(-dims[i % depth], dims[i % depth] - 1));
    const type = draw.type(isReduced ? numbers : allTypes);
    const updates = tensorOf(random, type, [count, ...dims.slice(depth)]);
    return { inputs: [tensorOf(random, type, dims), indices, updates], attributes: reduction ? { reduction } : {} };
  },
  Selu: mathematical(perhaps({ alpha: [0.5, 2], gamma: [0.5, 3] })),
  Shape(draw) {
    const attributes =
      draw.since >= 15 && draw.random.chance(0.5)
        ? { start: draw.random.integer(-5, 5), end: draw.random.integer(-5, 5) }
        : {};
    return { inputs: [draw.any(draw.random.dims(draw.random.integer(0, 4)))], attributes };
  },
  Shrink: unary(numbers, withSpecial, perhaps({ lambd: [1, 1.5, -0.5], bias: [0.25, 1, 2] })),
  Sigmoid: mathematical(),
  Sign: unary(numbers, anyElement),
  Sin: mathematical(),
  Sinh: mathematical(),
  Size: (draw) => ({ inputs: [draw.any(draw.random.dims(draw.random.integer(0, 4)))] }),
  Slice(draw) {
    const { random, since } = draw;
    const dims = random.dims(random.integer(1, 4));
    const axes = draw.axes(dims.length, 1);
    const bound = () => random.pick([random.integer(-6, 6), random.integer(-6, 6), 2 ** 31 - 1, -(2 ** 31 - 1)]);
    const starts = axes.map(bound);
    const ends = axes.map(bound);
    const data = draw.any(dims);
    if (since < 10) return { inputs: [data], attributes: { starts, ends, axes } };
    const type = random.pick(indexTypes);
    const inputs = [starts, ends, axes.map((axis) => draw.axis(axis, dims.length, 11))].map((values) =>
      draw.list(values, type),
    );
    if (random.chance(0.6))
      inputs.push(
        draw.list(
          axes.map(() => random.pick([1, 2, -1, -2, 3])),
          type,
        ),
      );
    return { inputs: [data, ...inputs] };
  },
  Softmax: alongAxis(floats, 11),
  Softplus: mathematical(),
  Softsign: mathematical(),
  SpaceToDepth(draw) {
    const size = draw.random.integer(1, 3);
    const [h, w] = draw.random.dims(2, 3);
    return {
      inputs: [draw.any([draw.random.integer(1, 2), draw.random.integer(1, 3), h * size, w * size])],
      attributes: { blocksize: size },
    };
  },
  Split(draw) {
    const { random, since } = draw;
    // Before version 18 the number of equal parts is the number of outputs, which a call does not have.
    const outputs = random.integer(1, 4);
    const sizes = Array.from({ length: outputs }, () => random.integer(0, 3));
    const dims = random.dims(random.integer(1, 3));
    const axis = random.integer(0, dims.length - 1);
    const attributes = { axis: draw.axis(axis, dims.length, 11) };
    const equal = since >= 18 && random.chance(0.4);
    dims[axis] = equal ? outputs * random.integer(1, 3) : sizes.reduce((a, b) => a + b, 0);
    const data = draw.any(dims);
    if (equal) return { inputs: [data], attributes: { ...attributes, num_outputs: outputs } };
    return since < 13
      ? { inputs: [data], attributes: { ...attributes, split: sizes } }
      : { inputs: [data, draw.list(sizes)], attributes };
  },
  Sqrt: exact(floats),
  Squeeze(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4)).map((size) => (draw.random.chance(0.5) ? 1 : size));
    const ones = dims.flatMap((size, axis) => (size === 1 ? [axis] : []));
    const axes = draw.random
      .shuffled(ones)
      .slice(0, draw.random.integer(0, ones.length))
      .map((axis) => draw.axis(axis, dims.length, 11));
    const data = draw.any(dims);
    if (axes.length === 0) return { inputs: [data] };
    return draw.since < 13 ? { inputs: [data], attributes: { axes } } : { inputs: [data, draw.list(axes)] };
  },
  Sub: binary(withSpecial, numbers),
  Sum: variadic(floats),
  Swish: mathematical(perhaps({ alpha: [0.5, 2, -1] })),
  Tan: mathematical(),
  Tanh: mathematical(),
  ThresholdedRelu: mathematical(perhaps({ alpha: [0.5, 2, -1] })),
  Tile(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 4));
    if (draw.since === 1) {
      const axis = draw.random.integer(0, dims.length - 1);
      const type = draw.type();
      const one = (value) =>
        tensorOf(draw.random, type, [1], () =>
          type.endsWith('t64')
            ? type === 'float64'
              ? value
              : BigInt(value)
            : type === 'float16'
              ? [0, 0x3c00, 0x4000, 0x4200][value]
              : value,
        );
      return { inputs: [tensorOf(draw.random, type, dims), one(draw.random.integer(1, 3)), one(axis)] };
    }
    return { inputs: [draw.any(dims), draw.list(dims.map(() => draw.random.integer(0, 3)))] };
  },
  TopK(draw) {
    const { random, since } = draw;
    const dims = random.dims(random.integer(1, 3), 7, 1);
    const axis = random.integer(0, dims.length - 1);
    const k = random.integer(1, dims[axis]);
    const attributes = {
      axis: draw.axis(axis, dims.length, 11),
      ...(since >= 11 && { largest: random.integer(0, 1), sorted: 1 }),
    };
    const data = draw.any(dims, numbers);
    return since < 10
      ? { inputs: [data], attributes: { ...attributes, k } }
      : { inputs: [data, draw.list([k])], attributes };
  },
  Transpose(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 5));
    const perm = draw.random.shuffled(dims.map((_, axis) => axis));
    return { inputs: [draw.any(dims)], attributes: draw.random.chance(0.2) || dims.length === 0 ? {} : { perm } };
  },
  Trilu(draw) {
    const inputs = [draw.any(draw.random.dims(draw.random.integer(2, 4)))];
    if (draw.random.chance(0.7)) inputs.push(draw.scalar(draw.random.integer(-5, 5)));
    return { inputs, attributes: { upper: draw.random.integer(0, 1) } };
  },
  Unique(draw) {
    const dims = draw.random.dims(draw.random.integer(1, 3), 4, 1);
    const attributes = { sorted: draw.random.integer(0, 1) };
    if (draw.random.chance(0.6)) attributes.axis = draw.random.integer(-dims.length, dims.length - 1);
    return { inputs: [draw.any(dims)], attributes };
  },
  Unsqueeze(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 3));
    const added = draw.random.integer(1, 3);
    const axes = draw.random.shuffled(Array.from({ length: dims.length + added }, (_, axis) => axis)).slice(0, added);
    const given = axes.map((axis) => draw.axis(axis, dims.length + added, 11));
    const data = draw.any(dims);
    return draw.since < 13 ? { inputs: [data], attributes: { axes: given } } : { inputs: [data, draw.list(given)] };
  },
  Where(draw) {
    const dims = draw.random.dims(draw.random.integer(0, 4));
    const type = draw.type();
    const condition = tensorOf(draw.random, 'bool', draw.stretching(dims));
    return { inputs: [condition, ...[0, 1].map(() => tensorOf(draw.random, type, draw.stretching(dims)))] };
  },
  Xor: binary(withSpecial),
  ...recurrentGenerators,
};

/** The generator of an operator: its own, or what its schema and its words say. */
export const generatorOf = (name) => generators[name] ?? schemaGenerator(name, operatorWords[name].draw);

/** TensorProto.DataType. */
export const onnxIds = {
  float32: 1,
  uint8: 2,
  int8: 3,
  uint16: 4,
  int16: 5,
  int32: 6,
  int64: 7,
  string: 8,
  bool: 9,
  float16: 10,
  float64: 11,
  uint32: 12,
  uint64: 13,
};

/** The names of types in Cast-1. */
const textNames = Object.fromEntries(
  Object.keys(onnxIds).map((type) => [type, { float32: 'FLOAT', float64: 'DOUBLE' }[type] ?? type.toUpperCase()]),
);
