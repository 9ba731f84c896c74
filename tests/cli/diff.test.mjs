// diff: reported differences, ignored ones, and exit codes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  bytes,
  graphAttribute,
  initializer,
  integersAttribute,
  tensor,
  tensorAttribute,
} from '../../tools/models/writer.mjs';
import { input, model, node, output, run, samples, workspace } from './helpers.mjs';

const x = input('x', 1, ['n', 3]);
const y = output('y', 1, ['n', 3]);
const chain = (...middle) => model([...middle, x, y]);
const plain = chain(node('Abs', ['x'], ['a']), node('Neg', ['a'], ['y']));

/** Writes two models, and returns the output of `diff`. */
function compare(t, a, b, ...args) {
  const { folder, write, broadloom } = workspace(t);
  write('a.onnx', a);
  write('b.onnx', b);
  return { folder, ...broadloom('diff', 'a.onnx', 'b.onnx', ...args) };
}

function documentOf(t, a, b, ...args) {
  const { status, stdout, stderr } = compare(t, a, b, '--json', ...args);
  assert.equal(stderr, '');
  const document = JSON.parse(stdout);
  assert.equal(status, document.equal ? 0 : 1);
  return document;
}

test('models of the same nodes do not differ, and the exit code is 0', (t) => {
  const { status, stdout, stderr } = compare(t, plain, plain);
  const text = 'a.onnx and b.onnx: 2 nodes, no difference\n';
  assert.deepEqual([status, stdout, stderr], [0, text, '']);
});

test('inputs, outputs, operators and nodes that differ are listed, and the exit code is 1', (t) => {
  const other = model([
    node('Abs', ['x'], ['a']),
    node('Relu', ['a'], ['b'], { name: 'act' }),
    node('Neg', ['b'], ['y']),
    input('x', 1, [1, 3]),
    input('s', 7, []),
    output('y', 1, [1, 3]),
  ]);
  const { status, stdout, stderr } = compare(t, plain, other);
  assert.deepEqual([status, stderr], [1, '']);
  assert.equal(
    stdout,
    `A  a.onnx  opset 21  2 nodes
B  b.onnx  opset 21  3 nodes

inputs
  + s  int64 []
  - x  float32 [n, 3]
  + x  float32 [1, 3]

outputs
  - y  float32 [n, 3]
  + y  float32 [1, 3]

operators
  Relu  0 -> 1

nodes: 1 equal, 1 changed, 0 only in A, 1 only in B
  + act: Relu(a) -> b
  - Neg(a) -> y
  + Neg(b) -> y
`,
  );
});

test('nodes are matched by their outputs, or else by their names', (t) => {
  const named = (output, name) =>
    chain(node('Abs', ['x'], [output], { name }), node('Neg', [output], ['y'], { name: 'last' }));
  const renamed = documentOf(t, named('a', 'first'), named('b', 'first'));
  assert.deepEqual(
    renamed.nodes.changed.map(({ a, b }) => [a.operator, a.outputs, b.outputs]),
    [
      ['Abs', ['a'], ['b']],
      ['Neg', ['y'], ['y']],
    ],
  );
  const { nodes } = documentOf(t, named('a', 'first'), named('b', 'other'));
  assert.deepEqual([nodes.onlyA[0].name, nodes.onlyB[0].name, nodes.changed.length], ['first', 'other', 1]);
  // Nodes are matched by outputs first, and the others by name.
  const swapped = documentOf(
    t,
    chain(node('Abs', ['x'], ['a'], { name: 'p' }), node('Abs', ['a'], ['y'], { name: 'q' })),
    chain(node('Abs', ['x'], ['a'], { name: 'q' }), node('Abs', ['a'], ['y'], { name: 'p' })),
  );
  assert.equal(swapped.equal, true);
});

test('two nodes of the same name are two nodes', (t) => {
  const twins = (...outputs) => outputs.map((name) => node('Abs', ['x'], [name], { name: 'twin' }));
  const { nodes } = documentOf(t, chain(...twins('a', 'b', 'y')), chain(...twins('c', 'y')));
  assert.deepEqual([nodes.equal, nodes.changed.length, nodes.onlyA.length, nodes.onlyB.length], [1, 1, 1, 0]);
});

test('nodes within branches are compared, and one that left its branch is the same node in another graph', (t) => {
  const branch = (operator, name) => [node(operator, ['x'], [name]), output(name, 1, ['n', 3])];
  const fields = (then) => [
    graphAttribute('then_branch', branch(then, 'kept')),
    graphAttribute('else_branch', branch('Neg', 'turned')),
  ];
  const choice = (then) => model([node('If', ['c'], ['y'], { fields: fields(then) }), input('c', 9, []), x, y]);
  const { nodes } = documentOf(t, choice('Abs'), choice('Relu'));
  assert.deepEqual(
    nodes.changed.map(({ a, b }) => [a.operator, b.operator, a.graph]),
    [['Abs', 'Relu', 'y.then_branch']],
  );
  const inlined = chain(node('Abs', ['x'], ['kept']), node('Identity', ['kept'], ['y']));
  const left = documentOf(t, choice('Abs'), inlined).nodes;
  const abs = left.changed.find(({ a }) => a.operator === 'Abs');
  assert.deepEqual([abs.a.graph, abs.b.graph], ['y.then_branch', '']);
  assert.deepEqual(
    left.onlyA.map(({ operator }) => operator),
    ['If', 'Neg'], // Identity gives the value of If, but holds no graphs
  );
});

test('opsets, warnings and the order of inputs differ', (t) => {
  const nodes = [node('Abs', ['x'], ['a']), node('Neg', ['a'], ['y'])];
  const two = (...inputs) => model([...nodes, ...inputs, y]);
  const s = input('s', 7, []);
  assert.deepEqual(documentOf(t, model([...nodes, x, y], 13), plain).opset, { a: 13, b: 21 });
  const { warnings, equal } = documentOf(t, plain, model([...nodes.toReversed(), x, y]));
  assert.deepEqual([equal, warnings.onlyA, warnings.onlyB.length], [false, [], 1]);
  const turned = documentOf(t, two(x, s), two(s, x));
  assert.deepEqual([turned.equal, turned.inputs.reordered, turned.outputs.reordered], [false, true, false]);
  assert.match(compare(t, two(x, s), two(s, x)).stdout, /\n\ninputs\n {2}those in both stand in another order\n/);
});

test('attributes are compared, and those that differ are shown', (t) => {
  const constant = (value) =>
    chain(
      node('Constant', [], ['c'], { fields: [tensorAttribute('value', tensor([1], [value]))] }),
      node('Add', ['x', 'c'], ['y']),
    );
  const { status, stdout } = compare(t, constant(1), constant(2));
  assert.equal(status, 1);
  assert.match(stdout, /\n {2}- Constant\(\) -> c \{value: float32 \[1\] \[1\]\}\n {2}\+ .*\[2\]\}\n/);
  const turned = (perm) => chain(node('Transpose', ['x'], ['y'], { fields: [integersAttribute('perm', perm)] }));
  const { nodes } = documentOf(t, turned([0, 1]), turned([1, 0]));
  assert.deepEqual(
    [nodes.changed[0].a.attributes, nodes.changed[0].b.attributes],
    [{ perm: '[0, 1]' }, { perm: '[1, 0]' }],
  );
  assert.equal(documentOf(t, turned([1, 0]), turned([1, 0])).equal, true);
});

test('weights are compared element by element, with how far they differ', (t) => {
  const weighted = (values, name = 'w') => chain(initializer(name, [3], values), node('Add', ['x', name], ['y']));
  const { status, stdout } = compare(t, weighted([1, 2, 4]), weighted([1, 2.5, 3]));
  assert.equal(status, 1);
  assert.match(
    stdout,
    /\nweights: 0 equal, 1 changed, 0 only in A, 0 only in B\n {2}- w {2}float32 \[3\] {2}sha256 [0-9a-f]{16}\n {2}\+ w .*\n {4}2 of 3 elements differ, by 1 at most \(0\.250 of the value\)\n/,
  );
  const { weights } = documentOf(t, weighted([1, 2, 4]), weighted([1, 2.5, 3]));
  assert.deepEqual(weights.changed[0].distance, { differing: 2, elements: 3, absolute: 1, relative: 0.25 });
  assert.equal(documentOf(t, weighted([1, 2, 4]), weighted([1, 2, 4])).weights.equal, 1);
  const renamed = documentOf(t, weighted([1, 2, 4]), weighted([1, 2, 4], 'v'));
  assert.deepEqual([renamed.weights.onlyA[0].name, renamed.weights.onlyB[0].name, renamed.equal], ['w', 'v', false]);
  const nothing = documentOf(t, weighted([1, 2, Number.NaN]), weighted([1, 2, 3])).weights.changed[0].distance;
  assert.deepEqual(nothing, { differing: 1, elements: 3, absolute: null, relative: null });
});

test("the file's words about the model are compared", (t) => {
  const written = (by) => Buffer.concat([plain, bytes(2, by)]);
  const { equal, metadata } = documentOf(t, written('one'), written('other'));
  assert.deepEqual([equal, metadata], [false, [{ key: 'producerName', a: 'one', b: 'other' }]]);
  assert.match(
    compare(t, plain, written('other')).stdout,
    /\nfile\n {2}- producerName: ".*"\n {2}\+ producerName: "other"\n/,
  );
});

test('all bytes are compared with --bytes', (t) => {
  const constant = (value) =>
    chain(
      node('Constant', [], ['c'], { fields: [tensorAttribute('value', tensor([1], [value]))] }),
      node('Add', ['x', 'c'], ['y']),
    );
  const { equal, bytes: counts } = documentOf(t, constant(1), constant(2), '--bytes');
  const { length } = constant(1);
  assert.deepEqual(
    [equal, counts.a, counts.b, counts.first > 0 && counts.first < length],
    [false, length, length, true],
  );
  assert.equal(documentOf(t, constant(1), constant(1), '--bytes').bytes.first, null);
  const longer = Buffer.concat([plain, bytes(6, 'words')]);
  assert.deepEqual(documentOf(t, plain, longer, '--bytes').bytes, {
    a: plain.length,
    b: longer.length,
    first: plain.length,
  });
  assert.match(
    compare(t, plain, longer, '--bytes').stdout,
    new RegExp(`\\nbytes differ from byte ${plain.length} on\\n`),
  );
  assert.match(compare(t, plain, plain, '--bytes').stdout, /no difference, byte for byte\n$/);
});

test('at most ten nodes of a kind are listed; --nodes lists all', (t) => {
  const many = (prefix) => {
    const names = Array.from({ length: 13 }, (_, i) => `${prefix}${i}`);
    return chain(...names.map((name) => node('Abs', ['x'], [name])), node('Neg', ['x'], ['y']));
  };
  const { stdout } = compare(t, many('a'), many('b'));
  assert.equal(stdout.match(/^ {2}- Abs/gm).length, 10);
  assert.equal(stdout.match(/^ {2}\.\.\. and 3 more: --nodes lists all$/gm).length, 2);
  assert.equal(compare(t, many('a'), many('b'), '--nodes').stdout.match(/^ {2}[-+] Abs/gm).length, 26);
});

test('models that cannot run and whose external data are missing are compared', (t) => {
  const { status, stdout } = workspace(t).broadloom(
    'diff',
    join(samples, 'unsupported-gelu.onnx'),
    join(samples, 'zeros-like.onnx'),
  );
  assert.equal(status, 1);
  assert.match(stdout, /\n {2}com\.microsoft\.BiasSplitGelu +1 -> 0\n/);
  const weight = bytes(5, [
    bytes(8, 'w'),
    Buffer.from([8, 2, 16, 1, 112, 1]), // dims, float32, external
    bytes(13, [bytes(1, 'location'), bytes(2, 'none.bin')]),
  ]);
  const outside = model([weight, node('Add', ['x', 'w'], ['y']), input('x', 1, [2]), output('y', 1, [2])]);
  assert.equal(compare(t, outside, outside).status, 0);
});

test('one of the models can come from standard input', (t) => {
  const { folder, write } = workspace(t);
  write('a.onnx', plain);
  const { status, stdout } = run(folder, ['diff', 'a.onnx', '-'], { input: plain });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^a\.onnx and standard input: 2 nodes, no difference/);
  assert.equal(run(folder, ['diff', '-', '-'], { input: plain }).status, 2);
});

test('models that cannot be compared are exit code 2, as is wrong usage', (t) => {
  const { write, broadloom } = workspace(t);
  write('a.onnx', plain);
  write('b.onnx', 'no model');
  const missing = broadloom('diff', 'a.onnx', 'none.onnx');
  assert.deepEqual(
    [missing.status, missing.stdout, missing.stderr],
    [2, '', "broadloom diff: cannot read 'none.onnx': there is no such file\n"],
  );
  const broken = broadloom('diff', 'a.onnx', 'b.onnx');
  assert.deepEqual([broken.status, broken.stdout], [2, '']);
  assert.match(broken.stderr, /^broadloom diff: b\.onnx: .*\(INVALID_MODEL\)\n$/);
});

test('a model of 5,000 nodes can be compared with one of other names', (t) => {
  const names = (prefix) => Array.from({ length: 5000 }, (_, i) => `${prefix}${i}`);
  const long = (prefix) =>
    chain(...names(prefix).map((name) => node('Abs', ['x'], [name], { name: 'same' })), node('Neg', ['x'], ['y']));
  const { nodes } = documentOf(t, long('a'), long('b'));
  assert.deepEqual([nodes.equal, nodes.changed.length, nodes.onlyA.length], [1, 5000, 0]);
});
