// Runs the examples of ONNX's documentation in every way that an operator can run.
import { expect, test } from '@jest/globals';
import { load, type Runtime, type Tensor } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { type Documented, documented, type Literal } from './helpers/documented.js';
import { wordsOf } from './helpers/reference.js';
import { expectWords } from './helpers/runtime.js';

const ops = await load({});

function protoAttribute(name: string, value: number | Literal): Uint8Array {
  if (typeof value === 'number') return proto.attribute.int(name, value);
  return proto.attribute.tensor(name, proto.tensor(value.type, value.dims, value.data));
}

function typedCall(runtime: Runtime, { operator, inputs, attributes }: Documented): Tensor {
  const given = inputs as never[];
  if (operator === 'Constant') return runtime.constant(attributes as never);
  if (operator === 'ConstantOfShape') return runtime.constantOfShape(given[0], attributes as never);
  if (operator === 'Shape') return runtime.shape(given[0], attributes as never);
  return runtime.expand(given[0], given[1]);
}

test.each(documented)("ONNX's example $operator $title holds in the operator's own method", (example) => {
  ops.scope(() => expectWords(typedCall(ops, example), wordsOf(example.output)));
});

test.each(documented)("ONNX's example $operator $title holds in run", ({ operator, inputs, attributes, output }) => {
  ops.scope(() => {
    const results = ops.run(operator, inputs as never[], attributes as never);
    expect(results).toHaveLength(1);
    expectWords(results[0], wordsOf(output));
  });
});

test.each(documented)(
  "ONNX's example $operator $title holds in a model",
  ({ operator, inputs, attributes, output }) => {
    const names = inputs.map((_, i) => `input${i}`);
    const model = ops.loadModel(
      proto.model({
        nodes: [
          {
            op: operator,
            inputs: names,
            outputs: ['result'],
            attributes: Object.entries(attributes).map(([name, value]) => protoAttribute(name, value)),
          },
        ],
        inputs: inputs.map(({ type, dims }, i) => proto.value(names[i], type, dims)),
        outputs: [proto.value('result', output.type, output.dims)],
      }),
    );
    const { result } = model.run(Object.fromEntries(inputs.map((input, i) => [names[i], input])) as never);
    expectWords(result, wordsOf(output));
    result.dispose();
    model.dispose();
  },
);
