// Models of one layer, with constant weights.
import { GraphBuilder } from '../tools/models/graph-builder.mjs';
import { countOf, floats } from './numbers.mjs';

const bytesOf = (count) => Buffer.from(floats(count).buffer);
const weight = (g, hint, dims) => g.weight(hint, dims, bytesOf(countOf(dims)));

/** A model with one input and one output. */
function layer(dims, build, { type = 'float32', outputType = type, rank = dims.length } = {}) {
  const g = new GraphBuilder(18);
  const x = g.input('x', type, dims);
  build(g, x);
  g.output(
    'y',
    outputType,
    Array.from({ length: rank }, (_, i) => `size${i}`),
  );
  return g.model('layer');
}

/** Adds a Conv with a bias to a graph: `filters` of kernel x kernel. */
function addConv(g, x, { channels, filters = channels, kernel, stride = 1, groups = 1 }, outputs) {
  const pad = (kernel - 1) >> 1;
  const w = weight(g, 'w', [filters, channels / groups, kernel, kernel]);
  const b = weight(g, 'b', [filters]);
  return g.op('Conv', [x, w, b], { group: groups, strides: [stride, stride], pads: [pad, pad, pad, pad] }, outputs);
}

/** Conv of images [1, channels, size, size]. */
const conv = (options) =>
  layer([1, options.channels, options.size, options.size], (g, x) => addConv(g, x, options, ['y']));

/** A block of MobileNetV2: channels that grow, a depthwise convolution, channels that shrink, and the sum with the input. */
function invertedResidual(channels, size) {
  return layer([1, channels, size, size], (g, x) => {
    const clip = (value) => g.op('Clip', [value, g.number(0), g.number(6)]);
    const wide = 6 * channels;
    const grown = clip(addConv(g, x, { channels, filters: wide, kernel: 1 }));
    const mixed = clip(addConv(g, grown, { channels: wide, kernel: 3, groups: wide }));
    g.op('Add', [addConv(g, mixed, { channels: wide, filters: channels, kernel: 1 }), x], {}, ['y']);
  });
}

/** Conv and x * sigmoid(x). */
function convSwish(options) {
  return layer([1, options.channels, options.size, options.size], (g, x) => {
    const y = addConv(g, x, options);
    g.op('Mul', [y, g.op('Sigmoid', [y])], {}, ['y']);
  });
}

const depthwise = (options) => conv({ ...options, groups: options.channels });

/** An operator with one input, whose other inputs are `others(g)`. */
const one = (operator, dims, others, attributes = {}, form = {}) =>
  layer(dims, (g, x) => g.op(operator, [x, ...others(g)], attributes, ['y']), form);

/** Resize to `sizes`. */
const resize = (dims, sizes, attributes) =>
  one('Resize', dims, (g) => ['', '', g.ints([...dims.slice(0, 2), ...sizes])], attributes);

const integerProduct = (m, k, n) =>
  one(
    'MatMulInteger',
    [m, k],
    (g) => [g.weight('w', [k, n], bytesOf((k * n) / 4), 'uint8')],
    {},
    { type: 'uint8', outputType: 'int32' },
  );

const spectrum = (samples) =>
  one('STFT', [1, samples, 1], (g) => [g.int(160), weight(g, 'window', [400])], {}, { rank: 4 });

/** LSTM of 100 steps, whose input and state are `units` wide. Weights are small, so that no step magnifies roundings. */
const lstm = (units) =>
  layer([100, 1, units], (g, x) => {
    const small = Buffer.from(floats(4 * units * units).map((value) => value / 16).buffer);
    const [w, r] = ['w', 'r'].map((hint) => g.weight(hint, [1, 4 * units, units], small));
    const y = g.op('LSTM', [x, w, r, weight(g, 'b', [1, 8 * units])], { hidden_size: units });
    g.op('Squeeze', [y, g.ints([1])], {}, ['y']);
  });

/** ScatterElements that adds constant updates to the elements at constant indices. */
const scatterAdd = (size, updates) =>
  one(
    'ScatterElements',
    [size],
    (g) => {
      const places = BigInt64Array.from({ length: updates }, (_, i) => BigInt((i * 7919) % size));
      return [g.weight('places', [updates], Buffer.from(places.buffer), 'int64'), weight(g, 'updates', [updates])];
    },
    { reduction: 'add' },
  );

const topK = (dims, k) => layer(dims, (g, x) => g.op('TopK', [x, g.ints([k])], {}, ['y', 'indices']));

export const layerCases = [
  ['depthwise 3x3, 144 channels, 56x56', () => depthwise({ channels: 144, size: 56, kernel: 3 })],
  ['depthwise 5x5, 240 channels, 14x14', () => depthwise({ channels: 240, size: 14, kernel: 5 })],
  ['depthwise 3x3 stride 2, 96 channels, 112x112', () => depthwise({ channels: 96, size: 112, kernel: 3, stride: 2 })],
  ['Conv 3x3, 64 to 64 channels, 56x56', () => conv({ channels: 64, size: 56, kernel: 3 })],
  ['Conv 1x1, 128 to 128 channels, 28x28', () => conv({ channels: 128, size: 28, kernel: 1 })],
  [
    'Conv 3x3 stride 2, 3 to 32 channels, 224x224',
    () => conv({ channels: 3, size: 224, filters: 32, kernel: 3, stride: 2 }),
  ],
  [
    'Conv 7x7 stride 2, 3 to 64 channels, 224x224',
    () => conv({ channels: 3, size: 224, filters: 64, kernel: 7, stride: 2 }),
  ],
  ['Conv 1x1, 16 to 96 channels, 112x112', () => conv({ channels: 16, size: 112, filters: 96, kernel: 1 })],
  ['Conv 1x1, 960 to 160 channels, 7x7', () => conv({ channels: 960, size: 7, filters: 160, kernel: 1 })],
  ['Conv 3x3, 16 to 16 channels, 80x80', () => conv({ channels: 16, size: 80, kernel: 3 })],
  ['Conv 3x3, 512 to 512 channels, 7x7', () => conv({ channels: 512, size: 7, kernel: 3 })],
  ['inverted residual block, 24 channels, 56x56', () => invertedResidual(24, 56)],
  ['Conv 3x3 and x * sigmoid(x), 64 to 64 channels, 40x40', () => convSwish({ channels: 64, size: 40, kernel: 3 })],
  [
    'MaxPool 3x3 stride 2, 64 channels, 112x112',
    () =>
      layer([1, 64, 112, 112], (g, x) =>
        g.op('MaxPool', [x], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }, ['y']),
      ),
  ],
  [
    'AveragePool 2x2, 128 channels, 28x28',
    () => layer([1, 128, 28, 28], (g, x) => g.op('AveragePool', [x], { kernel_shape: [2, 2], strides: [2, 2] }, ['y'])),
  ],
  [
    'GlobalAveragePool, 1280 channels, 7x7',
    () => layer([1, 1280, 7, 7], (g, x) => g.op('GlobalAveragePool', [x], {}, ['y'])),
  ],
  ['LSTM, 100 steps, 256 units', () => lstm(256)],
  ['Resize, 1080p to 640x640', () => resize([1, 3, 1080, 1920], [640, 640], { mode: 'linear' })],
  [
    'Resize with antialias, 1080p to 640x640',
    () => resize([1, 3, 1080, 1920], [640, 640], { mode: 'linear', antialias: 1 }),
  ],
  ['MatMulInteger 128x384x1536', () => integerProduct(128, 384, 1536)],
  ['STFT, 30 s of 16 kHz, 400 samples every 160', () => spectrum(480_000)],
  ['TopK, 300 of 8,400', () => topK([1, 8400], 300)],
  ['TopK, all of 100,000', () => topK([100_000], 100_000)],
  ['TopK, 1 of 21, 20,000 rows', () => topK([20_000, 21], 1)],
  ['Unique, 100,000', () => one('Unique', [100_000], () => [])],
  ['CumSum, 100,000 rows of 8', () => one('CumSum', [100_000, 8], (g) => [g.int(1)])],
  ['Softmax, 100,000 rows of 3', () => one('Softmax', [100_000, 3], () => [])],
  ['ScatterElements, add 100,000 to 1,000', () => scatterAdd(1000, 100_000)],
  [
    'MaxPool 2x2 with indices, 64 channels, 112x112',
    () =>
      layer(
        [1, 64, 112, 112],
        (g, x) => g.op('MaxPool', [x], { kernel_shape: [2, 2], strides: [2, 2] }, ['maxima', 'y']),
        { outputType: 'int64' },
      ),
  ],
  ['Resize, cubic, 256x256 to 512x512', () => resize([1, 3, 256, 256], [512, 512], { mode: 'cubic' })],
].map(([name, make]) => ({ name, make }));
