// Calls of products and layers, and of what quantised models and sounds have, in the form of call-cases.mjs.
import { float } from '../tools/models/graph-builder.mjs';
import {
  averages,
  between,
  call,
  constant,
  f32,
  input,
  int,
  ints,
  microsoft,
  number,
  random,
  scale,
  weight,
  zero,
} from './call-inputs.mjs';

// ---- Products ----

const shapes = [
  [
    [1, 384],
    [384, 1536],
  ],
  [
    [128, 384],
    [384, 384],
  ],
  [
    [512, 64],
    [64, 512],
  ],
  [
    [100, 1000],
    [1000, 1],
  ],
  [
    [12, 128, 64],
    [12, 64, 128],
  ],
  [
    [100, 1, 64],
    [100, 64, 1],
  ],
  [
    [32, 1, 100],
    [1, 100, 100],
  ],
  [
    [5000, 64],
    [64, 2],
  ],
  [
    [1000, 3],
    [3, 3],
  ],
];
const quantised = (type, dims) => [input(type, dims), scale(), zero(type)];
const products = [
  ...shapes.flatMap(([a, b]) => [
    call('MatMul', [f32(...a), weight(...b)]),
    call('MatMul', [f32(...a), f32(...b)]),
    call('MatMul', [input('float64', a), input('float64', b)]),
    ...['uint8', 'int8'].map((type) =>
      call('MatMulInteger', [input('uint8', a), constant(input(type, b)), zero('uint8'), zero(type)]),
    ),
    call('QLinearMatMul', [
      ...quantised('uint8', a),
      constant(input('int8', b)),
      scale(),
      zero('int8', 0),
      number(0.5),
      zero('uint8', 100),
    ]),
  ]),
  ...[
    [[1, 512], [512, 1000], [1000], {}],
    [[64, 256], [256, 256], [256], { transB: 1 }],
    [[256, 256], [256, 256], [256], { transA: 1 }],
    [[256, 256], [256, 256], [256, 256], { alpha: float(0.5), beta: float(0.25) }],
  ].flatMap(([a, b, c, attributes]) => [
    call('Gemm', [f32(...a), weight(...b), weight(...c)], attributes),
    call('Gemm', [f32(...a), f32(...b), f32(...c)], attributes),
  ]),
  ...[
    ['ij,jk->ik', [200, 200], [200, 200]],
    ['bij,bjk->bik', [12, 100, 64], [12, 64, 100]],
    ['bhqd,bhkd->bhqk', [2, 12, 100, 64], [2, 12, 100, 64]],
    ['bij,bij->b', [12, 100, 64], [12, 100, 64]],
    ['ij,ij->ij', [500, 500], [500, 500]],
    ['i,j->ij', [500], [500]],
    ['ijk->k', [50, 100, 100]],
    ['ii->i', [500, 500]],
  ].map(([equation, ...dims]) =>
    call(
      'Einsum',
      dims.map((one) => f32(...one)),
      { equation },
    ),
  ),
  call(
    'MatMulNBits',
    [f32(8, 384), constant(input('uint8', [384, 12, 16])), weight(384 * 12)],
    { K: 384, N: 384, bits: 4, block_size: 32 },
    microsoft,
  ),
  call(
    'DynamicQuantizeMatMul',
    [f32(256, 256), constant(input('uint8', [256, 256])), number(0.01), zero('uint8')],
    {},
    microsoft,
  ),
  call(
    'MatMulIntegerToFloat',
    [
      input('uint8', [256, 256]),
      constant(input('uint8', [256, 256])),
      number(0.01),
      number(0.02),
      zero('uint8'),
      zero('uint8'),
    ],
    {},
    microsoft,
  ),
];

// ---- Layers ----

const convolutions = [
  // dims, filters, kernel, stride, groups, dilation
  [[1, 64, 56, 56], 64, 3, 1, 1, 1],
  [[1, 64, 56, 56], 64, 3, 1, 64, 1],
  [[1, 3, 112, 112], 32, 3, 2, 1, 1],
  [[1, 128, 28, 28], 128, 1, 1, 1, 1],
  [[1, 32, 28, 28], 32, 3, 1, 4, 1],
  [[1, 16, 28, 28], 16, 3, 1, 1, 2],
  [[1, 8, 8, 8], 8, 3, 1, 1, 1],
  [[1, 32, 56, 56], 64, 5, 2, 1, 1],
  [[4, 16, 28, 28], 32, 3, 1, 1, 1],
  [[1, 64, 28, 28], 1, 3, 1, 1, 1],
  [[1, 1, 100, 100], 8, 3, 1, 1, 1],
  [[8, 64, 200], 64, 3, 1, 1, 1],
  [[1, 80, 1000], 256, 3, 1, 1, 1],
  [[1, 256, 500], 256, 3, 1, 256, 1],
  [[1, 1, 16_000], 64, 400, 160, 1, 1],
  [[1, 8, 16, 28, 28], 16, 3, 1, 1, 1],
].flatMap(([dims, filters, kernel, stride, group, dilation]) => {
  const each = (value) => Array(dims.length - 2).fill(value);
  const pad = (dilation * (kernel - (kernel % 2))) / 2;
  const attributes = {
    kernel_shape: each(kernel),
    strides: each(stride),
    pads: [...each(pad), ...each(pad)],
    group,
    dilations: each(dilation),
  };
  const kernels = [filters, dims[1] / group, ...each(kernel)];
  return [
    call('Conv', [f32(...dims), weight(...kernels), weight(filters)], attributes),
    call('Conv', [f32(...dims), f32(...kernels)], attributes),
    ...(dims.length === 4
      ? [
          call(
            'FusedConv',
            [f32(...dims), weight(...kernels), weight(filters)],
            { ...attributes, activation: 'Relu' },
            microsoft,
          ),
          call(
            'ConvInteger',
            [input('uint8', dims), constant(input('uint8', kernels)), zero('uint8'), zero('uint8')],
            attributes,
          ),
          call(
            'QLinearConv',
            [
              ...quantised('uint8', dims),
              constant(input('int8', kernels)),
              scale(),
              zero('int8', 0),
              number(0.5),
              zero('uint8', 100),
              constant(input('int32', [filters])),
            ],
            attributes,
          ),
        ]
      : []),
  ];
});
const transposed = [
  [[1, 64, 28, 28], 32, 2, 2, 0, 1],
  [[1, 64, 28, 28], 32, 4, 2, 1, 1],
  [[1, 64, 28, 28], 64, 3, 1, 1, 1],
  [[1, 32, 56, 56], 32, 4, 2, 1, 32],
].map(([dims, filters, kernel, stride, pad, group]) =>
  call('ConvTranspose', [f32(...dims), weight(dims[1], filters / group, kernel, kernel), weight(filters)], {
    kernel_shape: [kernel, kernel],
    strides: [stride, stride],
    pads: [pad, pad, pad, pad],
    group,
  }),
);
const pools = [
  ['MaxPool', [1, 64, 112, 112], { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] }],
  ['MaxPool', [1, 64, 112, 112], { kernel_shape: [2, 2], strides: [2, 2] }],
  ['MaxPool', [1, 256, 13, 13], { kernel_shape: [5, 5], pads: [2, 2, 2, 2] }],
  ['MaxPool', [8, 64, 200], { kernel_shape: [2], strides: [2] }],
  ['AveragePool', [1, 64, 112, 112], { kernel_shape: [2, 2], strides: [2, 2] }],
  ['AveragePool', [1, 64, 56, 56], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] }],
  ['AveragePool', [1, 3, 224, 224], { kernel_shape: [2, 2] }],
  ['AveragePool', [1, 3, 224, 224], { kernel_shape: [3, 3], pads: [2, 2, 2, 2], dilations: [2, 2] }],
  ['LpPool', [1, 64, 56, 56], { kernel_shape: [2, 2], strides: [2, 2] }],
  ['GlobalAveragePool', [1, 512, 7, 7], {}],
  ['GlobalMaxPool', [1, 64, 56, 56], {}],
].map(([op, dims, attributes]) => call(op, [f32(...dims)], attributes));

const sizes = [
  [
    [1, 3, 480, 640],
    [224, 224],
  ],
  [
    [1, 3, 200, 300],
    [400, 600],
  ],
  [
    [1, 64, 28, 28],
    [56, 56],
  ],
  [
    [1, 64, 56, 56],
    [28, 28],
  ],
  [
    [1, 256, 13, 13],
    [26, 26],
  ],
  [
    [1, 3, 100, 100],
    [130, 170],
  ],
];
const resizes = sizes.flatMap(([dims, to]) => {
  const others = [undefined, undefined, ints(...dims.slice(0, 2), ...to)];
  const floor = { mode: 'nearest', coordinate_transformation_mode: 'asymmetric', nearest_mode: 'floor' };
  return [
    ...['float32', 'uint8'].flatMap((type) => [
      call('Resize', [input(type, dims), ...others], floor),
      call('Resize', [input(type, dims), ...others], { mode: 'linear' }, type === 'uint8' ? averages : {}),
    ]),
    call('Resize', [f32(...dims), ...others], { mode: 'nearest', nearest_mode: 'floor' }),
    call('Resize', [f32(...dims), ...others], { mode: 'linear', coordinate_transformation_mode: 'align_corners' }),
    call('Resize', [f32(...dims), ...others], { mode: 'cubic' }),
    call('Resize', [f32(...dims), ...others], { mode: 'linear', antialias: 1 }),
    call('Resize', [input('int32', dims), ...others], { mode: 'linear' }, averages),
    call('Resize', [f32(dims[0], ...dims.slice(2), dims[1]), undefined, undefined, ints(dims[0], ...to, dims[1])], {
      mode: 'linear',
    }),
  ];
});

const grid = (type, dims) => between(-1.1, 1.1, dims, type);
const layers = [
  ...convolutions,
  ...transposed,
  ...pools,
  ...resizes,
  ...['linear', 'nearest', 'cubic'].flatMap((mode) =>
    [0, 1].map((align_corners) =>
      call('GridSample', [f32(1, 16, 64, 64), grid('float32', [1, 64, 64, 2])], { mode, align_corners }, { opset: 20 }),
    ),
  ),
  call('GridSample', [f32(1, 3, 256, 256), grid('float32', [1, 128, 128, 2])], {}, { opset: 20 }),
  call('AffineGrid', [f32(4, 2, 3), ints(4, 3, 224, 224)], {}, { opset: 20 }),
  ...[
    [1, 64, 56, 56],
    [8, 64, 200],
    [1, 512, 7, 7],
  ].map((dims) =>
    call('BatchNormalization', [f32(...dims), weight(dims[1]), weight(dims[1]), weight(dims[1]), scale(dims[1])]),
  ),
  ...[
    [1, 64, 56, 56],
    [8, 64, 200],
  ].map((dims) => call('InstanceNormalization', [f32(...dims), weight(dims[1]), weight(dims[1])])),
  call('GroupNormalization', [f32(1, 64, 56, 56), weight(64), weight(64)], { num_groups: 8 }),
  ...[
    [128, 384],
    [8, 197, 64],
    [1, 64],
  ].map((dims) => call('LayerNormalization', [f32(...dims), weight(dims.at(-1)), weight(dims.at(-1))])),
  call('LpNormalization', [f32(128, 384)], { axis: 1, p: 2 }),
  call('LRN', [f32(1, 64, 56, 56)], { size: 5 }),
  ...['LSTM', 'GRU', 'RNN'].flatMap((op) =>
    [
      [100, 1, 256, 256],
      [50, 8, 64, 128],
      [20, 1, 16, 16],
    ].map(([steps, batch, width, units]) => {
      const gates = { LSTM: 4, GRU: 3, RNN: 1 }[op];
      const small = (...dims) => constant(between(-0.06, 0.06, dims));
      return call(
        op,
        [
          f32(steps, batch, width),
          small(1, gates * units, width),
          small(1, gates * units, units),
          small(1, 2 * gates * units),
        ],
        { hidden_size: units },
        { outputs: 2 },
      );
    }),
  ),
  ...[
    [1, 12, 128, 64],
    [8, 4, 197, 32],
  ].flatMap(([batch, heads, length, width]) => {
    const x = () => f32(batch, heads, length, width);
    const wide = () => f32(batch, length, heads * width);
    return [
      call('Attention', [x(), x(), x()], {}, { opset: 23 }),
      call('Attention', [x(), x(), x()], { is_causal: 1 }, { opset: 23 }),
      call('MultiHeadAttention', [wide(), wide(), wide()], { num_heads: heads }, microsoft),
      call('SkipLayerNormalization', [wide(), wide(), weight(heads * width), weight(heads * width)], {}, microsoft),
      call('BiasGelu', [wide(), weight(heads * width)], {}, microsoft),
    ];
  }),
  call('NonMaxSuppression', [
    input('float32', [1, 8400, 4], (i) => (i % 4 < 2 ? 600 * random() : 600 + 60 * random())),
    between(0, 1, [1, 1, 8400]),
    ints(300),
    number(0.5),
    number(0.25),
  ]),
  call(
    'RoiAlign',
    [
      f32(1, 64, 50, 50),
      input('float32', [100, 4], (i) => (i % 4 < 2 ? 20 * random() : 25 + 20 * random())),
      constant(input('int64', [100], () => 0)),
    ],
    { output_height: 7, output_width: 7 },
  ),
];

// ---- Quantisation and signals ----

const quantisation = [
  ...[
    [1000, 1000],
    [1, 64, 112, 112],
  ].flatMap((dims) =>
    ['uint8', 'int8'].flatMap((type) => [
      call('QuantizeLinear', [f32(...dims), number(0.02), zero(type)]),
      call('DequantizeLinear', [input(type, dims), number(0.02), zero(type)]),
      call('QuantizeLinear', [f32(...dims), scale(dims[1]), constant(input(type, [dims[1]], () => 3))], { axis: 1 }),
      call('DequantizeLinear', [input(type, dims), scale(dims[1]), constant(input(type, [dims[1]], () => 3))], {
        axis: 1,
      }),
    ]),
  ),
  ...[
    [1000, 1000],
    [1, 384],
  ].map((dims) => call('DynamicQuantizeLinear', [f32(...dims)], {}, { outputs: 3 })),
  ...['QLinearAdd', 'QLinearMul'].flatMap((op) =>
    [
      [
        [1000, 500],
        [1000, 500],
      ],
      [
        [1, 64, 56, 56],
        [64, 1, 1],
      ],
    ].map(([a, b]) =>
      call(op, [...quantised('uint8', a), ...quantised('uint8', b), number(0.05), zero('uint8')], {}, microsoft),
    ),
  ),
  call('QLinearSigmoid', [...quantised('uint8', [1000, 500]), number(0.01), zero('uint8')], {}, microsoft),
  call('QLinearGlobalAveragePool', [...quantised('uint8', [1, 512, 7, 7]), number(0.02), zero('uint8')], {}, microsoft),
];
const signals = [
  ...[256, 400, 1000, 1024].flatMap((length) => [
    call('DFT', [f32(20, length, 1)], { onesided: 1 }, { opset: 20 }),
    call('DFT', [f32(20, length, 2)], {}, { opset: 20 }),
  ]),
  call('STFT', [f32(1, 16_000, 1), int(160), weight(400)]),
  ...['HannWindow', 'BlackmanWindow'].map((op) => call(op, [input('int64', [], () => 400)])),
];

export const layerCalls = { products, layers, quantisation, signals };
