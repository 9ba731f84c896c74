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
  g.output('y', type, dims.map((_, i) => `size${i}`));
  return g.model('layer');
}

/** Conv with a bias: images [1, channels, size, size], `filters` of kernel x kernel. */
function conv({ channels, size, filters = channels, kernel, stride = 1, groups = 1 }) {
  const pad = (kernel - 1) >> 1;
  return layer([1, channels, size, size], (g, x) => {
    const w = weight(g, 'w', [filters, channels / groups, kernel, kernel]);
    const b = weight(g, 'b', [filters]);
    g.op('Conv', [x, w, b], { group: groups, strides: [stride, stride], pads: [pad, pad, pad, pad] }, ['y']);
  });
}

const depthwise = (options) => conv({ ...options, groups: options.channels });

export const layerCases = [
  ['depthwise 3x3, 144 channels, 56x56', () => depthwise({ channels: 144, size: 56, kernel: 3 })],
  ['depthwise 5x5, 240 channels, 14x14', () => depthwise({ channels: 240, size: 14, kernel: 5 })],
  ['depthwise 3x3 stride 2, 96 channels, 112x112', () => depthwise({ channels: 96, size: 112, kernel: 3, stride: 2 })],
  ['Conv 3x3, 64 to 64 channels, 56x56', () => conv({ channels: 64, size: 56, kernel: 3 })],
  ['Conv 1x1, 128 to 128 channels, 28x28', () => conv({ channels: 128, size: 28, kernel: 1 })],
  ['Conv 3x3 stride 2, 3 to 32 channels, 224x224', () => conv({ channels: 3, size: 224, filters: 32, kernel: 3, stride: 2 })],
  ['Conv 7x7 stride 2, 3 to 64 channels, 224x224', () => conv({ channels: 3, size: 224, filters: 64, kernel: 7, stride: 2 })],
  ['Conv 1x1, 16 to 96 channels, 112x112', () => conv({ channels: 16, size: 112, filters: 96, kernel: 1 })],
  ['Conv 1x1, 960 to 160 channels, 7x7', () => conv({ channels: 960, size: 7, filters: 160, kernel: 1 })],
  ['Conv 3x3, 16 to 16 channels, 80x80', () => conv({ channels: 16, size: 80, kernel: 3 })],
  ['Conv 3x3, 512 to 512 channels, 7x7', () => conv({ channels: 512, size: 7, kernel: 3 })],
].map(([name, make]) => ({ name, make }));
