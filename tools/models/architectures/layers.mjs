// Single layers whose images have few channels, as networks begin and end with them, and samples of images at points.
import { float } from '../graph-builder.mjs';
import { Feeds } from './blocks.mjs';
import { conv, convTranspose } from './convolutions.mjs';
import { Network } from './network.mjs';

/** One node on an image [1, channels, ...size]. */
function layer({ channels, size, build, grid, ...rest }) {
  const n = new Network({ opset: 20, ...rest });
  const dims = [1, channels, ...size];
  const feeds = new Feeds(n.weights).floats('x', n.type, dims);
  const inputs = [n.input('x', n.type, dims)];
  if (grid !== undefined) {
    const points = [1, ...size, size.length];
    inputs.push(n.input('grid', n.type, points));
    feeds.floats('grid', n.type, points);
  }
  n.result('y', build(n, ...inputs), Array(dims.length).fill(null));
  return { file: n.file('layer'), feeds: feeds.list };
}

const sizesOf = (size) => [size].flat().map((one) => Math.min(one, 9));
const ofImage = (channels, size, build, rest = {}) => {
  const both = size.length === undefined ? [size, size] : size;
  return { make: layer, channels, size: both, build, ...rest, tiny: { size: sizesOf(both) } };
};
const ofConv = (from, to, kernel, size, options = {}) => {
  const { stride = 1, group = 1, axes = 2 } = options;
  const by = Array(axes).fill(kernel).join('x');
  const extra = `${stride > 1 ? ` by ${stride}` : ''}${group > 1 ? ` in ${group} groups` : ''}`;
  return [
    `layer Conv ${from} to ${to}, ${by}${extra} on ${[size].flat().join('x')}`,
    {
      ...ofImage(from, size, (n, x) => conv(n, x, from, to, kernel, options)),
      tiny: {
        size: [size, axes > 1 ? size : []]
          .flat(2)
          .slice(0, axes)
          .map((one) => Math.min(one, 19)),
      },
    },
  ];
};
const ofTransposed = (from, to, kernel, size) => [
  `layer ConvTranspose ${from} to ${to}, ${kernel}x${kernel} by 2 on ${size}x${size}`,
  ofImage(from, size, (n, x) => convTranspose(n, x, from, to, kernel, { stride: 2 })),
];
const ofGrid = (channels, size, mode, padding_mode = 'zeros') => [
  `layer GridSample ${mode} of ${channels} channels, ${padding_mode}, at ${size}x${size}`,
  ofImage(channels, size, (n, x, grid) => n.op('GridSample', [x, grid], { mode, padding_mode, align_corners: 0 }), {
    grid: true,
  }),
];
const pool = { kernel_shape: [3, 3], strides: [1, 1], pads: [1, 1, 1, 1], count_include_pad: 1 };
const normalised = (n, x, channels) =>
  n.op(
    'BatchNormalization',
    [x, ...[1, 0, 0, 1].map((middle) => n.vector('norm', channels, middle === 0 ? 0.1 : 0.5, middle))],
    { epsilon: float(1e-5) },
  );

/** Cases by name. */
export const layerCases = Object.fromEntries([
  ofConv(1, 2, 3, 256),
  ofConv(1, 1, 5, 256),
  ofConv(3, 3, 5, 256, { group: 3 }),
  ofConv(16, 1, 3, 256),
  ofConv(64, 1, 3, 128),
  ofConv(64, 3, 3, 128),
  ofConv(64, 2, 1, 256),
  ofConv(256, 1, 1, 128),
  ofConv(3, 3, 9, 224),
  ofConv(4, 4, 3, 256),
  ofConv(32, 3, 9, 128),
  ofConv(32, 4, 3, 128, { stride: 2 }),
  ofConv(1, 32, 3, [128, 400]),
  ofConv(1, 64, 7, 224, { stride: 2 }),
  ofConv(3, 64, 7, 224, { stride: 2 }),
  ofConv(3, 32, 3, 224, { stride: 2 }),
  ofConv(3, 16, 3, 256),
  ofConv(8, 16, 1, 320),
  ofConv(1, 512, 10, [16000], { axes: 1, stride: 5, pad: 0 }),
  ofConv(80, 384, 3, [3000], { axes: 1 }),
  ofConv(64, 1, 7, [8000], { axes: 1 }),
  ofTransposed(64, 1, 4, 64),
  ofTransposed(64, 3, 4, 64),
  ofTransposed(32, 4, 2, 64),
  ofGrid(3, 224, 'linear'),
  ofGrid(3, 224, 'linear', 'border'),
  ofGrid(3, 224, 'linear', 'reflection'),
  ofGrid(3, 224, 'nearest'),
  ofGrid(3, 224, 'cubic'),
  ofGrid(64, 64, 'linear'),
  ...[1, 3].flatMap((channels) => [
    [
      `layer AveragePool of ${channels} channels on 256x256`,
      ofImage(channels, 256, (n, x) => n.op('AveragePool', [x], pool)),
    ],
    [
      `layer GlobalAveragePool of ${channels} channels on 256x256`,
      ofImage(channels, 256, (n, x) => n.op('GlobalAveragePool', [x])),
    ],
    [
      `layer BatchNormalization of ${channels} channels on 256x256`,
      ofImage(channels, 256, (n, x) => normalised(n, x, channels)),
    ],
  ]),
]);
