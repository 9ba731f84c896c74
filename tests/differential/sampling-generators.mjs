// Random calls of the operators that resize and sample images.
import { integersOf, tensorOf } from './values.mjs';

const float32s = (values) => ({ type: 'float32', dims: [values.length], data: Float32Array.from(values) });

/** Factors whose products and quotients are exact, so that ties are ties in float32, too. */
const factors = [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4];

/** Scales that float32 does not have, by which coordinates are divided in float32. */
const fractions = [0.1, 0.2, 1 / 3, 0.4, 0.6, 0.7, 0.8, 1.1, 1.2, 1.6];

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
  const { x, dims, scales } = image(draw, isAveraged, [1, 1, 1.1, 1.2, 1.5, 1.6, 2, 3]);
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
  const hasSizes = since >= 11 && random.chance(0.5);
  const { x, dims, scales } = image(draw, mode !== 'nearest', hasSizes ? factors : [...factors, ...fractions]);
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
  const sizes = hasSizes ? sizesOf(dims, scales) : undefined;
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

/** Boxes on a coarse grid, and scores that differ. */
function boxes(draw) {
  const { random } = draw;
  const [batches, classes, count] = [random.integer(1, 2), random.integer(1, 3), random.integer(1, 12)];
  const scores = Array.from({ length: batches * classes }, () =>
    random.shuffled(Array.from({ length: count }, (_, i) => i / 16)),
  ).flat();
  const corners = tensorOf(random, 'float32', [batches, count, 4], () => random.integer(0, 8) / 4);
  const given = [corners, { type: 'float32', dims: [batches, classes, count], data: Float32Array.from(scores) }];
  if (random.chance(0.9)) {
    given.push(
      integersOf('int64', random.pick([[], [1]]), () => random.integer(0, 8)),
      float32s([random.integer(0, 8) / 8]),
    );
    if (random.chance(0.5)) given.push(float32s([random.integer(-1, 10) / 16 + 1 / 32]));
  }
  return { inputs: given, attributes: random.chance(0.5) ? { center_point_box: random.integer(0, 1) } : {} };
}

/** Images, and regions whose corners are exact. */
function regions(draw, isAligned) {
  const { random } = draw;
  const type = draw.type(['float32', 'float64', 'float16']);
  const dims = [random.integer(1, 2), random.integer(1, 3), random.integer(1, 9), random.integer(1, 9)];
  const count = random.integer(1, 4);
  const exact = (value) => (type === 'float16' ? halfOf(value) : value);
  const corner = () => exact(random.integer(-8, 80) / 4);
  const batches = Array.from({ length: count }, () => random.integer(0, dims[0] - 1));
  const rois = isAligned
    ? tensorOf(random, type, [count, 4], corner)
    : tensorOf(random, type, [count, 5], (i) => (i % 5 === 0 ? exact(batches[i / 5]) : corner()));
  const x = tensorOf(random, type, dims);
  return { x, rois, batches: integersOf('int64', [count], (i) => batches[i]) };
}

/** Small multiples of a quarter as float16. */
function halfOf(value) {
  if (value === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(value)));
  const fraction = (Math.abs(value) / 2 ** exponent - 1) * 1024;
  return (value < 0 ? 0x8000 : 0) + ((exponent + 15) << 10) + fraction;
}

function roiAlign(draw) {
  const { random, since } = draw;
  const { x, rois, batches } = regions(draw, true);
  const attributes = {
    output_height: random.integer(1, 4),
    output_width: random.integer(1, 4),
    sampling_ratio: random.integer(0, 3),
    spatial_scale: random.pick([1, 0.5, 0.25]),
    mode: random.pick(['avg', 'avg', 'max']),
    ...(since >= 16 && { coordinate_transformation_mode: random.pick(['half_pixel', 'output_half_pixel']) }),
  };
  return { inputs: [x, rois, batches], attributes };
}

function maxRoiPool(draw) {
  const { random } = draw;
  const { x, rois } = regions(draw, false);
  const pooled = [random.integer(1, 4), random.integer(1, 4)];
  return { inputs: [x, rois], attributes: { pooled_shape: pooled, spatial_scale: random.pick([1, 0.5]) } };
}

function gridSample(draw) {
  const { random, since } = draw;
  const axes = since < 20 ? 2 : random.integer(2, 3);
  const type = draw.type(['float32', 'float64', 'float16', 'int32', 'int8', 'uint8']);
  const modes = since < 20 ? ['bilinear', 'nearest', 'bicubic'] : ['linear', 'nearest', 'cubic'];
  const dims = [
    random.integer(1, 2),
    random.integer(1, 3),
    ...Array.from({ length: axes }, () => random.integer(2, 6)),
  ];
  const points = [dims[0], ...Array.from({ length: axes }, () => random.integer(1, 5)), axes];
  const grid = tensorOf(random, type === 'float64' ? 'float64' : 'float32', points, () => random.integer(-40, 40) / 32);
  return {
    inputs: [tensorOf(random, type, dims), grid],
    attributes: {
      mode: random.pick(modes),
      padding_mode: random.pick(['zeros', 'border', 'reflection']),
      align_corners: random.integer(0, 1),
    },
  };
}

function affineGrid(draw) {
  const { random } = draw;
  const axes = random.integer(2, 3);
  const count = random.integer(1, 2);
  const size = [count, 1, ...Array.from({ length: axes }, () => random.integer(2, 6))];
  return {
    inputs: [draw.any([count, axes, axes + 1], ['float32', 'float64', 'float16']), draw.list(size)],
    attributes: { align_corners: random.integer(0, 1) },
  };
}

function col2im(draw) {
  const { random } = draw;
  const axes = Array.from({ length: random.integer(1, 3) }, () => {
    const [block, dilation, stride] = [random.integer(1, 3), random.integer(1, 2), random.integer(1, 3)];
    const pads = [random.integer(0, 2), random.integer(0, 2)];
    const image = Math.max(dilation * (block - 1) + 1 + random.integer(0, 4) - pads[0] - pads[1], 1);
    const rest = image + pads[0] + pads[1] - dilation * (block - 1) - 1;
    return { block, dilation, stride, pads, image, count: Math.floor(rest / stride) + 1 };
  });
  if (axes.some(({ count }) => count < 1)) return col2im(draw);
  const product = (key) => axes.reduce((all, axis) => all * axis[key], 1);
  const channels = random.integer(1, 2);
  const types = ['float32', 'float64', 'float16', 'int32', 'int8', 'uint8', 'int64', 'bool'];
  return {
    inputs: [
      draw.any([random.integer(1, 2), channels * product('block'), product('count')], types),
      draw.list(axes.map(({ image }) => image)),
      draw.list(axes.map(({ block }) => block)),
    ],
    attributes: {
      dilations: axes.map(({ dilation }) => dilation),
      strides: axes.map(({ stride }) => stride),
      pads: [...axes.map(({ pads }) => pads[0]), ...axes.map(({ pads }) => pads[1])],
    },
  };
}

function maxUnpool(draw) {
  const { random } = draw;
  const axes = random.integer(1, 3);
  const dims = [
    random.integer(1, 2),
    random.integer(1, 2),
    ...Array.from({ length: axes }, () => random.integer(1, 3)),
  ];
  // The image that was pooled may have some elements more than whole windows; the oracle refuses fewer.
  const hasShape = random.chance(0.5);
  const pooled = dims.map((size, axis) => (axis < 2 ? size : size * 2 + (hasShape ? random.integer(0, 2) : 0)));
  // An element of each window.
  const indexOf = (number) => {
    let [rest, step, index] = [number, 1, 0];
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      const place = rest % dims[axis];
      index += step * (axis < 2 ? place : 2 * place + random.integer(0, 1));
      rest = Math.floor(rest / dims[axis]);
      step *= pooled[axis];
    }
    return index;
  };
  const inputs = [draw.any(dims, ['float32', 'float64', 'float16']), integersOf('int64', dims, indexOf)];
  if (hasShape) inputs.push(integersOf('int64', [pooled.length], (i) => pooled[i]));
  const two = Array.from({ length: axes }, () => 2);
  return { inputs, attributes: { kernel_shape: two, strides: two } };
}

export const samplingGenerators = {
  AffineGrid: affineGrid,
  Col2Im: col2im,
  GridSample: gridSample,
  MaxRoiPool: maxRoiPool,
  MaxUnpool: maxUnpool,
  NonMaxSuppression: boxes,
  Resize: resize,
  RoiAlign: roiAlign,
  Upsample: upsample,
};
