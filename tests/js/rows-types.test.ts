// Every version of an operator accepts exactly the element types of its row. It computes an accepted type, or refuses it for
// its values.
import { expect, test } from '@jest/globals';
import { type DataType, load, OnnxError, type Tensor } from 'broadloom';
import { type Row, schemaRows } from './helpers/rows.js';
import { counters } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});
const names = types.map(({ name }) => name);

/** A tensor of one element, for any type. */
function one(type: DataType): Tensor {
  if (type === 'string') return ops.tensor(type, ['a'], [1]);
  if (type.startsWith('complex')) return ops.tensor(type as 'complex64', [1, 0], [1]);
  return ops.tensor(type as 'float32', [1], [1]);
}

const values: { [type: string]: unknown } = { INT: 1, INTS: [0], FLOAT: 1, FLOATS: [1], STRING: 'FLOAT' };

/** Calls a version with tensors of one element; the type variable `variable` is bound to `type`. */
function codeOf(
  { operator, since, inputs, attributes, typeConstraints }: Row,
  variable: string,
  type: DataType,
): string {
  const typeOf = (parameter: string): DataType =>
    parameter === variable ? type : (typeConstraints[parameter]?.[0] ?? (parameter as DataType));
  const isGiven = ({ type: name, option }: Row['inputs'][number]): boolean =>
    option !== 'Optional' || name === variable;
  const given = inputs
    .slice(0, inputs.findLastIndex(isGiven) + 1)
    .map((parameter) => (isGiven(parameter) ? one(typeOf(parameter.type)) : null));
  // If a scale is float8e8m0, dequantised elements need another type.
  const isToldType = (name: string): boolean => operator === 'DequantizeLinear' && name === 'output_dtype';
  const needed = attributes.filter(({ name, required }) => required || isToldType(name));
  try {
    ops.run(
      operator,
      given,
      Object.fromEntries(needed.map((it) => [it.name, it.choices?.[0] ?? values[it.type]])) as never,
      {
        opset: since,
      },
    );
    return 'computed';
  } catch (error) {
    if (!(error instanceof OnnxError)) throw error;
    return error.code;
  }
}

const cases = schemaRows.flatMap((row) =>
  [...new Set(row.inputs.map(({ type }) => type))]
    .filter((variable) => variable in row.typeConstraints)
    .map((variable) => ({ ...row, variable })),
);

test.each(cases)('$operator-$since takes for $variable the types of its row, and no others', (row) => {
  const before = counters(ops);
  const allowed = row.typeConstraints[row.variable];
  const found = names.filter((name) => ops.scope(() => codeOf(row, row.variable, name)) !== 'UNSUPPORTED_TYPE');
  expect(found.sort()).toEqual([...allowed].sort());
  expect(counters(ops)).toEqual(before);
});

// Operators that need other numbers than 1, more axes, one of two optional inputs, or lists of another length. 1 puts Dropout
// into training mode.
const picky =
  'AffineGrid Attention AveragePool Col2Im Concat Conv ConvInteger ConvTranspose CumProd CumSum DFT DeformConv DepthToSpace Det Dropout Einsum EyeLike GRU Gather GatherElements GatherND Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool GridSample GroupNormalization Hardmax InstanceNormalization LRN LSTM LogSoftmax LpPool MaxPool MaxRoiPool MaxUnpool MeanVarianceNormalization MelWeightMatrix OneHot Pad QLinearConv RNN Reshape Resize ReverseSequence RoiAlign RotaryEmbedding STFT Scatter ScatterElements ScatterND Slice Softmax SpaceToDepth Split Tile Trilu Upsample';

test('all operators except the picky ones compute a result for tensors whose only element is 1', () => {
  const never = cases.filter(
    (row) =>
      !row.typeConstraints[row.variable].some(
        (type) => ops.scope(() => codeOf(row, row.variable, type)) === 'computed',
      ),
  );
  expect([...new Set(never.map(({ operator }) => operator))].sort()).toEqual(picky.split(' '));
});
