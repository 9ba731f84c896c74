// Random calls of convolutions and pools.
import { element, tensorOf } from './values.mjs';

const floats = ['float32', 'float64', 'float16'];
const bytes = ['int8', 'uint8'];

/** The most elements of a kernel's axis, by the number of axes. */
const longest = [undefined, 5, 4, 3];

/**
 * Windows over `axes` axes that fit into the image: the sizes of its axes, and the attributes that the version has. Padding is
 * mostly less than the kernel, as the oracle requires for pools.
 */
function windows(draw, axes) {
  const { random } = draw;
  const list = (make) => Array.from({ length: axes }, (_, axis) => make(axis));
  const kernel = list(() => random.integer(1, longest[axes]));
  const dilations = list(() => (draw.has('dilations') && random.chance(0.4) ? random.integer(2, 3) : 1));
  const strides = list(() => (random.chance(0.5) ? 1 : random.integer(2, 4)));
  const auto_pad = random.chance(0.3) ? random.pick(['SAME_UPPER', 'SAME_LOWER', 'VALID']) : 'NOTSET';
  const isPadded = auto_pad === 'NOTSET' && random.chance(0.6);
  const most = (axis) => (random.chance(0.05) ? kernel[axis] + 1 : kernel[axis] - 1);
  const pads = [0, 1].flatMap(() => list((axis) => (isPadded ? random.integer(0, most(axis)) : 0)));
  const ceil_mode = draw.has('ceil_mode') && random.chance(0.5) ? random.integer(0, 1) : undefined;
  const image = list((axis) => {
    const reach = (kernel[axis] - 1) * dilations[axis] + 1;
    // Rounded up, a window may be larger than the image.
    const larger = ceil_mode === 1 && auto_pad === 'NOTSET' && random.chance(0.2) ? strides[axis] - 1 : 0;
    const least = auto_pad.startsWith('SAME') ? 1 : Math.max(reach - pads[axis] - pads[axes + axis] - larger, 1);
    return random.integer(least, least + (axes === 1 ? 12 : 4));
  });
  const differs = (numbers) => numbers.some((number) => number !== 1) || random.chance(0.3);
  return {
    kernel,
    image,
    attributes: {
      ...(auto_pad !== 'NOTSET' && { auto_pad }),
      ...(isPadded && { pads }),
      ...(differs(strides) && { strides }),
      ...(draw.has('dilations') && differs(dilations) && { dilations }),
      ...(ceil_mode !== undefined && { ceil_mode }),
    },
  };
}

const batch = (random) => (random.chance(0.05) ? 0 : random.integer(1, 2));

/** The image, the filters and the attributes of a convolution. */
export function convolutionParts(draw) {
  const { random } = draw;
  const { kernel, image, attributes } = windows(draw, random.integer(1, 3));
  const group = random.chance(0.5) ? 1 : random.integer(2, 4);
  const channels = random.chance(0.4) ? 1 : random.integer(1, 5);
  const filters = group * (random.chance(0.4) ? 1 : random.integer(1, 6));
  return {
    image: [batch(random), group * channels, ...image],
    filters: [filters, channels, ...kernel],
    attributes: {
      ...attributes,
      ...((group > 1 || random.chance(0.3)) && { group }),
      ...(random.chance(0.5) && { kernel_shape: kernel }),
    },
  };
}

function convolution(draw) {
  const { random } = draw;
  const { image, filters, attributes } = convolutionParts(draw);
  const type = draw.type(floats);
  const inputs = [tensorOf(random, type, image), tensorOf(random, type, filters)];
  if (random.chance(0.5)) inputs.push(tensorOf(random, type, [filters[0]]));
  return { inputs, attributes, newer: { inputs, attributes } };
}

/** Offsets and factors are quarters, so that sums are exact. */
function deformed(draw) {
  const { random } = draw;
  const pair = (low, high) => [random.integer(low, high), random.integer(low, high)];
  const [kernel, strides, dilations] = [pair(1, 3), pair(1, 2), pair(1, 2)];
  const pads = [...pair(0, 2), ...pair(0, 2)];
  const image = kernel.map((size, i) => (size - 1) * dilations[i] + random.integer(1, 4));
  const places = image.map(
    (size, i) => Math.floor((size + pads[i] + pads[2 + i] - (kernel[i] - 1) * dilations[i] - 1) / strides[i]) + 1,
  );
  const [group, offset_group] = pair(1, 2);
  const channels = group * offset_group * random.integer(1, 5);
  const filters = group * random.integer(1, 4);
  const shifts = offset_group * kernel[0] * kernel[1];
  const type = draw.type(['float32', 'float64']);
  const n = random.integer(1, 2);
  const inputs = [
    tensorOf(random, type, [n, channels, ...image]),
    tensorOf(random, type, [filters, channels / group, ...kernel]),
    tensorOf(random, type, [n, 2 * shifts, ...places]),
  ];
  const [hasBias, hasMask] = [random.chance(0.5), random.chance(0.5)];
  if (hasBias || hasMask) inputs.push(hasBias ? tensorOf(random, type, [filters]) : null);
  if (hasMask) inputs.push(tensorOf(random, type, [n, shifts, ...places]));
  const attributes = { kernel_shape: kernel, strides, dilations, pads, group, offset_group };
  return { inputs, attributes, newer: { inputs, attributes } };
}

/** The oracle has images of two axes alone, and odd sizes. */
function localResponse(draw) {
  const { random } = draw;
  const dims = [batch(random), random.integer(1, 9), random.integer(1, 4), random.integer(1, 4)];
  const inputs = [tensorOf(random, draw.type(floats), dims)];
  const attributes = {
    size: 2 * random.integer(0, 4) + 1,
    ...(random.chance(0.7) && { alpha: 0.5 }),
    ...(random.chance(0.5) && { beta: 0.5 }),
    ...(random.chance(0.5) && { bias: 2 }),
  };
  return { inputs, attributes, newer: { inputs, attributes } };
}

function transposedConvolution(draw) {
  const { random } = draw;
  const axes = random.integer(1, 3);
  const list = (make) => Array.from({ length: axes }, (_, axis) => make(axis));
  const kernel = list(() => random.integer(1, 4));
  const image = list(() => random.integer(1, axes === 1 ? 9 : 4));
  const strides = list(() => random.integer(1, 4));
  const dilations = list(() => random.integer(1, 3));
  const output_padding = list((axis) => random.integer(0, strides[axis] - 1));
  const whole = list(
    (axis) => strides[axis] * (image[axis] - 1) + (kernel[axis] - 1) * dilations[axis] + 1 + output_padding[axis],
  );
  const pads = [0, 1].flatMap(() => list((axis) => random.integer(0, Math.floor((whole[axis] - 1) / 2))));
  const group = random.chance(0.5) ? 1 : random.integer(2, 4);
  const channels = group * random.integer(1, 4);
  const filters = random.integer(1, 6);
  const type = draw.type(floats);
  const inputs = [
    tensorOf(random, type, [batch(random), channels, ...image]),
    tensorOf(random, type, [channels, filters, ...kernel]),
  ];
  if (random.chance(0.5)) inputs.push(tensorOf(random, type, [group * filters]));
  const size = random.pick([
    { pads },
    { auto_pad: random.pick(['SAME_UPPER', 'SAME_LOWER', 'VALID']) },
    {
      output_shape: list((axis) => random.integer(1, whole[axis])),
      ...(random.chance(0.3) && { auto_pad: 'SAME_UPPER' }),
    },
    {},
  ]);
  const attributes = { strides, dilations, output_padding, group, ...size };
  return { inputs, attributes, newer: { inputs, attributes } };
}

const pool = (attributesOf, isSpecial) => (draw) => {
  const { random } = draw;
  const { kernel, image, attributes } = windows(draw, random.integer(1, 3));
  const type = draw.type([...floats, ...bytes]);
  const how = { isSpecial: isSpecial && random.chance(0.2) };
  const dims = [batch(random), random.integer(1, 5), ...image];
  const inputs = [tensorOf(random, type, dims, () => element(random, type, how))];
  const given = { ...attributes, kernel_shape: kernel, ...attributesOf(draw) };
  return { inputs, attributes: given, newer: { inputs, attributes: given } };
};

/** A number that the version has as an integer or as a real number. */
const power = ({ random }) => (random.chance(0.6) ? { p: random.integer(1, 4) } : {});

const globalPool = (leastAxes, attributesOf) => (draw) => {
  const { random } = draw;
  const axes = random.integer(leastAxes, 3);
  const dims = [batch(random), random.integer(1, 5), ...random.dims(axes, 6, 1)];
  const type = draw.type(floats);
  const inputs = [tensorOf(random, type, dims)];
  const attributes = attributesOf(draw);
  return { inputs, attributes, newer: { inputs, attributes } };
};

const chosen = (name) => (draw) =>
  draw.has(name) && draw.random.chance(0.5) ? { [name]: draw.random.integer(0, 1) } : {};

export const convolutionGenerators = {
  AveragePool: pool(chosen('count_include_pad'), false),
  Conv: convolution,
  ConvTranspose: transposedConvolution,
  DeformConv: deformed,
  GlobalAveragePool: globalPool(1, () => ({})),
  GlobalLpPool: globalPool(1, power),
  GlobalMaxPool: globalPool(1, () => ({})),
  LRN: localResponse,
  LpPool: pool(power, false),
  MaxPool: pool(chosen('storage_order'), true),
};
