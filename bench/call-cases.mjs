// Calls of single operators in the types and shapes that models have, as data. onnxruntime-web runs them all.
import { float } from '../tools/graph-builder.mjs';
import { countOf } from './numbers.mjs';

const arrays = {
  float32: Float32Array,
  float64: Float64Array,
  float16: Uint16Array,
  int64: BigInt64Array,
  int32: Int32Array,
  int8: Int8Array,
  uint8: Uint8Array,
  bool: Uint8Array,
};

/** The same numbers in every run: from 0 to 1, without 1. */
let state = 1;
function random() {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 0) / 2 ** 32;
}

const valueMakers = {
  float32: () => 4 * random() - 2,
  float64: () => 4 * random() - 2,
  float16: () => 0x3800 + Math.floor(1024 * random()) + (random() < 0.5 ? 0x8000 : 0), // 0.5 to 1, and negative
  int64: () => Math.floor(200 * random()) - 100,
  int32: () => Math.floor(200 * random()) - 100,
  int8: () => Math.floor(200 * random()) - 100,
  uint8: () => Math.floor(200 * random()),
  bool: () => Math.floor(2 * random()),
};

/** An input: its elements are made where the case is measured. */
const input = (type, dims, value = valueMakers[type]) => ({
  type,
  dims,
  isConstant: false,
  make() {
    const number = arrays[type] === BigInt64Array ? (i) => BigInt(value(i)) : value;
    return arrays[type].from({ length: countOf(dims) }, (_, i) => number(i));
  },
});
const constant = (it) => ({ ...it, isConstant: true });

const f32 = (...dims) => input('float32', dims);
const between = (low, high, dims, type = 'float32') => input(type, dims, () => low + (high - low) * random());
const weight = (...dims) => constant(f32(...dims));
const scale = (...dims) => constant(between(0.01, 0.02, dims));
const zero = (type, value = 3) => constant(input(type, [], () => value));
const ints = (...values) => constant(input('int64', [values.length], (i) => values[i]));
const int = (value, type = 'int64') => constant(input(type, [], () => value));
const number = (value) => constant(input('float32', [], () => value));
const indices = (dims, size) => input('int64', dims, () => Math.floor(size * random()));

const call = (op, inputs, attributes = {}, more = {}) => ({ op, inputs, attributes, ...more });
/** onnxruntime-web cuts fractions of averages off. */
const averages = { tolerance: 1 };
const microsoft = { domain: 'com.microsoft' };

// ---- Elementwise ----

const domains = { Acosh: [1, 5], Log: [0.1, 5], Sqrt: [0, 5], Acos: [-1, 1], Asin: [-1, 1], Atanh: [-0.99, 0.99] };
const unary =
  `Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Elu Erf Exp Floor HardSigmoid HardSwish LeakyRelu Log Mish Neg
  Reciprocal Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Tan Tanh`.split(/\s+/);
const elementwise = [
  ...unary.flatMap((op) => {
    const [low, high] = domains[op] ?? [-4, 4];
    return [[4000], [1000, 1000]].map((dims) => call(op, [between(low, high, dims)]));
  }),
  ...['Exp', 'Relu', 'Sigmoid', 'Sign', 'Tanh', 'Sqrt'].map((op) =>
    call(op, [input('float16', [300_000], () => 0x3800 + Math.floor(1024 * random()))]),
  ),
  ...['Abs', 'Neg', 'Sign'].flatMap((op) =>
    ['int64', 'int32', 'int8'].map((type) => call(op, [input(type, [300_000])])),
  ),
  ...['Exp', 'Tanh', 'Sigmoid', 'Erf'].map((op) => call(op, [between(-100, 100, [1000, 1000])])),
  ...['IsNaN', 'IsInf'].map((op) => call(op, [f32(1000, 1000)])),
  call('Gelu', [f32(1000, 1000)], {}, { opset: 20 }),
  call('Gelu', [f32(1000, 1000)], { approximate: 'tanh' }, { opset: 20 }),
  call('Not', [input('bool', [1000, 1000])]),
  call('Clip', [f32(1000, 1000), number(-1), number(1)]),
  call('Clip', [f32(1000, 1000), input('float32', [], () => -1), input('float32', [], () => 1)]),
  ...['int64', 'int32', 'uint8'].map((type) => call('Clip', [input(type, [500_000]), int(10, type), int(20, type)])),
];

const forms = [
  [[4000], [4000]],
  [
    [1000, 1000],
    [1000, 1000],
  ],
  [[1000, 1000], []],
  [[], [1000, 1000]],
  [[1000, 1000], [1000]],
  [
    [1000, 1000],
    [1000, 1],
  ],
  [
    [1000, 1],
    [1, 1000],
  ],
  [
    [1, 64, 112, 112],
    [64, 1, 1],
  ],
  [[100_000, 8], [8]],
  [[300_000, 3], [3]],
  [
    [100_000, 8],
    [100_000, 1],
  ],
  [
    [50, 1, 100, 100],
    [50, 3, 1, 100],
  ],
];
/** Both numbers of a power that neither overflows nor is NaN. */
const powerMakers = {
  float64: random,
  float16: () => 0x3800 + Math.floor(1024 * random()),
  int64: () => 1 + Math.floor(4 * random()),
  int32: () => 1 + Math.floor(4 * random()),
};
const fromOne = () => Math.floor(20 * random()) + 1;
const binary = [
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'Equal', 'Less', 'Max'].flatMap((op) => [
    ...forms.map(([a, b]) => {
      const make = op === 'Pow' ? (dims) => between(0.2, 3.2, dims) : (dims) => f32(...dims);
      return call(op, [make(a), make(b)]);
    }),
    ...['float64', 'float16', 'int64', 'int32', 'uint8', 'int8'].flatMap((type) => {
      if (op === 'Pow' && type.endsWith('8')) return [];
      const value = op === 'Pow' ? powerMakers[type] : type.includes('float') ? undefined : fromOne;
      return [forms[1], forms[2], forms[4], forms[6]].map(([a, b]) =>
        call(op, [input(type, a, value), input(type, b, value)]),
      );
    }),
  ]),
  ...[2, 0.5, 3, -1, 1.5].map((exponent) => call('Pow', [between(0.2, 3.2, [1000, 1000]), number(exponent)])),
  call('Pow', [between(0.2, 3.2, [1000, 1000]), int(2)]),
  ...['int32', 'uint8', 'float32'].map((type) =>
    call('Mod', [input(type, [1000, 500], fromOne), input(type, [1000, 500], fromOne)], {
      fmod: type === 'float32' ? 1 : 0,
    }),
  ),
  ...['And', 'Or', 'Equal'].map((op) => call(op, [input('bool', [1000, 1000]), input('bool', [1000, 1000])])),
  ...['BitwiseAnd', 'BitwiseXor'].flatMap((op) =>
    ['int32', 'uint8'].map((type) => call(op, [input(type, [1000, 500]), input(type, [1000, 500])])),
  ),
  call('BitShift', [input('uint8', [500_000]), constant(input('uint8', [1], () => 3))], { direction: 'LEFT' }),
  ...['float32', 'int64', 'uint8'].flatMap((type) =>
    [
      [
        [1000, 500],
        [1000, 500],
        [1000, 500],
      ],
      [[1000, 500], [1000, 500], []],
      [[1000, 1], [1000, 500], [500]],
      [[1, 1, 128, 128], [8, 12, 128, 128], []],
    ].map(([condition, x, y]) => call('Where', [input('bool', condition), input(type, x), input(type, y)])),
  ),
  call('PRelu', [f32(1, 64, 56, 56), weight(64, 1, 1)]),
  call('Sum', [f32(1000, 500), f32(1000, 500), f32(500)]),
  call('Mean', [f32(1000, 500), f32(1000, 500), f32(500)]),
];

const typeIds = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, bool: 9, float16: 10, float64: 11 };
/** Numbers that each type has, where integers are cast. */
const numbersOf = (type) => (/^float(32|64)$/.test(type) ? between(0, 100, [500_000], type) : input(type, [500_000]));
const casts = Object.keys(typeIds).flatMap((from) =>
  Object.entries(typeIds).flatMap(([to, id]) => (from === to ? [] : [call('Cast', [numbersOf(from)], { to: id })])),
);

// ---- Reductions and sorting ----

const reduced = [
  [[1000, 1000], [1]],
  [[1000, 1000], [0]],
  [
    [1, 64, 112, 112],
    [2, 3],
  ],
  [[100, 100, 100], [1]],
  [[100_000, 8], [1]],
  [[8, 100_000], [0]],
  [[32, 197, 128], [1]],
  [[64, 64], [1]],
];
/** Elements whose reduction has the type's range. */
const reductionMakers = {
  LogSum: (type) => (type.startsWith('int') ? fromOne : () => random() + 0.1),
  Prod: (type) => (type.startsWith('int') ? () => 1 - 2 * Math.floor(2 * random()) : undefined),
};
/** Types besides float32. onnxruntime-web has bytes for two, and rounds exponentials of integers. */
function reducedTypes(name) {
  if (name === 'LogSumExp') return ['float64'];
  const types = ['float64', 'int32', 'int64'];
  return ['Max', 'Min'].includes(name) ? [...types, 'uint8', 'int8'] : types;
}
const reductions = [
  ...'L1 L2 LogSum LogSumExp Max Mean Min Prod Sum SumSquare'.split(' ').flatMap((name) => {
    const op = `Reduce${name}`;
    const make = name === 'LogSum' ? (dims) => between(0.2, 3, dims) : (dims) => f32(...dims);
    return [
      ...reduced.map(([dims, axes]) => call(op, [make(dims), ints(...axes)], { keepdims: 0 })),
      ...reducedTypes(name).flatMap((type) =>
        [1, 0].map((axis) =>
          call(op, [input(type, [500, 500], reductionMakers[name]?.(type)), ints(axis)], { keepdims: 0 }),
        ),
      ),
    ];
  }),
  ...['ArgMax', 'ArgMin'].flatMap((op) =>
    ['float32', 'float16', 'int32', 'uint8'].flatMap((type) =>
      [
        [[1000, 1000], 1],
        [[1000, 1000], 0],
        [[1, 21, 128, 128], 1],
        [[1, 50_257], 1],
      ].map(([dims, axis]) => call(op, [input(type, dims)], { axis, keepdims: 0 })),
    ),
  ),
  ...['Softmax', 'LogSoftmax'].flatMap((op) => [
    ...[
      [[1000, 1000], 1],
      [[100_000, 3], 1],
      [[100_000, 8], 1],
      [[12, 128, 128], 2],
      [[1, 21, 128, 128], 1],
      [[1, 1000], 1],
    ].map(([dims, axis]) => call(op, [f32(...dims)], { axis })),
    call(op, [input('float16', [500, 500])], { axis: 1 }),
  ]),
  ...[
    [[1, 8400], 300],
    [[1, 1000], 5],
    [[20_000, 21], 1],
    [[100, 1000], 10],
    [[1, 50_257], 50],
    [[100_000], 100_000],
  ].flatMap(([dims, k]) => [
    call('TopK', [f32(...dims), ints(k)], {}, { outputs: 2 }),
    call('TopK', [input('int64', dims), ints(k)], {}, { outputs: 2 }),
  ]),
  call('Unique', [input('int64', [100_000])], {}, { outputs: 4 }),
  call('Unique', [f32(100_000)], {}, { outputs: 4 }),
  call('NonZero', [input('bool', [1000, 1000])]),
  call('NonZero', [input('float32', [1000, 1000], () => Math.floor(2 * random()))]),
  ...[
    [[1000, 1000], 1],
    [[1000, 1000], 0],
    [[100_000, 8], 1],
    [[1, 10_000], 1],
  ].flatMap(([dims, axis]) => ['float32', 'int64'].map((type) => call('CumSum', [input(type, dims), int(axis)]))),
];

// ---- Movement ----

const movements = [
  ...['float32', 'uint8', 'int64'].flatMap((type) => {
    const x = (...dims) => input(type, dims);
    return [
      ...[
        [
          [1000, 1000],
          [1, 0],
        ],
        [
          [1, 224, 224, 3],
          [0, 3, 1, 2],
        ],
        [
          [1, 3, 224, 224],
          [0, 2, 3, 1],
        ],
        [
          [1, 64, 56, 56],
          [0, 2, 3, 1],
        ],
        [
          [1, 128, 12, 64],
          [0, 2, 1, 3],
        ],
        [
          [20, 30, 40, 50],
          [3, 2, 1, 0],
        ],
      ].map(([dims, perm]) => call('Transpose', [x(...dims)], { perm })),
      call('Concat', [x(1, 64, 56, 56), x(1, 64, 56, 56)], { axis: 1 }),
      call('Concat', [x(100_000, 2), x(100_000, 3)], { axis: 1 }),
      call('Split', [x(1000, 1000), ints(500, 500)], { axis: 1 }, { outputs: 2 }),
      call('Split', [x(100_000, 6), ints(2, 4)], { axis: 1 }, { outputs: 2 }),
      call('Slice', [x(1, 64, 112, 112), ints(1, 1), ints(111, 111), ints(2, 3)]),
      call('Slice', [x(1000, 1000), ints(0, 0), ints(1000, 1000), ints(0, 1), ints(2, 2)]),
      call('Slice', [x(1000, 1000), ints(-1), ints(-2000), ints(1), ints(-1)]),
      call('Gather', [constant(x(30_000, 384)), indices([1, 128], 30_000)]),
      call('Gather', [x(100_000, 3), ints(2, 0)], { axis: 1 }),
      call('Gather', [x(100_000), indices([100_000], 100_000)]),
      call('GatherElements', [x(1000, 1000), indices([1000, 500], 1000)], { axis: 1 }),
      call('GatherND', [x(1000, 1000), indices([100_000, 2], 1000)]),
      call('ScatterElements', [x(1000, 1000), indices([1000, 10], 1000), x(1000, 10)], { axis: 1 }),
      call('ScatterND', [x(1000, 100), indices([1000, 1], 1000), x(1000, 100)]),
      call('Pad', [x(1, 64, 56, 56), ints(0, 0, 1, 1, 0, 0, 1, 1)]),
      ...(type === 'float32'
        ? ['reflect', 'edge'].map((mode) => call('Pad', [x(1, 3, 224, 224), ints(0, 0, 3, 3, 0, 0, 3, 3)], { mode }))
        : []),
      call('Tile', [x(100, 100), ints(10, 10)]),
      call('Tile', [x(1000, 1), ints(1, 1000)]),
      call('Expand', [x(1000, 1), ints(1000, 1000)]),
      call('Expand', [x(1, 3, 1, 64), ints(8, 3, 64, 64)]),
      ...(type === 'int64'
        ? []
        : [
            call('DepthToSpace', [x(1, 64, 56, 56)], { blocksize: 2 }),
            call('DepthToSpace', [x(1, 256, 13, 13)], { blocksize: 2, mode: 'CRD' }),
            call('SpaceToDepth', [x(1, 64, 64, 64)], { blocksize: 2 }),
            call('SpaceToDepth', [x(1, 3, 640, 640)], { blocksize: 2 }),
          ]),
      ...(type === 'uint8' ? [] : [call('Trilu', [x(8, 128, 128)]), call('Trilu', [x(1000, 1000)], { upper: 0 })]),
    ];
  }),
  call('ReverseSequence', [f32(100, 8, 64), constant(input('int64', [8], (i) => 10 * i + 10))]),
  call('OneHot', [indices([10_000], 100), int(100), constant(input('float32', [2], (i) => i))]),
  call('Range', [input('int64', [], () => 0), input('int64', [], () => 100_000), input('int64', [], () => 1)]),
  call('EyeLike', [f32(500, 500)]),
  call('ConstantOfShape', [input('int64', [2], () => 1000)]),
];

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

/** By section: `op`, `inputs` (undefined for those left out), `attributes`, and `domain`, `opset` and `outputs` where not usual. */
export const callCases = { elementwise, binary, casts, reductions, movements, products, layers, quantisation, signals };
