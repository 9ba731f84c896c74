// Models of one layer, with constant weights.
import { GraphBuilder } from '../tools/graph-builder.mjs';
import { countOf, floats } from './numbers.mjs';

const bytesOf = (count) => Buffer.from(floats(count).buffer);
const weight = (g, hint, dims) => g.weight(hint, dims, bytesOf(countOf(dims)));

/** A model with one input and one output of as many axes. */
function layer(dims, build, type = 'float32') {
  const g = new GraphBuilder(17);
  const x = g.input('x', type, dims);
  build(g, x);
  g.output(
    'y',
    type,
    dims.map((_, i) => `size${i}`),
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
].map(([name, make]) => ({ name, make }));
