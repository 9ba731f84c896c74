// model.run(feeds, { outputs }): the values that are asked for, with what they need and no more.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type AnyTensor, load, type Model, type TensorLike } from 'broadloom';
import * as proto from '../../shared/onnx.js';
import { f32 } from './helpers/models.js';
import { counters, errorOf, expectRefusal } from './helpers/runtime.js';

const ops = await load({});
const { value } = proto;
type Feeds = { [name: string]: TensorLike };

/** Neg, Exp and Add are one chain when they run; `z` needs an input of its own. */
const branches: proto.ModelSpec = {
  nodes: [
    { op: 'Neg', inputs: ['x'], outputs: ['hidden'] },
    { op: 'Exp', inputs: ['hidden'], outputs: ['raised'] },
    { op: 'Add', inputs: ['raised', 'w'], outputs: ['y'] },
    { op: 'Mul', inputs: ['x', 'k'], outputs: ['product'] },
    { op: 'Abs', inputs: ['product'], outputs: ['z'] },
  ],
  inputs: [value('x', 'float32', ['n']), value('k', 'float32', [1])],
  outputs: [value('y', 'float32'), value('z', 'float32')],
  initializers: [proto.tensor('float32', [2], new Float32Array([10, 20]), 'w')],
};
const x = f32([2], 1, -2);
const k = f32([1], 3);

/** Calls `use` with the model, with and without what a model does beyond computing node by node; results must be the same. */
function both<R>(spec: proto.ModelSpec, use: (model: Model) => R): R {
  const [plain, optimized] = [false, true].map((optimize) =>
    ops.scope(() => {
      const model = ops.loadModel(proto.model(spec), { optimize });
      try {
        use(model);
        return use(model) as never; // by the plan of the first run
      } finally {
        model.dispose();
      }
    }),
  );
  expect(optimized).toEqual(plain);
  return optimized as R;
}
const told = (outputs: { [name: string]: AnyTensor }) =>
  Object.entries(outputs).map(([name, { type, dims, data }]) => [name, type, [...dims], [...data]]);

test('a run returns the values that it is asked for, in that order', () => {
  const found = both(branches, (model) => told(model.run({ x, k }, { outputs: ['z', 'y'] })));
  expect(found.map(([name]) => name)).toEqual(['z', 'y']);
  expect(found[0]).toEqual(['z', 'float32', [2], [3, 6]]);
});

test('values between nodes that are computed together can be asked for', () => {
  const found = both(branches, (model) => told(model.run({ x }, { outputs: ['raised', 'hidden'] })));
  expect(found[1]).toEqual(['hidden', 'float32', [2], [-1, 2]]);
  const both2 = both(branches, (model) => told(model.run({ x }, { outputs: ['y', 'raised'] })));
  expect(both2[1]).toEqual(found[0]);
});

test('inputs and initializers can be asked for, and an initializer needs no feed', () => {
  expect(both(branches, (model) => told(model.run({}, { outputs: ['w'] })))).toEqual([['w', 'float32', [2], [10, 20]]]);
  expect(both(branches, (model) => told(model.run({ k }, { outputs: ['k'] })))).toEqual([['k', 'float32', [1], [3]]]);
});

test('a name that is given twice is returned once', () => {
  expect(both(branches, (model) => told(model.run({ x }, { outputs: ['hidden', 'hidden'] })))).toHaveLength(1);
});

test('no options, and outputs that are undefined, give the outputs of the model', () => {
  expect(both(branches, (model) => Object.keys(model.run({ x, k }, {})))).toEqual(['y', 'z']);
  expect(both(branches, (model) => Object.keys(model.run({ x, k }, { outputs: undefined })))).toEqual(['y', 'z']);
});

test('a feed that is needed must be there, and one that is not needed must be right', () => {
  const model = ops.loadModel(proto.model(branches));
  const outputs = ['hidden'];
  const refuses = (feeds: Feeds, says: string) =>
    expectRefusal(ops, () => model.run(feeds, { outputs }), { code: 'INVALID_ARGUMENT', says: [says] });
  refuses({ k }, "input 'x' is missing");
  refuses({ x, k: { type: 'int32', dims: [1], data: [3] } }, "input 'k' is int32, wanted float32");
  refuses({ x, k: x }, "input 'k' has dims [2], wanted [1]");
  refuses({ x, q: x }, "no input 'q'");
  for (const { dispose } of Object.values(model.run({ x, k }, { outputs }))) expect(dispose).toBeInstanceOf(Function);
  model.dispose();
});

test('outputs that cannot be are refused, with advice', () => {
  const model = ops.loadModel(proto.model(branches));
  const refuses = (options: unknown, ...says: string[]) =>
    expectRefusal(ops, () => model.run({ x, k }, options as never), { code: 'INVALID_ARGUMENT', says });
  refuses({ outputs: ['y', 'hiden'] }, "no value 'hiden'", "did you mean 'hidden'?");
  refuses({ outputs: ['qqqqqqqq'] }, "no value 'qqqqqqqq'", 'the nodes of the model say which there are');
  refuses({ outputs: [] }, 'run: outputs is an empty list');
  refuses({ outputs: 'y' }, 'run: outputs is "y", wanted a list of names');
  refuses({ outputs: ['y', 7] }, 'run: outputs has 7, wanted names');
  refuses({ output: ['y'] }, "run: no option 'output'", "did you mean 'outputs'?");
  refuses(['y'], 'run: options are Array');
  model.dispose();
});

const external = proto.concat(
  proto.tensorHead('float32', [2], 'far'),
  proto.bytes(13, proto.concat(proto.bytes(1, 'location'), proto.bytes(2, 'weights.bin'))),
  proto.integer(14, 1),
);

test('a part of a model runs though the rest cannot, and though weights of the rest are in a file that was not given', () => {
  const spec: proto.ModelSpec = {
    nodes: [
      { op: 'Neg', inputs: ['x'], outputs: ['hidden'] },
      { op: 'Weave', domain: 'com.example', inputs: ['hidden'], outputs: ['woven'] },
      { op: 'Add', inputs: ['hidden', 'far'], outputs: ['sum'] },
    ],
    inputs: [value('x', 'float32')],
    outputs: [value('woven', 'float32'), value('sum', 'float32')],
    initializers: [external],
  };
  const model = ops.loadModel(proto.model(spec), { allowUnsupported: true });
  ops.scope(() => {
    expect([...(model.run({ x }, { outputs: ['hidden'] }).hidden as AnyTensor).data]).toEqual([-1, 2]);
  });
  expect(errorOf(() => model.run({ x }, { outputs: ['woven'] })).message).toContain("no operator 'Weave'");
  const text = "the external data of 'far', in file 'weights.bin', was not given";
  expect(model.nodes[2]?.unsupported).toContain(text);
  expect(errorOf(() => model.run({ x }, { outputs: ['sum'] })).message).toContain(text);
  model.dispose();
});

test('what a graph within a node reads is needed', () => {
  const branch = (op: string) =>
    proto.graph({ nodes: [{ op, inputs: ['hidden'], outputs: ['made'] }], outputs: [value('made', 'float32')] });
  const spec: proto.ModelSpec = {
    nodes: [
      { op: 'Neg', inputs: ['x'], outputs: ['hidden'] },
      {
        op: 'If',
        inputs: ['decision'],
        outputs: ['chosen'],
        attributes: [
          proto.attribute.graph('then_branch', branch('Exp')),
          proto.attribute.graph('else_branch', branch('Abs')),
        ],
      },
      { op: 'Sqrt', inputs: ['chosen'], outputs: ['root'] },
    ],
    inputs: [value('x', 'float32'), value('decision', 'bool', [])],
    outputs: [value('root', 'float32')],
  };
  const decision = { type: 'bool' as const, dims: [], data: [false] };
  const found = both(spec, (model) => told(model.run({ x, decision }, { outputs: ['chosen'] })));
  expect(found).toEqual([['chosen', 'float32', [2], [1, 2]]]);
  expect(both(spec, (model) => told(model.run({ x }, { outputs: ['hidden'] })))).toHaveLength(1);
});

test('a branch that gives weights from a file that was not given names both, and the other branch runs', () => {
  const give = (name: string) => proto.graph({ nodes: [], outputs: [value(name, 'float32')] });
  const spec: proto.ModelSpec = {
    nodes: [
      {
        op: 'If',
        inputs: ['decision'],
        outputs: ['chosen'],
        attributes: [
          proto.attribute.graph('then_branch', give('far')),
          proto.attribute.graph('else_branch', give('x')),
        ],
      },
      { op: 'Neg', inputs: ['chosen'], outputs: ['y'] },
    ],
    inputs: [value('x', 'float32'), value('decision', 'bool', [])],
    outputs: [value('y', 'float32')],
    initializers: [external],
  };
  const run = (model: Model, isTrue: boolean) =>
    model.run({ x, decision: { type: 'bool' as const, dims: [], data: [isTrue] } });
  const model = ops.loadModel(proto.model(spec), { allowUnsupported: true });
  ops.scope(() => expect([...(run(model, false).y as AnyTensor).data]).toEqual([-1, 2]));
  expect(errorOf(() => run(model, true)).message).toContain(
    "the external data of 'far', in file 'weights.bin', was not given",
  );
  model.dispose();
});

test('a profile counts the nodes that the outputs need', () => {
  const model = ops.loadModel(proto.model(branches));
  const calls = model.profile({ x }, { outputs: ['hidden'] }).map((row) => [row.operator, row.calls]);
  expect(calls).toEqual([['Neg', 1], ['Exp', 0], ['Add', 0], ['Mul', 0], ['Abs', 0]]); // biome-ignore format: one line
  model.dispose();
});

test('runs that ask for one value after another keep no memory', () => {
  const before = counters(ops);
  const model = ops.loadModel(proto.model(branches));
  const names = ['hidden', 'raised', 'y', 'product', 'z', 'x', 'w'];
  const wanted = new Map<string, unknown>();
  for (let round = 0; round < 4; round++) {
    for (const name of names) {
      ops.scope(() => {
        const found = [...(model.run({ x, k }, { outputs: [name] })[name] as AnyTensor).data];
        expect(found).toEqual(wanted.get(name) ?? found);
        wanted.set(name, found);
      });
    }
  }
  expect(wanted.get('z')).toEqual([3, 6]);
  model.dispose();
  expect(counters(ops)).toEqual(before);
});

const samples = join(import.meta.dirname, '../../web-demo/public/samples');

test.each(readdirSync(samples))('every value of %s can be asked for, and has the same bits with all others', (file) => {
  const bytes = readFileSync(join(samples, file));
  ops.scope(() => {
    const models = [false, true].map((optimize) => ops.loadModel(bytes, { optimize, allowUnsupported: true }));
    const [plain, optimized] = models as [Model, Model];
    const runs = plain.nodes.every(({ unsupported }) => unsupported === null);
    const names = plain.nodes.flatMap(({ outputs }) => outputs.map(({ name }) => name)).filter((name) => name !== '');
    const feeds = Object.fromEntries(
      plain.inputs.map(({ name, type, dims }) => {
        const sizes = (dims ?? [2]).map((size) => (typeof size === 'number' ? size : 2));
        const count = sizes.reduce((product, size) => product * size, 1);
        const list = Array.from({ length: count }, (_, i) =>
          type === 'bool' ? i % 2 === 0 : type === 'int64' ? 1n : 1,
        );
        return [name, ops.tensor(type ?? 'float32', list as never, sizes)];
      }),
    );
    if (runs) {
      let all: { [name: string]: AnyTensor } | undefined;
      try {
        all = plain.run(feeds, { outputs: names });
      } catch {
        expect(errorOf(() => plain.run(feeds)).code).toBe('INVALID_ARGUMENT'); // feeds that the sample does not take
      }
      for (const name of all === undefined ? [] : names)
        expect(told(optimized.run(feeds, { outputs: [name] }))).toEqual([
          [name, ...(told(all as never).find(([other]) => other === name) ?? []).slice(1)],
        ]);
    }
    for (const model of models) model.dispose();
  });
});
