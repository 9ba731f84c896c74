import { isOfFunction } from './functions.mjs';
import { isNan, numberOf, product } from './values.mjs';

// Known differences between onnxruntime-node and the text of ONNX. Broadloom follows the text.

/** Where the bands of a MelWeightMatrix begin and end, in bins, before they are made whole. */
function cornersOfBands(inputs) {
  const [bands, length, rate, lower, upper] = inputs.map(({ data }) => Number(data[0]));
  const mel = (frequency) => 2595 * Math.log10(1 + frequency / 700);
  const step = (mel(upper) - mel(lower)) / (bands + 1);
  const frequencies = Array.from({ length: bands + 2 }, (_, i) => 700 * (10 ** ((mel(lower) + i * step) / 2595) - 1));
  return frequencies.map((frequency) => ((length + 1) * frequency) / rate);
}

const known = [
  {
    reason: 'NonZero of a scalar has shape [0, N], says the text; the oracle gives [1, N]',
    holds: ({ name, inputs }) => name === 'NonZero' && inputs[0].dims.length === 0,
  },
  {
    reason: "the oracle's expansion of CenterCropPad mixes int32 and int64",
    holds: ({ name, inputs, failure }) =>
      name === 'CenterCropPad' && inputs[1].type === 'int32' && failure !== undefined,
  },
  {
    reason: 'the oracle gathers the first string of each slice, and leaves the others empty',
    holds: ({ name, inputs, theirs }) => name === 'Gather' && inputs[0].type === 'string' && theirs !== undefined,
  },
  {
    reason: 'negative indices of OneHot count from the end since version 11; the oracle has them in version 9, too',
    holds: ({ name, since, inputs, theirs }) =>
      name === 'OneHot' && since === 9 && theirs !== undefined && [...inputs[0].data].some((index) => index < 0),
  },
  {
    reason: 'indices of OneHot that are fractions are converted to int64, says the text; the oracle takes none of them',
    holds: ({ name, inputs, theirs }) =>
      name === 'OneHot' &&
      theirs !== undefined &&
      /^float(32|64)$/.test(inputs[0].type) &&
      !inputs[0].data.every(Number.isInteger),
  },
  {
    reason: 'both are roundings of the function; ours is as near to it as functions.mjs says',
    isNear: true,
    holds: (difference) => difference.theirs !== undefined && isOfFunction(difference),
  },
  {
    reason: 'the oracle multiplies a sum by 1/n, which is rounded; ours divides it',
    isNear: true,
    holds: ({ name, ours, theirs }) => name === 'Mean' && areClose(ours, theirs, 2e-7),
  },
  {
    reason:
      'a product of many numbers is rounded in the order in which they are multiplied, which the text does not say',
    isNear: true,
    holds: ({ name, ours, theirs }) =>
      name === 'ReduceProd' && areClose(ours, theirs, ours?.[0].type === 'float64' ? 1e-14 : 1e-5),
  },
  {
    reason: 'the oracle wraps around once, and reads other memory where a pad is larger than the axis',
    holds: ({ name, attributes, inputs, theirs }) =>
      name === 'Pad' && attributes.mode === 'wrap' && theirs !== undefined && hasLargePad(inputs),
  },
  {
    reason: 'sums, roots, exponentials and logarithms are rounded, which may be in another way',
    isNear: true,
    holds: ({ name, ours, theirs }) =>
      /^(ReduceMean|ReduceL2|ReduceLogSum|ReduceLogSumExp|.*Softmax|.*Normalization|Cum.*|.*AveragePool|.*LpPool|LRN|RNN|GRU|LSTM)$/.test(
        name,
      ) && areNear(ours, theirs, ours?.[0].type === 'float64' ? 1e-12 : ours?.[0].type === 'float16' ? 2e-3 : 1e-5),
  },
  {
    reason:
      'with SAME_UPPER and SAME_LOWER, an axis of ConvTranspose is its size times the stride, says the text; the oracle never adds elements',
    holds: ({ name, attributes, ours, theirs }) =>
      name === 'ConvTranspose' &&
      attributes.auto_pad?.startsWith('SAME') &&
      theirs?.[0].dims.some((size, axis) => size < ours?.[0].dims[axis]),
  },
  {
    reason: 'the oracle refuses an output_shape that is larger than what elements reach',
    holds: ({ name, attributes, failure }) =>
      name === 'ConvTranspose' && attributes.output_shape !== undefined && failure !== undefined,
  },
  {
    reason: 'clip limits the input of each activation function, says the text; the oracle leaves that of h as it is',
    holds: ({ name, attributes, theirs }) => name === 'LSTM' && attributes.clip !== undefined && theirs !== undefined,
  },
  {
    reason: 'the oracle computes windows and the corners of Mel bands in float32; ours are computed in float64',
    isNear: true,
    holds: ({ name, ours, theirs }) => /(Window|MelWeightMatrix)$/.test(name) && areNear(ours, theirs, 3e-7),
  },
  {
    reason: 'in float32, a corner of a Mel band that is almost a whole number falls to the next one',
    isNear: true,
    holds: ({ name, inputs, theirs }) =>
      name === 'MelWeightMatrix' &&
      theirs !== undefined &&
      cornersOfBands(inputs).some((corner) => Math.abs(corner - Math.round(corner)) < 1e-4),
  },
  {
    reason:
      'frequencies are sums that are rounded in another order; the roots of unity and 1 / n of the oracle are float32',
    isNear: true,
    holds: ({ name, ours, theirs }) =>
      /^(DFT|STFT)$/.test(name) &&
      areNearLargest(ours, theirs, { float64: 1e-7, float32: 1e-4, float16: 1e-3 }[ours?.[0].type]),
  },
  {
    reason: 'the oracle has older texts for the position of queries behind past_key, and with nonpad_kv_seqlen',
    holds: ({ name, attributes, inputs, theirs }) =>
      name === 'Attention' && attributes.is_causal === 1 && inputs.length > 4 && theirs !== undefined,
  },
  {
    reason: 'the oracle leaves is_causal out for float16',
    holds: ({ name, attributes, inputs, theirs }) =>
      name === 'Attention' && attributes.is_causal === 1 && inputs[0].type === 'float16' && theirs !== undefined,
  },
  {
    reason:
      'the oracle has float16 between the steps of attention, NaN where a query has no key, the least number as the score of a hidden key, and modes 1 and 2 of an older text',
    isNear: true,
    holds: ({ name, attributes, ours, theirs }) => {
      if (name !== 'Attention' || ours === undefined || theirs === undefined) return false;
      const count = [1, 2].includes(attributes.qk_matmul_output_mode) ? 3 : 4;
      const [found, wanted] = [ours, theirs].map((list) => list.slice(0, count));
      const part = ours[0].type === 'float16' ? 2e-2 : 2e-5;
      return areNear(hiddenAs(found, wanted), hiddenAs(wanted, found), part);
    },
  },
  {
    reason: 'the oracle reads other memory where a complex signal has frames whose length is not a power of two',
    holds: ({ name, inputs: [signal], theirs }) => name === 'STFT' && signal.dims.at(-1) === 2 && theirs !== undefined,
  },
  {
    reason:
      'the oracle normalises groups of float64 in float32, and takes the square of the mean from that of the elements, which loses digits',
    holds: ({ name, ours, theirs }) => name === 'GroupNormalization' && areNear(ours, theirs, 2e-4),
  },
  {
    reason: 'the oracle takes the variance of an instance from the mean of squares, which loses digits',
    holds: ({ name, ours, theirs }) => name === 'InstanceNormalization' && areNear(ours, theirs, 5e-3),
  },
  {
    reason: 'rows with infinities or NaN have no logarithms of quotients; the oracle, in float64, gives some',
    holds: ({ name, inputs, theirs }) =>
      name === 'LogSoftmax' &&
      inputs[0].type === 'float64' &&
      theirs !== undefined &&
      !inputs[0].data.every(Number.isFinite),
  },
  {
    reason: 'sums of integers are exact, and means are those of exact sums; the oracle has sums of columns in float64',
    holds: ({ name, inputs, theirs }) =>
      /^Reduce(Mean|Sum)$/.test(name) &&
      inputs[0].type.endsWith('int64') &&
      theirs !== undefined &&
      inputs[0].data.some((value) => value > 2n ** 53n || value < -(2n ** 53n)),
  },
  {
    reason: 'exponentials of integers have fractions, which the oracle drops before it adds them',
    holds: ({ name, inputs, theirs }) =>
      name === 'ReduceLogSumExp' && !inputs[0].type.startsWith('float') && theirs !== undefined,
  },
  {
    reason:
      'a NaN is the best of all, as in NumPy; the oracle finds it only where it is the first element, or looks for the first',
    holds: ({ name, inputs, theirs }) => /^(Arg.*|Hardmax)$/.test(name) && theirs !== undefined && hasNan(inputs[0]),
  },
  {
    reason:
      'the oracle has no axes of MeanVarianceNormalization but the usual ones, and divides by 0 where there is no variance',
    holds: ({ name, attributes, theirs }) =>
      name === 'MeanVarianceNormalization' &&
      theirs !== undefined &&
      (attributes.axes !== undefined || theirs.some(hasNan)),
  },
  {
    reason: 'the oracle makes some operators of others that do not take all of their types',
    holds: ({ name, failure }) =>
      /^(MeanVarianceNormalization|ReduceLogSum.*|ReduceL2|Attention)$/.test(name) &&
      /bound to different types|This is an invalid model/.test(failure ?? ''),
  },
  {
    reason:
      'the oracle wants InstanceNormalization to have an axis behind the channels; the text has none of them, too',
    holds: ({ name, inputs, failure }) =>
      name === 'InstanceNormalization' && inputs[0].dims.length === 2 && failure !== undefined,
  },
  {
    reason:
      'the oracle gives back the shape of data without elements; the text removes the axes that are reduced, or makes them 1',
    holds: ({ name, inputs, ours }) => name.startsWith('Reduce') && inputs[0].dims.includes(0) && ours !== undefined,
  },
  {
    reason:
      'the oracle takes INT_MAX for the end of the axis where a slice goes back, too; there the text has INT_MIN for it',
    holds: ({ name, inputs }) => name === 'Slice' && inputs.length === 5 && goesBackToMost(inputs),
  },
  {
    reason: 'sums of several float16 tensors are rounded after each of them; the oracle adds them as float32',
    holds: ({ name, inputs, theirs }) =>
      /^(Sum|Mean)$/.test(name) && inputs[0].type === 'float16' && theirs !== undefined,
  },
  {
    reason:
      'the text gives Clip the limits of the type where a bound is missing, the function of the schema leaves infinities alone then; ours does as the function, the oracle as the text',
    holds: ({ name, ours, theirs }) =>
      name === 'Clip' && areEqualBut(ours, theirs, (value) => Math.abs(value) === Infinity),
  },
  {
    reason:
      'where the bounds are in the wrong order, Clip gives the upper one; the oracle refuses it before version 11',
    holds: ({ name, attributes: { min, max }, failure }) => name === 'Clip' && min > max && failure !== undefined,
  },
  {
    reason: 'the mask of Dropout tells what is kept, which is all of it; before version 12 the oracle writes zeros',
    holds: ({ name, since, ours, theirs }) => name === 'Dropout' && since < 12 && areEqualButForZeros(ours, theirs),
  },
  {
    reason: 'the sign of NaN is NaN, as in NumPy; the oracle has a number for it',
    holds: ({ name, ours, theirs }) => name === 'Sign' && areEqualBut(ours, theirs, Number.isNaN),
  },
  {
    reason: 'the oracle adds what it takes to 0, which makes -0 to 0; it computes some operators by Where',
    holds: ({ name, ours, theirs }) =>
      /^(Where|LeakyRelu|PRelu)$/.test(name) && theirs !== undefined && areEqualButForZeros(ours, theirs),
  },
  {
    reason: 'the text does not say which of 0 and -0 is the larger one',
    holds: ({ name, ours, theirs }) =>
      /^(Min|Max|Clip|Relu|ReduceMin|ReduceMax|Scatter.*|.*MaxPool)$/.test(name) &&
      theirs !== undefined &&
      areEqualButForZeros(ours, theirs),
  },
  {
    reason: 'the oracle rounds each step of a determinant to float32; ours is computed in float64 and rounded once',
    holds: ({ name, ours, theirs }) => name === 'Det' && theirs !== undefined && areNear(ours, theirs, 1e-3),
  },
  {
    reason: 'the oracle refuses large letters where no arrow tells the result',
    holds: ({ name, attributes, failure }) =>
      name === 'Einsum' && /[A-Z]/.test(attributes.equation) && /only subscript labels/.test(failure ?? ''),
  },
  {
    reason: 'the oracle gives back C where there is nothing to sum, whatever beta is',
    holds: ({ name, inputs, theirs }) => name === 'Gemm' && inputs[0].dims.includes(0) && theirs !== undefined,
  },
  {
    reason: 'sums begin with 0; the oracle gives -0 where all terms of a sum of float16 are -0',
    holds: ({ name, ours, theirs }) => name === 'Gemm' && areEqualBut(ours, theirs, () => false),
  },
  {
    reason: 'the oracle refuses matrices without elements, or leaves sums of nothing unwritten; ours are 0',
    holds: ({ name, inputs }) => name === 'MatMul' && inputs[0].dims.includes(0),
  },
  {
    reason: 'the oracle makes -inf of float16 the greatest integer, and NaN, too; ours saturates, and NaN is the least',
    holds: ({ name, inputs: [x], ours, theirs }) =>
      name === 'QuantizeLinear' &&
      x.type === 'float16' &&
      theirs !== undefined &&
      ours[0].data.every((value, i) => value === theirs[0].data[i] || (x.data[i] & 0x7c00) === 0x7c00),
  },
  {
    reason: 'a sum of zeros is 0 or -0, by the order in which they are added',
    isNear: true,
    holds: ({ name, ours, theirs }) =>
      /^(Conv|ConvTranspose|DeformConv|.*AveragePool)$/.test(name) &&
      theirs !== undefined &&
      areEqualButForZeros(ours, theirs),
  },
  {
    reason: 'the mean of padding alone, if that does not count, is NaN, as of ReduceMean; the oracle has 0',
    holds: ({ name, ours, theirs }) => name === 'AveragePool' && areEqualBut(ours, theirs, Number.isNaN),
  },
  {
    reason: 'the oracle refuses padding that is not less than the kernel',
    holds: ({ name, failure }) => isPool(name) && /Pad should be smaller than kernel/.test(failure ?? ''),
  },
  {
    reason: 'the text has dilations in the padding of SAME_UPPER and SAME_LOWER; the oracle leaves them out',
    holds: ({ name, attributes: { auto_pad, dilations = [] } }) =>
      isPool(name) && auto_pad?.startsWith('SAME') && dilations.some((dilation) => dilation > 1),
  },
  {
    reason:
      'where windows of SAME_UPPER and SAME_LOWER lie apart, ours has no padding; the oracle has less than that, or refuses it',
    holds: ({ name, inputs: [x, w], attributes: { auto_pad, strides = [], kernel_shape = w?.dims.slice(2) } }) =>
      (isPool(name) || (name === 'Conv' && x.type === 'float16')) &&
      auto_pad?.startsWith('SAME') &&
      strides.some((stride, i) => stride > kernel_shape[i]),
  },
  {
    reason: 'the number of windows of VALID does not depend on ceil_mode, says the text; in the oracle it does',
    holds: ({ name, attributes: { auto_pad, ceil_mode }, theirs }) =>
      isPool(name) && auto_pad === 'VALID' && ceil_mode === 1 && theirs !== undefined,
  },
  {
    reason:
      'a NaN is the largest element of a window, as of ReduceMax, and -infinity that of padding alone; the oracle leaves NaN out, and has the least number there',
    holds: ({ name, ours, theirs }) =>
      name === 'MaxPool' && areEqualBut(ours, theirs, (value) => Number.isNaN(value) || value === -Infinity),
  },
  {
    reason: 'the oracle wants no blocks where a scale has one element',
    holds: ({ name, inputs, failure }) =>
      /^(Q|Deq)uantizeLinear$/.test(name) &&
      product(inputs[1].dims) === 1 &&
      /block_size must be 0/.test(failure ?? ''),
  },
  {
    reason: 'the oracle has cubic interpolation for images of two axes alone',
    holds: ({ name, attributes, inputs: [x], failure }) =>
      name === 'GridSample' && attributes.mode === 'cubic' && x.dims.length !== 4 && failure !== undefined,
  },
  {
    reason:
      'the oracle places blocks of images of one or three axes elsewhere when they have pads, strides or dilations',
    holds: ({ name, inputs: [, image], theirs }) =>
      name === 'Col2Im' && image.data.length !== 2 && theirs !== undefined,
  },
  {
    reason: 'sums of halves are rounded once; the oracle has none of its own for them',
    isNear: true,
    holds: ({ name, ours, theirs }) => name === 'Col2Im' && ours?.[0].type === 'float16' && areNear(ours, theirs, 2e-3),
  },
  {
    reason: 'the oracle refuses regions that end before they start',
    holds: ({ name, failure }) => name === 'RoiAlign' && /Integer overflow/.test(failure ?? ''),
  },
  {
    reason: 'the oracle makes AffineGrid of operators that fail for one image, and loses digits of float16',
    holds: ({ name, inputs: [theta], ours, theirs, failure }) =>
      name === 'AffineGrid' &&
      (/running If node/.test(failure ?? '') || (theta.type === 'float16' && areNear(ours, theirs, 5e-3))),
  },
  {
    reason: 'samples are added in float64 and rounded once; the oracle adds products in float32',
    isNear: true,
    holds: ({ name, ours, theirs }) =>
      /^(AffineGrid|GridSample|RoiAlign)$/.test(name) &&
      areNear(ours, theirs, ours?.[0].type === 'float16' ? 2e-3 : 1e-5),
  },
  {
    reason: 'the oracle copies an image whose sizes stay as they are, also a part of it or with a scale other than 1',
    holds: ({ name, inputs, ours, theirs }) =>
      /^(Resize|Upsample)$/.test(name) && theirs !== undefined && `${inputs[0].dims}` === `${ours[0].dims}`,
  },
  {
    reason: 'with antialias, the oracle copies along an axis whose size stays, also with a scale other than 1',
    holds: ({ name, attributes, inputs, ours, theirs }) =>
      name === 'Resize' &&
      attributes.antialias === 1 &&
      theirs !== undefined &&
      inputs[0].dims.some((size, i) => size > 1 && size === ours[0].dims[i] && isResized(attributes, inputs[0], i)),
  },
  {
    reason: 'the oracle has cubic interpolation of float32 alone, and reads other types as that, or fails',
    holds: ({ name, attributes, inputs: [x], failure }) =>
      name === 'Resize' &&
      attributes.mode === 'cubic' &&
      x.type !== 'float32' &&
      /Tensor type mismatch/.test(failure ?? ''),
  },
  {
    reason:
      'with align_corners, the length of the result is the product before it is rounded, as in the official tests; the oracle takes the rounded one',
    holds: ({ name, attributes, inputs: [x, , scales], theirs }) =>
      name === 'Resize' &&
      attributes.coordinate_transformation_mode === 'align_corners' &&
      theirs !== undefined &&
      ((attributes.keep_aspect_ratio_policy ?? 'stretch') !== 'stretch' ||
        x.dims.some((size, i) => !Number.isInteger(size * (scales?.data.at(i - x.dims.length) ?? 1)))),
  },
  {
    reason: 'with exclude_outside, an element that has no weight at all is 0, where the oracle divides 0 by 0',
    holds: ({ name, attributes, ours, theirs }) =>
      name === 'Resize' &&
      attributes.exclude_outside === 1 &&
      theirs?.[0].data.some(Number.isNaN) &&
      areNear(ours, [{ data: Array.from(theirs[0].data, (value) => (Number.isNaN(value) ? 0 : value)) }], 3e-5),
  },
  {
    reason: 'with antialias, the oracle keeps averages of int8 in the range of uint8',
    holds: ({ name, attributes, inputs: [x], theirs, failure }) =>
      name === 'Resize' &&
      attributes.antialias === 1 &&
      x.type === 'int8' &&
      (theirs !== undefined || /narrowing_error/.test(failure ?? '')),
  },
  {
    reason: 'averages of integers are rounded to the nearest, as by the reference; the oracle drops their fractions',
    holds: ({ name, attributes, ours, theirs }) =>
      /^(Resize|Upsample)$/.test(name) &&
      attributes.mode !== 'nearest' &&
      theirs !== undefined &&
      !ours[0].type.startsWith('float') &&
      ours[0].data.every((value, i) => Math.abs(value - theirs[0].data[i]) <= 1),
  },
  {
    reason: 'weights are rounded to float32 from float64; the oracle computes them in float32',
    isNear: true,
    holds: ({ name, ours, theirs }) => /^(Resize|Upsample)$/.test(name) && areNear(ours, theirs, 3e-5),
  },
];

/** Whether the axis is one of those that Resize is given. */
const isResized = ({ axes }, { dims }, axis) =>
  axes === undefined || axes.some((one) => (one + dims.length) % dims.length === axis);
const isPool = (name) => /^(Average|Lp|Max)Pool$/.test(name);
const hasLargePad = ([{ dims }, pads]) => [...pads.data].some((pad, i) => Number(pad) > dims[i % dims.length]);
const goesBackToMost = ([, , ends, , steps]) =>
  [...steps.data].some((step, i) => step < 0 && Number(ends.data[i]) === 2 ** 31 - 1);

const hasNan = ({ type, data }) => type.startsWith('float') && [...data].some((value) => isNan(type, value));

/** Whether floats differ by at most `part` of the larger of their magnitude and 1. */
function areNear(ours, theirs, part) {
  if (ours === undefined || theirs === undefined || !ours[0].type.startsWith('float')) return false;
  return ours.every(({ type, data }, i) =>
    [...data].every((element, k) => {
      const value = numberOf(type, element);
      const other = numberOf(type, theirs[i].data[k]);
      return (
        Object.is(value, other) || value === other || Math.abs(value - other) <= part * Math.max(1, Math.abs(value))
      );
    }),
  );
}

/** Tensors as float64, in which very small scores are one number, and what is NaN in one of both is 0. */
const hiddenAs = (tensors, others) =>
  tensors.map(({ type, data }, i) => ({
    type: 'float64',
    data: Array.from(data, (value, k) => {
      const isMasked = isNan(type, value) || isNan(type, others[i].data[k]);
      return isMasked ? 0 : Math.max(numberOf(type, value), -60_000);
    }),
  }));

/** Whether floats differ by at most `part` of the largest magnitude. */
function areNearLargest(ours, theirs, part) {
  if (ours === undefined || theirs === undefined) return false;
  const [found, wanted] = [ours, theirs].map(([{ type, data }]) => Array.from(data, (value) => numberOf(type, value)));
  const largest = Math.max(...wanted.map(Math.abs));
  return found.every((value, i) => Math.abs(value - wanted[i]) <= part * largest);
}

/** Whether the first results are equal, except where ours is special. NaN equals NaN, and 0 equals -0. */
function areEqualBut(ours, theirs, isSpecial) {
  if (ours === undefined || theirs === undefined) return false;
  const { type } = ours[0];
  return [...ours[0].data].every((element, i) => {
    const value = numberOf(type, element);
    const other = numberOf(type, theirs[0].data[i]);
    return value === other || (Number.isNaN(value) && Number.isNaN(other)) || isSpecial(Number(value));
  });
}
const areEqualButForZeros = (ours, theirs) => areEqualBut(ours, theirs, () => false);

/** Whether floats differ by at most `part` of their magnitude. */
function areClose(ours, theirs, part) {
  if (ours === undefined || theirs === undefined || !ours[0].type.startsWith('float')) return false;
  return [...ours[0].data].every((value, i) => {
    const other = theirs[0].data[i];
    return Object.is(value, other) || value === other || Math.abs(value - other) <= part * Math.abs(value);
  });
}

/**
 * The known reason why a result is not the oracle's, or undefined. `isNear` says whether both are equal up to
 * rounding.
 */
export function reasonOf(difference) {
  return known.find(({ holds }) => holds(difference));
}
