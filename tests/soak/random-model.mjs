// Random models of exact arithmetic, with a function in JavaScript that computes the same on shadows.
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';
import * as onnx from '../../tools/models/writer.mjs';
import * as exact from './arithmetic.mjs';
import { at, countOf, randomShadow } from './values.mjs';

const columns = 3;
const operators = ['Add', 'Sub', 'Mul'];
const domain = 'own';

/** y = x * a + b, as a function of the file. */
const scaled = onnx.functionOf(domain, 'Scaled', {
  inputs: ['x', 'a', 'b'],
  outputs: ['y'],
  nodes: [
    ['Mul', '', ['x', 'a'], ['p']],
    ['Add', '', ['p', 'b'], ['y']],
  ],
  opset: 21,
});
const scale = (x, a, b) => exact.binary('Add', exact.binary('Mul', x, a), b);

/** The graph of a branch or a body that computes one binary operator of values from outside. */
function branch(graph, type, operator, a, b) {
  const inner = graph.inner();
  inner.output(inner.op(operator, [a, b]), type, undefined);
  return inner;
}

/**
 * Makes a random model. Its inputs are x [N, 3], a flag and an index. `values` has a function for each value that can be asked
 * for. It computes the shadow of the value from the shadows of the feeds.
 */
export function randomModel(random) {
  const type = random.from(['float32', 'int32']);
  const graph = new GraphBuilder(21);
  graph.input('x', type, ['N', columns]);
  graph.input('flag', 'bool', []);
  graph.input('index', 'int64', [1]);
  const values = [['x', (env) => env.x]];
  const files = {};
  const weights = [];
  const add = (name, compute) => values.push([name, compute]);
  const pick = () => random.from(values);

  const weight = () => {
    const dims = random.from([[columns], [1, columns], [], [1]]);
    const shadow = randomShadow(random, type, dims);
    const name = graph.name('w');
    weights.push([name, shadow]);
    if (random.oneIn(3)) {
      const location = `file${random.below(2)}`;
      const bytes = Buffer.from(shadow.items.buffer);
      const before = files[location] ?? Buffer.alloc(0);
      files[location] = Buffer.concat([before, bytes]);
      graph.add(onnx.externalInitializer(name, dims, type, { location, offset: before.length, length: bytes.length }));
    } else {
      graph.add(onnx.initializer(name, dims, shadow.items, type));
    }
    return [name, () => shadow];
  };

  const kinds = {
    binary() {
      const operator = random.from(operators);
      const [a, b] = [pick(), random.oneIn(2) ? weight() : pick()];
      add(graph.op(operator, [a[0], b[0]]), (env) => exact.binary(operator, a[1](env), b[1](env)));
    },
    unary() {
      const operator = random.from(['Neg', 'Abs', 'Identity']);
      const a = pick();
      add(graph.op(operator, [a[0]]), (env) => exact.unary(operator, a[1](env)));
    },
    call() {
      const [x, a, b] = [pick(), weight(), weight()];
      add(graph.op('Scaled', [x[0], a[0], b[0]], {}, 1, domain), (env) => scale(x[1](env), a[1](env), b[1](env)));
    },
    twice() {
      const a = pick();
      const name = graph.op('Transpose', [graph.op('Transpose', [a[0]], { perm: [1, 0] })], { perm: [1, 0] });
      add(name, a[1]);
    },
    reshaped() {
      const a = pick();
      const flat = graph.op('Reshape', [a[0], graph.ints([-1])]);
      add(graph.op('Reshape', [flat, graph.ints([-1, columns])]), a[1]);
    },
    choice() {
      const [a, b] = [pick(), weight()];
      const [yes, no] = [random.from(operators), random.from(operators)];
      const branches = {
        then_branch: branch(graph, type, yes, a[0], b[0]),
        else_branch: branch(graph, type, no, a[0], b[0]),
      };
      const name = graph.op('If', ['flag'], branches);
      add(name, (env) => exact.binary(env.flag.items[0] ? yes : no, a[1](env), b[1](env)));
    },
    loop() {
      const [a, b] = [pick(), weight()];
      const count = random.below(4);
      const body = graph.inner();
      const [i, condition, value] = ['i', 'c', 'v'].map((hint) => body.name(hint));
      body.input(i, 'int64', []);
      body.input(condition, 'bool', []);
      body.input(value, type, undefined);
      body.output(body.op('Identity', [condition]), 'bool', []);
      body.output(body.op('Add', [value, b[0]]), type, undefined);
      const name = graph.op('Loop', [graph.int(count), '', a[0]], { body });
      add(name, (env) => {
        let result = a[1](env);
        for (let k = 0; k < count; k++) result = exact.binary('Add', result, b[1](env));
        return result;
      });
    },
    /** One row: an index that is too large is an error in the middle of a run. */
    row() {
      const a = pick();
      const [row, x] = [graph.op('Gather', [a[0], 'index'], { axis: 0 }), pick()];
      add(graph.op('Add', [x[0], row]), (env) => {
        const rows = a[1](env);
        const index = Number(env.index.items[0]);
        const one = at(
          rows,
          [1, columns],
          Array.from({ length: columns }, (_, k) => ((index + rows.dims[0]) % rows.dims[0]) * columns + k),
        );
        return exact.binary('Add', x[1](env), one);
      });
    },
  };
  for (let count = random.between(2, 9); count > 0; count--) kinds[random.from(Object.keys(kinds))]();
  const outputs = random.shuffled(values.slice(1)).slice(0, random.between(1, 2));
  for (const [name] of outputs) graph.output(name, type, undefined);
  const file = new Uint8Array(graph.model('soak', { domains: [domain], functions: [scaled] }));
  return {
    type,
    file,
    files,
    weights,
    values: new Map(values),
    outputs: outputs.map(([name]) => name),
    external: (location) => (files[location] === undefined ? undefined : new Uint8Array(files[location])),
  };
}

/** Feeds of `rows` rows. */
export function randomFeeds(random, { type }, rows) {
  return {
    x: randomShadow(random, type, [rows, columns]),
    flag: randomShadow(random, 'bool', []),
    index: { type: 'int64', dims: [1], items: BigInt64Array.of(BigInt(random.between(-rows, rows - 1))) },
  };
}

export const fits = ({ dims, type }, model) =>
  type === model.type && countOf(dims) > 0 && countOf(dims) % columns === 0;

/** y = x * 2 + state, and the next state: state + x. */
export function stateModel(type) {
  const graph = new GraphBuilder(21);
  graph.input('x', type, ['N']);
  graph.input('state', type, ['N']);
  const two = graph.weight('two', [], [2], type);
  const y = graph.op('Add', [graph.op('Mul', ['x', two]), 'state'], {}, ['y']);
  graph.output(y, type, ['N']);
  graph.output(graph.op('Add', ['state', 'x'], {}, ['next']), type, ['N']);
  const twice = (x) => exact.elementwise(type, x.dims, [x, x], exact.arithmetic[type].add);
  return {
    file: new Uint8Array(graph.model('state')),
    step: (x, state) => ({ y: exact.binary('Add', twice(x), state), next: exact.binary('Add', state, x) }),
  };
}
