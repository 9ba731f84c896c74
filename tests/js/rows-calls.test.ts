// Every operator, version and element type, through calls.
import { describe, expect, test } from '@jest/globals';
import { type DataType, load, type Tensor } from 'broadloom';
import { expand, fill, type Words, wordsOf } from './helpers/reference.js';
import { type Row, rows, testedConstraint } from './helpers/rows.js';
import { errorOf, expectRefusal, expectWords, sampleTensor, sampleWords } from './helpers/runtime.js';
import { types } from './helpers/types.js';

const ops = await load({});

interface Call {
  run(type: DataType, opset: number): Tensor[];
  wanted(type: DataType): Words;
}

const int64 = (...values: number[]): Words =>
  wordsOf({ type: 'int64', dims: [values.length], data: BigInt64Array.from(values, BigInt) });
/** The second element of the sample, which is not zero. */
const oneElement = (type: DataType): Words => ({ type, dims: [1], words: [sampleWords(type).words[1]] });

function scalar(type: DataType): Tensor {
  // Every type has a value for 1. Strings and complex numbers need a different form.
  if (type === 'string') return ops.tensor(type, ['a'], [1]);
  if (type.startsWith('complex')) return ops.tensor(type as 'complex64', [1, -1], [1]);
  return ops.tensor(type as 'float32', [1], [1]);
}

const calls: { [operator: string]: Call } = {
  Constant: {
    run: (type, opset) => ops.run('Constant', [], { value: sampleTensor(ops, type) }, { opset }),
    wanted: sampleWords,
  },
  ConstantOfShape: {
    run: (type, opset) => ops.run('ConstantOfShape', [[3, 1, 3]], { value: scalar(type) }, { opset }),
    wanted: (type) => fill(wordsOf(scalar(type)), [3, 1, 3]),
  },
  Shape: {
    run: (type, opset) => ops.run('Shape', [sampleTensor(ops, type)], {}, { opset }),
    wanted: () => int64(2, 3),
  },
  Expand: {
    run: (type, opset) => ops.run('Expand', [sampleTensor(ops, type), [2, 2, 1]], {}, { opset }),
    wanted: (type) => expand(sampleWords(type), [2, 2, 1]),
  },
  Identity: {
    run: (type, opset) => ops.run('Identity', [sampleTensor(ops, type)], {}, { opset }),
    wanted: sampleWords,
  },
};

function allowed(row: Row, type: DataType): boolean {
  return row.typeConstraints[testedConstraint(row)].includes(type);
}

describe.each(rows)('$operator-$since', (row) => {
  const version = `${row.operator}-${row.since}`;
  const { run, wanted } = calls[row.operator];
  for (const { name } of types) {
    if (allowed(row, name)) {
      test(`${version} takes ${name} and gives the exact result`, () => {
        for (const opset of row.opsets) {
          ops.scope(() => {
            const results = run(name, opset);
            expect(results).toHaveLength(1);
            expectWords(results[0], wanted(name));
          });
        }
      });
    } else {
      test(`${version} refuses ${name} with UNSUPPORTED_TYPE`, () => {
        for (const opset of row.opsets) {
          ops.scope(() => {
            expectRefusal(ops, refused(row, name, opset), {
              code: 'UNSUPPORTED_TYPE',
              operator: row.operator,
              opset,
              says: [`${version}: `, name],
            });
          });
        }
      });
    }
  }

  test(`${version}'s refusals name the version that would allow the type, or say that none does`, () => {
    const wrong = types
      .filter(({ name }) => !allowed(row, name))
      .flatMap(({ name }) => {
        const later = rows.find((other) => other.operator === row.operator && allowed(other, name));
        const hint =
          later === undefined
            ? `no version of ${row.operator} allows it`
            : `${row.operator}-${later.since} (opset ${later.since}) allows it`;
        const { message } = ops.scope(() => errorOf(refused(row, name, row.since)));
        return message.includes(hint) ? [] : [`wanted "${hint}" in: ${message}`];
      });
    expect(wrong).toEqual([]);
  });
});

/** A call that is refused. Makes its tensors now, so that counters see only the call. */
function refused({ operator }: Row, type: DataType, opset: number): () => unknown {
  const tensor = operator === 'ConstantOfShape' ? scalar(type) : sampleTensor(ops, type);
  if (operator === 'Constant') return () => ops.run(operator, [], { value: tensor }, { opset });
  if (operator === 'ConstantOfShape') return () => ops.run(operator, [[2]], { value: tensor }, { opset });
  return () => ops.run(operator, operator === 'Expand' ? [tensor, [2, 3]] : [tensor], {}, { opset });
}

test('an opset above the newest known one uses the newest versions, in calls and in models', () => {
  const x = sampleTensor(ops, 'int2');
  for (const opset of [29, 2 ** 31, 2 ** 53 - 1]) {
    const [dims] = ops.run('Shape', [x], { start: 1 }, { opset });
    const model = ops.loadModel(ops.nodeModel('Shape', [x], { start: 1 }, { opset })['model.onnx']);
    expect([...dims.data]).toEqual([BigInt(x.dims[1])]);
    expect([model.opset, model.nodes[0].version]).toEqual([opset, 25]);
    model.dispose();
    dims.dispose();
  }
  x.dispose();
});

test('the one element of ConstantOfShape keeps its bits, NaN payloads and -0 included', () => {
  for (const name of ['float32', 'float16', 'bfloat16', 'float64', 'float8e4m3fn', 'float8e5m2'] as const) {
    for (const word of sampleWords(name).words) {
      ops.scope(() => {
        const value = { ...oneElement(name), words: [word] };
        const tensor = ops.readTensor(ops.writeTensor(ops.constantOfShape([5], { value: like(value) })));
        expectWords(tensor, fill(value, [5]));
      });
    }
  }
});

function like(words: Words) {
  return ops.scope(() => {
    const all = sampleTensor(ops, words.type as DataType);
    const position = sampleWords(words.type as DataType).words.indexOf(words.words[0]);
    const data = (all.data as Uint16Array).slice(position, position + 1);
    return { type: words.type, dims: [1], data } as never;
  });
}
