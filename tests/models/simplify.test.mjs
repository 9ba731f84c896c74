// Counts the nodes that `simplify` leaves in real models and in generated ones, in the bytes of its results
// (tools/models/census.mjs). Also checks that damaged and hostile files only cause errors. tests/differential/simplify.test.mjs
// compares the results of models. BROADLOOM_SEED=n selects the damages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { census, operatorCounts } from '../../tools/models/census.mjs';
import { generatedModels } from '../../tools/models/generated.mjs';
import { float, GraphBuilder } from '../../tools/models/graph-builder.mjs';
import { headOf, initializersOf, outlineOf } from '../../tools/models/reader.mjs';
import { externalInitializer, functionOf } from '../../tools/models/writer.mjs';
import { seed, someOf } from '../depth.mjs';
import { Random } from '../differential/values.mjs';
import { models } from './simplify-cases.mjs';

const mebibyte = 2 ** 20;
const ops = await load();
console.log(`seed ${seed}`);

/** The bytes by which a file may grow. */
const mostGrowth = (file, given = Math.max(65_536, file.length / 4)) =>
  typeof given === 'number' ? given : (file.length * Number.parseFloat(given)) / 100;

/** The result as a Buffer, after the checks that every file must pass. */
function simplified(file, options = {}) {
  const before = ops.memory();
  const { bytes, report } = ops.simplify(file, options);
  assert.equal(ops.memory().bytesInUse, before.bytesInUse);
  const result = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  ops.loadModel(result, { allowUnsupported: true }).dispose();
  assert.ok(
    result.length <= file.length + mostGrowth(file, options.maxGrowth),
    `${file.length} bytes became ${result.length}`,
  );
  const summary = (one) => ({ nodes: census(one).nodes, operators: operatorCounts(one), bytes: one.length });
  assert.deepEqual(report.before, summary(file));
  assert.deepEqual(report.after, summary(result));
  return { result, report };
}

let turn = 0;
for (const { name, bytes, cases } of models) {
  for (const { title, options, none = [] } of cases) {
    const more = someOf([{}, { valueInfo: true }, { fuseInexact: true }], 3, turn++);
    test(`${name} with ${title} fixed has nothing left that is constant, dead${none.map((one) => ` or ${one}`).join('')}`, () => {
      const { result, report } = simplified(bytes(), options);
      const { constantFed, dead, constantNodes } = census(result);
      const left = Object.fromEntries(none.map((operator) => [operator, operatorCounts(result)[operator] ?? 0]));
      assert.deepEqual(
        { constantFed, dead, constantNodes, ...left },
        { constantFed: 0, dead: 0, constantNodes: 0, ...Object.fromEntries(none.map((operator) => [operator, 0])) },
      );
      // Each remaining If and Loop has a reason.
      const { ifs, loops } = census(result);
      assert.equal(report.kept.length, ifs + loops);
      if (census(result).shapes > 0) assert.notEqual(report.dynamic.length, 0);
    });

    test(`${name} with ${title} fixed keeps its names, its head and its weights`, () => {
      const file = bytes();
      const { result } = simplified(file, options);
      const [before, after] = [file, result].map(outlineOf);
      const isFixed = (input) => options.values?.[input] !== undefined;
      assert.deepEqual(
        after.inputs,
        before.inputs.filter((input) => !isFixed(input)),
      );
      assert.deepEqual(after.outputs, before.outputs);
      assert.deepEqual(headOf(result), headOf(file));
      const weights = initializersOf(file);
      for (const [weight, tensor] of initializersOf(result))
        if (weights.has(weight)) assert.deepEqual(tensor, weights.get(weight), weight);
    });

    test(`${name} with ${title} fixed is not changed by a second time`, () => {
      const { dims, shapes, values, ...again } = options;
      for (const extra of more) {
        const { result } = simplified(bytes(), { ...options, ...extra });
        assert.ok(simplified(result, { ...again, ...extra }).result.equals(result), JSON.stringify(extra));
      }
    });

    test(`${name} with ${title} fixed is the same from a Blob`, async () => {
      const file = bytes();
      const { blob, report } = await ops.simplify(new Blob([file]), options);
      const direct = ops.simplify(file, options);
      assert.ok(Buffer.from(await blob.arrayBuffer()).equals(Buffer.from(direct.bytes)));
      assert.deepEqual(report, direct.report);
    });
  }
}

test('an unknown size has a reason, and the option in its advice fixes it', () => {
  const file = generatedModels.bert({ layers: 2 });
  const { report } = simplified(file);
  const inputs = report.dynamic.filter(({ from }) => from === 'input');
  for (const { fix } of inputs) assert.match(Object.keys(fix).join(), /^(dims|shapes|values)$/);
  assert.deepEqual([...new Set(inputs.flatMap(({ name }) => name ?? []))].sort(), ['batch', 'sequence']);
  const { report: fixed } = simplified(file, { dims: { batch: 1, sequence: 4 } });
  assert.deepEqual(fixed.dynamic, []);
});

test('a size that only an operator determines has that operator as its reason', () => {
  const { report } = simplified(generatedModels.detector(), { dims: { batch: 1, height: 48, width: 64 } });
  const operators = report.dynamic.filter(({ from }) => from === 'operator').map(({ operator }) => operator);
  assert.ok(operators.includes('NonMaxSuppression'), JSON.stringify(report.dynamic));
  assert.deepEqual(
    report.dynamic.filter(({ from }) => from === 'input'),
    [],
  );
});

test('Loops with a known trip count are unrolled on request, and the others have a reason', () => {
  const options = { unroll: 8, values: { rounds: { type: 'int64', dims: [], data: BigInt64Array.of(2n) } } };
  const { result, report } = simplified(generatedModels.loops(), options);
  assert.ok(operatorCounts(result).Loop <= 1);
  for (const { reason } of report.kept) assert.match(reason, /trip count|condition/);
  const names = outlineOf(result).nodes.flatMap(({ name }) => (name === '' ? [] : [name]));
  assert.equal(new Set(names).size, names.length); // onnxruntime refuses a model in which two nodes have one name
  assert.equal(operatorCounts(simplified(generatedModels.loops(), { unroll: 2 }).result).Loop, 3);
});

test('a selected output keeps only the nodes that it needs', () => {
  const file = generatedModels.bert({ layers: 2 });
  const { result } = simplified(file, { outputs: ['pooler_output'] });
  assert.deepEqual(outlineOf(result).outputs, ['pooler_output']);
  assert.equal(census(result).dead, 0);
});

test('external data stays in its file, and is read if the caller provides it', () => {
  const g = new GraphBuilder(13);
  g.input('x', 'float32', ['n', 4]);
  const at = (name, dims, type, offset, length) => {
    g.add(externalInitializer(name, dims, type, { location: 'weights.bin', offset, length }));
    return name;
  };
  const weight = at('weight', [4, 4], 'float32', 0, 64);
  const shape = at('shape', [2], 'int64', 64, 16);
  const twice = g.op('Mul', [shape, g.int(1)]);
  g.output(g.op('Reshape', [g.op('MatMul', ['x', weight]), twice], {}, ['y']), 'float32', [null, null]);
  const file = g.model('external');
  const without = simplified(file);
  assert.deepEqual(initializersOf(without.result).get('weight'), initializersOf(file).get('weight'));
  assert.equal(operatorCounts(without.result).Mul, undefined); // a product with 1 needs no elements
  const data = Buffer.alloc(80);
  data.writeBigInt64LE(-1n, 64);
  data.writeBigInt64LE(2n, 72);
  const read = [];
  const external = (location) => {
    read.push(location);
    return data;
  };
  const { result } = simplified(file, { external });
  assert.deepEqual(initializersOf(result).get('weight'), initializersOf(file).get('weight'));
  assert.deepEqual([...new Set(read)], ['weights.bin']);
});

// Damaged and hostile files follow.

/** Expects a result that can be read, or an OnnxError. The heap must stay within bounds. */
function survives(file, options, runtime = ops) {
  let result;
  try {
    result = runtime.simplify(file, options).bytes;
  } catch (error) {
    assert.equal(error.name, 'OnnxError', error.stack);
    assert.ok(error.message.length > 0);
    return undefined;
  }
  runtime.loadModel(result, { allowUnsupported: true }).dispose();
  return result;
}

test('a damaged file gives a model that can be read, or an OnnxError', () => {
  const random = new Random(seed);
  const victims = Object.entries(generatedModels).map(([name, make]) => [
    name,
    make(name === 'bert' ? { layers: 1 } : undefined),
  ]);
  const options = [{}, { unroll: 4, valueInfo: true, fuseInexact: true }, { dims: { batch: 2 }, outputs: ['y'] }];
  const inUse = ops.memory().bytesInUse;
  const results = { models: 0, errors: 0 };
  for (let i = 0; i < 3000; i++) {
    const [name, whole] = random.pick(victims);
    const file = Buffer.from(whole);
    for (let k = random.integer(1, 3); k > 0; k--) {
      const at = random.integer(0, file.length - 1);
      file[at] = random.chance(0.5) ? random.integer(0, 255) : file[at] ^ (1 << random.integer(0, 7));
    }
    const cut = random.chance(0.1) ? file.subarray(0, random.integer(0, file.length)) : file;
    try {
      results[survives(cut, random.pick(options)) === undefined ? 'errors' : 'models']++;
    } catch (error) {
      error.message = `damage ${i} of ${name}: ${error.message}`;
      throw error;
    }
    assert.equal(ops.memory().bytesInUse, inUse, `damage ${i} of ${name}`);
  }
  assert.ok(results.models > 100 && results.errors > 100, JSON.stringify(results));
  assert.ok(ops.memory().heapBytes < 256 * mebibyte, `${ops.memory().heapBytes}`);
});

/** A model with an input x of [n, 4], from which `build` makes a value of the graph. */
function around(build, opset = 13, more = {}) {
  const g = new GraphBuilder(opset);
  g.input('x', 'float32', ['n', 4]);
  g.output(g.op('Identity', [build(g)], {}, ['y']), 'float32', undefined);
  return g.model('hostile', more);
}
const huge = 2n ** 62n;
const one = { value: { type: 'float32', dims: [1], data: [1] } };
const body = (g, step) => {
  const h = g.inner();
  const names = ['i', 'go', 's'].map((name) => h.name(name));
  h.input(names[0], 'int64', []);
  h.input(names[1], 'bool', []);
  h.input(names[2], 'float32', undefined);
  const next = step(h, names[2]);
  h.output(h.op('Identity', [names[1]]), 'bool', []);
  h.output(next, 'float32', undefined);
  return { body: h };
};
/** A Loop in a Loop in a Loop, each of 100 rounds. */
const nestedLoops = (g, state, depth) =>
  depth === 0
    ? g.op('Neg', [state])
    : g.op(
        'Loop',
        [g.int(100), g.constant('bool', [], [1]), state],
        body(g, (h, inner) => nestedLoops(h, inner, depth - 1)),
      );
const doubling = (levels) =>
  Array.from({ length: levels }, (_, i) =>
    functionOf('local', `f${i}`, {
      inputs: ['a'],
      outputs: ['b'],
      opset: 13,
      imports: ['local'],
      nodes:
        i === 0
          ? [['Neg', '', ['a'], ['b']]]
          : [
              [`f${i - 1}`, '', ['a'], ['t'], [], 'local'],
              [`f${i - 1}`, '', ['t'], ['b'], [], 'local'],
            ],
    }),
  );

const hostile = {
  'a ConstantOfShape of 2^62 elements': () => around((g) => g.op('ConstantOfShape', [g.ints([huge])], one)),
  'a ConstantOfShape of 2^29 elements, and its sum': () =>
    around((g) => g.op('ReduceSum', [g.op('ConstantOfShape', [g.ints([2 ** 29])], one)], { keepdims: 0 })),
  'a ConstantOfShape whose product overflows': () =>
    around((g) => g.op('ConstantOfShape', [g.ints([huge, huge, 4n])], one)),
  'an Expand to 2^40 elements': () => around((g) => g.op('Expand', [g.number(1), g.ints([2 ** 20, 2 ** 20])])),
  'a Tile of 2^40': () => around((g) => g.op('Tile', [g.constant('float32', [2], [1, 2]), g.ints([2 ** 40])])),
  'a Range of 2^60': () =>
    around((g) => g.op('Cast', [g.op('Range', [g.int(0), g.int(2n ** 60n), g.int(1)])], { to: 1 })),
  'a Pad of 2^61': () => around((g) => g.op('Pad', [g.constant('float32', [1], [1]), g.ints([0, 2n ** 61n])])),
  'a OneHot of depth 2^40': () =>
    around((g) => g.op('OneHot', [g.ints([1]), g.int(2 ** 40), g.constant('float32', [2], [0, 1])])),
  'an EyeLike of 2^16 squared': () =>
    around((g) => g.op('EyeLike', [g.op('ConstantOfShape', [g.ints([65536, 65536])], one)])),
  'constants that double sixty times': () =>
    around((g) => {
      let x = g.constant('float32', [2], [1, 2]);
      for (let i = 0; i < 60; i++) x = g.op('Concat', [x, x], { axis: 0 });
      return x;
    }),
  'strings that double forty times': () => {
    const g = new GraphBuilder(13);
    g.input('x', 'float32', ['n', 4]);
    let x = g.op('Cast', [g.constant('float32', [1000], Array(1000).fill(0.123))], { to: 8 });
    for (let i = 0; i < 40; i++) x = g.op('Concat', [x, x], { axis: 0 });
    g.output(g.op('Shape', [x], {}, ['y']), 'int64', undefined);
    return g.model('strings');
  },
  'sizes that square forty times': () =>
    around((g) => {
      let size = g.size('x', 0);
      for (let i = 0; i < 40; i++) size = g.op('Mul', [size, size]);
      return g.op('Expand', [g.number(1), g.unsqueeze(size, 0)]);
    }),
  'sizes that are added to products in thousands of terms': () =>
    around((g) => {
      const sizes = [g.size('x', 0)];
      for (let i = 0; i < 24; i++)
        sizes.push(g.op('Mul', [g.op('Add', [sizes.at(-1), g.int(i)]), g.op('Div', [sizes.at(-1), g.int(i + 2)])]));
      return g.op('Expand', [g.number(1), g.unsqueeze(sizes.at(-1), 0)]);
    }),
  'a Loop of 2^62 rounds over constants': () =>
    around((g) =>
      g.op(
        'Loop',
        [g.int(huge), g.constant('bool', [], [1]), g.number(1)],
        body(g, (h, s) => h.op('Mul', [s, s])),
      ),
    ),
  'a Loop without an end over constants': () =>
    around((g) =>
      g.op(
        'Loop',
        ['', g.constant('bool', [], [1]), g.number(1)],
        body(g, (h, s) => h.op('Mul', [s, s])),
      ),
    ),
  'a Loop of 2^62 rounds that do nothing': () =>
    around((g) => {
      const h = g.inner();
      const [i, go, s] = ['i', 'go', 's'].map((name) => h.name(name));
      h.input(i, 'int64', []);
      h.input(go, 'bool', []);
      h.input(s, 'float32', undefined);
      h.output(go, 'bool', []);
      h.output(s, 'float32', undefined);
      return g.op('Loop', [g.int(huge), g.constant('bool', [], [1]), g.number(1)], { body: h });
    }),
  'a Loop that gathers a mebibyte 2^40 times': () =>
    around((g) => {
      const h = g.inner();
      const [i, go] = ['i', 'go'].map((name) => h.name(name));
      h.input(i, 'int64', []);
      h.input(go, 'bool', []);
      h.output(go, 'bool', []);
      h.output(h.op('ConstantOfShape', [h.ints([2 ** 18])], one), 'float32', undefined);
      return g.op('Loop', [g.int(2n ** 40n), g.constant('bool', [], [1])], { body: h });
    }),
  'a hundred Loops without an end over constants': () =>
    around((g) => {
      const step = body(g, (h, s) => h.op('Mul', [s, s]));
      const ends = Array.from({ length: 100 }, () =>
        g.op('Loop', ['', g.constant('bool', [], [1]), g.number(1)], step),
      );
      return g.op('Sum', ends);
    }),
  'a Loop that doubles a constant': () =>
    around((g) =>
      g.op(
        'Loop',
        [g.int(100), g.constant('bool', [], [1]), g.constant('float32', [1], [1])],
        body(g, (h, s) => h.op('Concat', [s, s], { axis: 0 })),
      ),
    ),
  'five nested Loops of 100 rounds': () => around((g) => nestedLoops(g, 'x', 5)),
  'five nested Loops of 100 rounds over a constant': () => around((g) => nestedLoops(g, g.number(1), 5)),
  'functions that call each other twice, forty deep': () =>
    around((g) => g.op('f39', ['x'], {}, 1, 'local'), 13, { domains: ['local'], functions: doubling(40) }),
  'Ifs two hundred deep': () =>
    around((g) => {
      const nest = (h, depth) => {
        if (depth === 0) return h.op('Neg', ['x']);
        const graphs = [0, 1].map((i) => {
          const inner = h.inner();
          inner.output(i === 0 ? nest(inner, depth - 1) : inner.op('Abs', ['x']), 'float32', undefined);
          return inner;
        });
        return h.op('If', [h.constant('bool', [], [1])], { then_branch: graphs[0], else_branch: graphs[1] });
      };
      return nest(g, 200);
    }),
  'an input of 2^62 rows': () => {
    const g = new GraphBuilder(13);
    g.input('x', 'float32', [Number(huge), 4]);
    g.output(
      g.op('Expand', [g.number(1), g.op('Mul', [g.op('Shape', ['x']), g.ints([4])])], {}, ['y']),
      'float32',
      undefined,
    );
    return g.model('rows');
  },
  'a Conv of constants with a kernel of 2^31': () =>
    around((g) =>
      g.op('Conv', [g.constant('float32', [1, 1, 1], [1]), g.op('ConstantOfShape', [g.ints([1, 1, 2 ** 31])], one)], {
        pads: [2 ** 31, 2 ** 31],
      }),
    ),
  'a chain of 20,000 nodes': () =>
    around((g) => {
      let x = 'x';
      for (let i = 0; i < 20000; i++) x = g.op('Neg', [x]);
      return x;
    }),
  'a chain of 20,000 constants': () =>
    around((g) => {
      let x = g.number(1);
      for (let i = 0; i < 20000; i++) x = g.op('Neg', [x]);
      return x;
    }),
  '20,000 nodes that are all the same': () =>
    around((g) => {
      const all = Array.from({ length: 20000 }, () => g.op('Neg', ['x']));
      return g.op('Sum', all);
    }),
  'a Dropout with a random seed': () =>
    around((g) =>
      g.op('Dropout', [
        g.constant('float32', [2], [1, 2]),
        g.constant('float32', [], [0.5]),
        g.constant('bool', [], [1]),
      ]),
    ),
  'a Split of a constant into 10,000': () =>
    around((g) => g.op('Split', [g.op('ConstantOfShape', [g.ints([10000])], one)], { axis: 0 }, 10000)[0]),
  ...Object.fromEntries(
    [[], [1], [0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0, 1, 7]].map((pads) => [
      `a Conv behind a Pad of [${pads}]`,
      () => around((g) => g.op('Conv', [g.op('Pad', ['x', g.ints(pads)]), g.weight('w', [1, 1, 1], [1])])),
    ]),
  ),
  'a Conv with the largest pads behind a Pad of more': () =>
    around((g) => {
      const padded = g.op('Pad', ['x', g.ints([0, 0, 2n ** 62n, 0, 0, 2n ** 62n])]);
      return g.op('Conv', [padded, g.weight('w', [1, 1, 1], [1])], { pads: [2 ** 31, 2 ** 31 - 1] });
    }),
  'a Clip with its limits the wrong way round': () =>
    around((g) => g.op('LeakyRelu', ['x'], { alpha: float(Number.NaN) })),
};
const everything = { unroll: 2 ** 31 - 1, valueInfo: true, fuseInexact: true, dims: { n: 3 } };
for (const [name, make] of Object.entries(hostile)) {
  for (const [label, options] of [
    ['', {}],
    [' and every option', everything],
  ]) {
    test(`${name}${label} takes time and memory in proportion to the file`, { timeout: 60_000 }, async () => {
      const runtime = await load({});
      const file = make();
      const heap = runtime.memory().heapBytes;
      const result = survives(file, options, runtime);
      // Types and shapes that valueInfo requests may exceed the limit: some bytes for each node.
      const most = options.valueInfo ? 2 * mebibyte : mebibyte;
      if (result !== undefined) assert.ok(result.length <= file.length + most, `${result.length}`);
      const grown = runtime.memory().heapBytes - heap;
      assert.ok(grown < 64 * mebibyte + 20 * file.length, `the heap grew by ${grown}`);
    });
  }
}

test('a file does not grow by more than its limit', () => {
  const file = around((g) => {
    const parts = Array.from({ length: 50 }, (_, i) =>
      g.op('ConstantOfShape', [g.ints([1000])], { value: { type: 'float32', dims: [1], data: [i] } }),
    );
    return g.op('Add', [g.op('ReduceSum', ['x'], { keepdims: 0 }), g.op('Concat', parts, { axis: 0 })]);
  });
  for (const maxGrowth of [undefined, '100%', 0, 1000, 50_000, 300_000]) {
    const { result } = simplified(file, { maxGrowth });
    assert.equal(census(result).constantFed === 0, maxGrowth === 300_000);
  }
});

test('constants without elements are not merged with a zero', () => {
  const file = around((g) => {
    g.output(g.op('Identity', [g.weight('empty', [0], [], 'int64')], {}, ['none']), 'int64', [0]);
    return g.op('Cast', [g.op('Gather', [g.op('Shape', ['x']), g.int(0)], { axis: 0 })], { to: 1 });
  });
  const { result, report } = simplified(file);
  assert.equal(operatorCounts(result).Shape, 1);
  assert.deepEqual(report.outputs.find(({ name }) => name === 'y').dims, []);
});

test('random nodes are neither folded nor merged', () => {
  const file = around((g) => {
    const attributes = { shape: [4] };
    return g.op('Add', [g.op('RandomNormal', [], attributes), g.op('RandomNormal', [], attributes)]);
  });
  assert.equal(operatorCounts(simplified(file).result).RandomNormal, 2);
});
