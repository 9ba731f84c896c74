// The cases, as data. A case is
//   { name, group, operator, type, itemSize, inputDims, shape, outputDims, pattern, bytes, charted }
// where `shape` is the operator's input, `bytes` the size of the output, and `charted` says whether the chart has the case.
// Names contain the dims, so that `npm run bench -- --only='trailing float32'` finds the cases of a report.
import { elementTypes, sizeOf } from './element-types.mjs';
import { shapes } from './shapes.mjs';

export const KiB = 1024;
export const MiB = 1024 * KiB;

const list = (dims) => `[${dims.join(',')}]`;

function makeCase(group, pattern, type, inputDims, outputDims, shape = outputDims) {
  const operator = inputDims === undefined ? 'ConstantOfShape' : 'Expand';
  const { itemSize } = elementTypes[type];
  const what = group === 'table' ? operator : `${pattern} ${type}`;
  const name = `${what} ${inputDims === undefined ? '' : `${list(inputDims)} -> `}${list(outputDims)}`;
  return {
    name,
    group,
    operator,
    type,
    itemSize,
    inputDims,
    shape,
    outputDims,
    pattern,
    bytes: sizeOf(outputDims) * itemSize,
  };
}

/** The cases of the targets. The shape of the fourth is [2,1,6]. */
export const tableCases = [
  [undefined, [4, 3, 2]],
  [undefined, [1024, 1024]],
  [undefined, [4096, 4096]],
  [
    [3, 1],
    [2, 3, 6],
    [2, 1, 6],
  ],
  [
    [256, 1],
    [256, 256],
  ],
  [
    [1, 224, 224],
    [32, 224, 224],
  ],
  [
    [224, 224, 1],
    [224, 224, 3],
  ],
  [
    [1, 1, 3],
    [224, 224, 3],
  ],
  [
    [1, 8, 1, 64],
    [4, 8, 128, 64],
  ],
  [
    [4096, 1],
    [4096, 4096],
  ],
].map(([input, output, shape]) => makeCase('table', 'table', 'float32', input, output, shape));

const common = [
  ['fill', shapes.fill],
  ['leading', shapes.leading(3)],
  ['leading', shapes.leadingSquare],
  ['trailing', shapes.trailing(3)],
  ['trailing', shapes.trailing(4)],
  ['trailing', shapes.trailing(64)],
  ['middle', shapes.middle(8, 16)],
  ['interleaved', shapes.interleaved(4, 8, 16)],
];
const further = [
  ['middle', shapes.middle(3, 100)],
  ['interleaved', shapes.interleaved5(2, 3, 4, 5)],
  ['tiny axes', shapes.tinyAxes],
  ['odd', shapes.fillOdd],
  ['odd', shapes.leading(997)],
  ['odd', shapes.middle(7, 13)],
];
const moreTrailing = [2, 5, 7, 16, 17, 1000].map((m) => ['trailing', shapes.trailing(m)]);
const alternating = [['tiny axes', shapes.alternating]];

/** Repeats of items and of short blocks whose rows seldom fill vectors: images of one channel, columns of tables, equal rows. */
const repeats = [
  ['float32', [1, 333, 1], [5, 333, 7]],
  ['float32', [7, 1, 11, 1, 13], [7, 5, 11, 3, 13]],
  ['uint8', [640, 480, 1], [640, 480, 3]],
  ['uint8', [640, 480, 1], [640, 480, 4]],
  ['int16', [333, 1], [333, 777]],
  ['float64', [1000, 1], [1000, 2]],
  ['float32', [1, 4096], [4096, 4096]],
].map(([type, input, output]) => makeCase('family', 'repeats', type, input, output));

const smallest = [
  ['fill', undefined, [24]],
  ['leading', [1, 3], [8, 3]],
  ['trailing', [8, 1], [8, 3]],
  ['middle', [2, 1, 3], [2, 4, 3]],
  ['interleaved', [2, 1, 3, 1], [2, 2, 3, 2]],
  ['tiny axes', [1, 2, 1, 1, 1, 3, 1], [1, 2, 2, 1, 2, 3, 1]],
  ['odd', [1, 5], [5, 5]],
].map(([pattern, input, output]) => ({ ...makeCase('family', pattern, 'float32', input, output), charted: true }));

/** The cases of one type: every variant at every size. ONNX has no complex ConstantOfShape: there a fill is an Expand. */
function ofType(type, sizes, variants, charted = false) {
  const { itemSize, lanes } = elementTypes[type];
  return sizes.flatMap((bytes) =>
    variants.map(([pattern, dims]) => {
      const [input, output] = dims(bytes / itemSize);
      const asExpand = input === undefined && lanes > 1;
      return { ...makeCase('family', pattern, type, asExpand ? output.map(() => 1) : input, output), charted };
    }),
  );
}

export const familySizes = [4 * KiB, 64 * KiB, 256 * KiB, MiB, 4 * MiB, 16 * MiB, 64 * MiB];

// The chart has the variants that exist at every size, so that all points of a line are comparable.
export const familyCases = [
  ...smallest,
  ...repeats,
  ...ofType('float32', familySizes, [...common, ...further], true),
  ...ofType('float32', [64 * KiB, MiB, 16 * MiB], [...moreTrailing, ...alternating]),
  ...['uint8', 'int16', 'float64', 'complex128'].flatMap((type) => [
    ...ofType(type, [64 * KiB, MiB, 16 * MiB], [...common, ...further.slice(0, 4)]),
    ...ofType(type, [MiB], moreTrailing),
  ]),
  ...['float16', 'bfloat16'].flatMap((type) => ofType(type, [MiB], common.slice(0, 4))),
];

/** Whether the peers run a case of the family: float32 in four sizes, the other types in one. */
export function peersRun({ group, type, bytes }) {
  if (group === 'table') return true;
  const near = (size) => bytes >= size && bytes < size * 1.2;
  if (type !== 'float32') return near(MiB);
  return bytes < KiB || [64 * KiB, MiB, 16 * MiB].some(near);
}

/** Whether a case is one of the few that --quick runs. */
export function quick({ group, type, bytes }) {
  if (group === 'table') return true;
  return bytes < KiB || (type === 'float32' ? bytes >= MiB && bytes < 1.2 * MiB : bytes < 80 * KiB);
}
