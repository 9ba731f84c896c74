// The command over a stub runtime with warnings, subgraphs and external data.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { copies, withoutProgress, workspace } from './helpers.mjs';
import { buildOver } from './stub.mjs';

const stub = `
import * as real from ${JSON.stringify(join(root, 'dist/inline.js'))};
export * from ${JSON.stringify(join(root, 'dist/inline.js'))};
const own = (ops, name) => (typeof ops[name] === 'function' ? ops[name].bind(ops) : ops[name]);
export async function load(options) {
  const ops = await real.load(options);
  const loadModel = (bytes, { external, ...others }) => {
    const end = bytes.lastIndexOf(10);
    if (external) external(new TextDecoder().decode(bytes.subarray(end + 1)));
    const model = ops.loadModel(bytes.subarray(0, end), others);
    const { opset, inputs, outputs, metadata, initializers } = model;
    const [first, ...rest] = model.nodes;
    const inner = { ...first, name: 'inner', operator: 'Odd', version: null, unsupported: 'no \\u001b Odd' };
    const nodes = [{ ...first, graphs: { then_branch: [{ ...inner, graphs: { body: rest } }] } }, ...rest];
    const run = (feeds) => model.run(feeds);
    return { opset, inputs, outputs, metadata, initializers, nodes, warnings: ['nodes out of \\u001b order'], run, dispose() { model.dispose(); } };
  };
  return new Proxy(ops, {
    get: (_, name) => (name === 'loadModel' ? loadModel : own(ops, name)),
  });
}`;

const program = await buildOver(stub, after);

/** A folder with a model whose external data is at `location`. */
function space(t, location = 'data') {
  const { folder: cwd, write } = workspace(t);
  write('secret', 'secret');
  write('models/data', 'data');
  write('models/model.onnx', Buffer.concat([copies(['y', 'z']), Buffer.from(`\n${location}`)]));
  const broadloom = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, encoding: 'utf8' });
    return { status, stdout, stderr: withoutProgress(stderr) };
  };
  return { cwd, broadloom };
}

test('run prints warnings on standard error, or in the document', (t) => {
  const { broadloom } = space(t);
  const run = ['run', 'models/model.onnx', '-i', 'x=[1]'];
  assert.deepEqual(broadloom(...run), {
    status: 0,
    stdout: 'y: float32 [1]\n[1.]\nz: float32 [1]\n[1.]\n',
    stderr: 'warning: nodes out of \\u001b order\n',
  });
  const { stdout, stderr } = broadloom(...run, '--json');
  assert.deepEqual([JSON.parse(stdout).warnings, stderr], [['nodes out of \u001b order'], '']);
});

test('inspect shows warnings, counts the nodes of inner graphs, and indents them', (t) => {
  const { stdout, stderr } = space(t).broadloom('inspect', 'models/model.onnx', '--nodes');
  assert.equal(stderr, '');
  assert.ok(stdout.includes('opset 21, 4 nodes, cannot run'), stdout);
  assert.ok(stdout.includes('\n\nwarnings\n  nodes out of \\u001b order\n'), stdout);
  assert.ok(
    stdout.endsWith(`nodes
  #0: Identity-21(x) -> y float32 [n]
    then_branch:
      #0 inner: Odd(x) -> y float32 [n]  cannot run: no \\u001b Odd
        body:
          #0: Identity-21(x) -> z float32 [n]
  #1: Identity-21(x) -> z float32 [n]
`),
    stdout,
  );
});

for (const location of [
  '../secret',
  'deep/../../secret',
  '/etc/passwd',
  '',
  '.',
  'link',
  'none',
  'data/x',
  '..\\secret',
])
  test(`external data at '${location}' is not read, and inspect still shows the graph`, (t) => {
    const { cwd, broadloom } = space(t, location);
    symlinkSync('../secret', join(cwd, 'models/link'));
    const { status, stdout, stderr } = broadloom('run', 'models/model.onnx', '-i', 'x=[1]');
    assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2]);
    assert.match(stderr, /external data/);
    const shown = broadloom('inspect', 'models/model.onnx');
    assert.equal(shown.status, 0, shown.stderr);
    assert.match(
      shown.stdout,
      /\nmissing files\n {2}.* {2}attributes of nodes {2}.*external data.*\n\nwarnings\n {2}nodes/,
    );
  });
