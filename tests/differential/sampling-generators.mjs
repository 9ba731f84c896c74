// Random calls of the operators that resize and sample images.
import { integersOf, tensorOf } from './values.mjs';

const float32s = (values) => ({ type: 'float32', dims: [values.length], data: Float32Array.from(values) });

/** Factors whose products and quotients are exact, so that ties are ties in float32, too. */
const factors = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];

const coordinates = [
  'half_pixel',
  'pytorch_half_pixel',
  'align_corners',
  'asymmetric',
  'tf_half_pixel_for_nn',
  'tf_crop_and_resize',
];

/** An image and its scales. Batch and channels keep their sizes where elements are averaged, since the oracle asks for that. */
function image(draw, isAveraged, scalesOf) {
  const { random } = draw;
  const averaged = random.chance(0.6) ? ['float32'] : ['float32', 'uint8', 'int8', 'int32'];
  const type = draw.type(isAveraged ? averaged : undefined);
  const rank = isAveraged ? random.pick([2, 4]) : random.integer(1, 4);
  const dims = Array.from({ length: rank }, () => random.integer(1, 9));
  const scales = dims.map((_, i) => (isAveraged && i < rank - 2 ? 1 : random.pick(scalesOf)));
  return { type, dims, scales, x: tensorOf(random, type, dims) };
}

function upsample(draw) {
  const { random, since } = draw;
  const isAveraged = random.chance(0.5);
  const { x, dims, scales } = image(draw, isAveraged, [1, 1.5, 2, 3]);
  const mode = isAveraged ? 'linear' : 'nearest';
  if (since === 1) {
    const four = [1, 1, 1, ...dims].slice(-4);
    const [height, width] = [random.pick([1, 2]), random.pick([1, 1.5, 3])];
    return {
      inputs: [{ ...x, dims: four }],
      attributes: { mode: isAveraged ? 'bilinear' : mode, height_scale: height, width_scale: width },
    };
  }
  if (since === 7) return { inputs: [x], attributes: { mode, scales } };
  return { inputs: [x, float32s(scales)], attributes: { mode } };
}

/** Sizes in the exact ratios of the scales; axes that would get none keep their size. */
const sizesOf = (dims, scales) =>
  dims.map((size, i) => (size * scales[i] >= 1 && Number.isInteger(size * scales[i]) ? size * scales[i] : size));

function resize(draw) {
  const { random, since } = draw;
  const mode = random.pick(since < 11 ? ['nearest', 'linear'] : ['nearest', 'linear', 'cubic']);
  const { x, dims, scales } = image(draw, mode !== 'nearest', factors);
  if (since < 11) return { inputs: [x, float32s(scales)], attributes: { mode } };
  const hasAntialias = since >= 18 && mode !== 'nearest' && random.chance(0.4);
  // With antialias, the oracle does not resize parts.
  const transformation = random.pick(hasAntialias ? coordinates.slice(0, -1) : coordinates);
  const attributes = {
    mode,
    coordinate_transformation_mode: transformation,
    nearest_mode: random.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']),
    ...(random.chance(0.3) && { cubic_coeff_a: -0.5 }),
    ...((mode === 'cubic' || hasAntialias) && random.chance(0.3) && { exclude_outside: 1 }),
    ...(transformation === 'tf_crop_and_resize' && { extrapolation_value: random.pick([0, 3]) }),
    ...(hasAntialias && { antialias: 1 }),
  };
  const sizes = random.chance(0.5) ? sizesOf(dims, scales) : undefined;
  // The oracle takes all of an axis that is not resized.
  const isWhole = (i) => (sizes === undefined ? scales[i] === 1 : sizes[i] === dims[i]);
  const starts = dims.map((_, i) => (isWhole(i) ? 0 : random.pick([0, 0, 0.25, -0.25])));
  const ends = dims.map((_, i) => (isWhole(i) ? 1 : random.pick([1, 1, 0.75, 1.25])));
  const policy = sizes === undefined ? undefined : random.pick(['stretch', 'not_larger', 'not_smaller']);
  const some = since >= 18 && (policy !== undefined || random.chance(0.3)) ? Math.max(dims.length - 2, 0) : 0;
  // With a policy, the oracle does not find axes that are counted from the end.
  const axes = dims.map((_, i) => (policy === undefined ? draw.axis(i, dims.length) : i)).slice(some);
  if (some > 0) attributes.axes = axes;
  if (since >= 18 && policy !== undefined) attributes.keep_aspect_ratio_policy = policy;
  const regions = [...starts.slice(some), ...ends.slice(some)];
  const roi = float32s(transformation === 'tf_crop_and_resize' ? regions : []);
  if (sizes === undefined) return { inputs: [x, roi, float32s(scales.slice(some))], attributes };
  const list = integersOf('int64', [sizes.length - some], (i) => sizes[some + i]);
  return { inputs: [x, roi, since < 13 ? float32s([]) : null, list], attributes };
}

export const samplingGenerators = { Resize: resize, Upsample: upsample };
