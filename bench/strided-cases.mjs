// The layouts of bench/kernels.mjs: transposes, permutations of images, reversals and slices.

function denseStrides(dims) {
  let stride = 1;
  const strides = dims.toReversed().map((dim) => {
    const own = stride;
    stride *= dim;
    return own;
  });
  return strides.reverse();
}

const types = { 1: 'uint8', 2: 'uint16', 4: 'float32', 8: 'float64', 16: 'complex128' };

/** A source with its axes permuted. */
function permuted(what, item, dims, order) {
  const strides = denseStrides(dims);
  const name = `${what} ${types[item]} [${dims}] (${order})`;
  return { name, item, dims: order.map((axis) => dims[axis]), strides: order.map((axis) => strides[axis]) };
}

/** Every `steps[axis]`th index of each axis; negative steps start at the last index. The last axis keeps `kept` indices. */
function sliced(what, item, dims, steps, kept = dims.at(-1)) {
  const dense = denseStrides(dims);
  const taken = dims.map((dim, axis) => Math.ceil((axis === dims.length - 1 ? kept : dim) / Math.abs(steps[axis])));
  const first = dims.reduce((sum, dim, axis) => sum + (steps[axis] < 0 ? (dim - 1) * dense[axis] : 0), 0);
  const name = `${what} ${types[item]} [${dims}] steps ${steps}${kept < dims.at(-1) ? ` :${kept}` : ''}`;
  return { name, item, first, dims: taken, strides: dense.map((stride, axis) => stride * steps[axis]) };
}

const swap = [1, 0];
const toPlanes = [0, 3, 1, 2];
const toPixels = [0, 2, 3, 1];

export const cases = [
  permuted('transpose', 4, [2000, 2000], swap),
  permuted('transpose', 1, [4000, 4000], swap),
  permuted('transpose', 1, [2048, 2048], swap),
  permuted('transpose', 1, [4096, 4096], swap),
  permuted('transpose', 4, [1024, 1024], swap),
  permuted('transpose', 4, [2048, 2048], swap),
  permuted('transpose', 2, [2000, 2000], swap),
  permuted('transpose', 8, [1000, 1000], swap),
  permuted('transpose', 16, [1000, 1000], swap),
  permuted('transpose', 4, [100, 100], swap),
  permuted('transpose', 1, [200, 200], swap),
  permuted('transpose', 1, [1000, 1000], swap),
  permuted('transpose', 1, [50000, 10], swap),
  permuted('transpose', 1, [10, 50000], swap),
  permuted('transpose', 4, [12, 197, 64], [0, 2, 1]),
  permuted('transpose', 4, [100, 50, 60], [2, 1, 0]),
  permuted('heads', 4, [1, 197, 12, 64], [0, 2, 1, 3]),
  ...[1, 4].flatMap((item) =>
    [3, 4].flatMap((channels) => [
      permuted('planes', item, [1, 224, 224, channels], toPlanes),
      permuted('pixels', item, [1, channels, 224, 224], toPixels),
    ]),
  ),
  permuted('planes', 1, [1, 1080, 1920, 3], toPlanes),
  permuted('pixels', 1, [1, 3, 1080, 1920], toPixels),
  permuted('planes', 4, [1, 56, 56, 64], toPlanes),
  ...[1, 2, 4, 8].map((item) => sliced('reversed', item, [1000, 1000], [1, -1])),
  sliced('reversed rows', 4, [1000, 1000], [-1, 1]),
  sliced('other order of channels', 1, [224, 224, 3], [1, 1, -1]),
  sliced('other order of channels', 4, [224, 224, 3], [1, 1, -1]),
  sliced('without alpha', 1, [224, 224, 4], [1, 1, 1], 3),
  sliced('without alpha', 4, [224, 224, 4], [1, 1, 1], 3),
  ...[1, 4].map((item) => sliced('every second', item, [1000, 2000], [1, 2])),
  sliced('every second', 4, [1000, 1000, 2], [2, 2, 1]),
];
