// Calls of single operators in the types and shapes that models have, as data. onnxruntime-web runs them all.
import { between, call, constant, f32, indices, input, int, ints, number, random, weight } from './call-inputs.mjs';
import { layerCalls } from './call-layers.mjs';
import { elementTypes } from './element-types.mjs';

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

const castTypes = ['float32', 'uint8', 'int8', 'int32', 'int64', 'bool', 'float16', 'float64'];
/** Numbers that each type has, where integers are cast. */
const numbersOf = (type) => (/^float(32|64)$/.test(type) ? between(0, 100, [500_000], type) : input(type, [500_000]));
const casts = castTypes.flatMap((from) =>
  castTypes.flatMap((to) => (from === to ? [] : [call('Cast', [numbersOf(from)], { to: elementTypes[to].id })])),
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

/** By section: `op`, `inputs` (undefined for those left out), `attributes`, and `domain`, `opset`, `outputs` and `tolerance` where not usual. */
export const callCases = { elementwise, binary, casts, reductions, movements, ...layerCalls };
