// Every operator, version and element type, through models.
import { describe, expect, test } from '@jest/globals';
import { type DataType, load, type TensorLike } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { expand, fill, tensorLike, type Words, wordsOf } from './helpers/reference.js';
import { type Row, rows, testedConstraint } from './helpers/rows.js';
import { counters, expectRefusal, expectWords, sampleWords } from './helpers/runtime.js';
import { sampleDims, typeRow, types } from './helpers/types.js';

const ops = await load({});

const int64 = (...values: number[]): Words =>
  wordsOf({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });
const sample = (type: DataType): Uint8Array => proto.tensor(type, sampleDims, typeRow(type).sample);
const single = (type: DataType): Words => ({ type, dims: [], words: [sampleWords(type).words[1]] });

interface Graph {
  feedsData: boolean;
  attributes?(type: DataType): Uint8Array[];
  /** Values of a second or only int64 input. */
  shape?: number[];
  wanted(type: DataType): Words;
}

const graphs: { [operator: string]: Graph } = {
  Constant: {
    feedsData: false,
    attributes: (type) => [proto.attribute.tensor('value', sample(type))],
    wanted: sampleWords,
  },
  ConstantOfShape: {
    feedsData: false,
    attributes: (type) => {
      const { type: name, words } = single(type);
      const { data } = tensorLike({ type: name, dims: [], words });
      return [proto.attribute.tensor('value', proto.tensor(type, [], data as string[]))];
    },
    shape: [5, 1, 3],
    wanted: (type) => fill(single(type), [5, 1, 3]),
  },
  Shape: { feedsData: true, wanted: () => int64(2, 3) },
  Expand: { feedsData: true, shape: [2, 1, 3], wanted: (type) => expand(sampleWords(type), [2, 1, 3]) },
  Identity: { feedsData: true, wanted: sampleWords },
};

function modelOf(row: Row, type: DataType, opset: number): Uint8Array {
  const { feedsData, attributes, shape, wanted } = graphs[row.operator];
  return proto.model({
    opset,
    nodes: [
      {
        op: row.operator,
        name: 'tested',
        inputs: [...(feedsData ? ['data'] : []), ...(shape === undefined ? [] : ['shape'])],
        outputs: ['result'],
        attributes: attributes?.(type) ?? [],
      },
    ],
    inputs: feedsData ? [proto.value('data', type, [2, null])] : [],
    initializers: shape === undefined ? [] : [proto.tensor('int64', [shape.length], shape, 'shape')],
    outputs: [proto.value('result', wanted(type).type as DataType)],
  });
}

describe.each(rows)('$operator-$since in models', (row) => {
  const version = `${row.operator}-${row.since}`;
  const allowed = row.typeConstraints[testedConstraint(row)];
  for (const { name } of types) {
    if (allowed.includes(name)) {
      test(`a model with ${version} takes ${name} and gives the exact result`, () => {
        const before = counters(ops);
        for (const opset of row.opsets) {
          const model = ops.loadModel(modelOf(row, name, opset));
          const feeds: { [input: string]: TensorLike } = graphs[row.operator].feedsData
            ? { data: tensorLike(sampleWords(name)) }
            : {};
          const { result } = model.run(feeds);
          model.dispose();
          expectWords(result, graphs[row.operator].wanted(name));
          result.dispose();
        }
        expect(counters(ops)).toEqual(before);
      });
    } else if (row.operator === 'Constant') {
      test(`a model with ${version} takes ${name} all the same, with a warning`, () => {
        for (const opset of row.opsets) {
          using model = ops.loadModel(modelOf(row, name, opset));
          expect(model.warnings).toEqual([expect.stringContaining(`${version}: output 'output' cannot be ${name}`)]);
          expectWords(model.run().result, graphs.Constant.wanted(name));
        }
      });
    } else {
      test(`a model with ${version} refuses ${name} with UNSUPPORTED_TYPE`, () => {
        for (const opset of row.opsets) {
          expectRefusal(ops, () => ops.loadModel(modelOf(row, name, opset)), {
            code: 'UNSUPPORTED_TYPE',
            operator: row.operator,
            opset,
            node: 'tested',
            says: [`${version}: `, name],
          });
        }
      });
    }
  }
});
