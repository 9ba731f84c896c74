// simplify over a stub runtime whose report the test sets: every part of the table, and the files.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { root } from '../../tools/run.mjs';
import { someOf } from '../depth.mjs';
import { withoutProgress, workspace } from './helpers.mjs';
import { buildOver } from './stub.mjs';

const stub = `
import { readFileSync, writeFileSync } from 'node:fs';
import * as real from ${JSON.stringify(join(root, 'dist/inline.js'))};
export * from ${JSON.stringify(join(root, 'dist/inline.js'))};
const plain = (tensor) => ({ type: tensor.type, dims: tensor.dims, data: [...tensor.data].map(Number) });
const plainAll = (tensors) => Object.fromEntries(Object.entries(tensors).map(([name, value]) => [name, plain(value)]));
const own = (ops, name) => (typeof ops[name] === 'function' ? ops[name].bind(ops) : ops[name]);
export async function load(options) {
  const ops = await real.load(options);
  const simplify = async (blob, { external, values, verify, ...others } = {}) => {
    const { report, locations = [], error, ends } = JSON.parse(readFileSync('stub.json', 'utf8'));
    if (error) throw new real.OnnxError(...error);
    if (external) {
      const options = { ...others, ...(values && { values: plainAll(values) }), ...(verify && { feeds: plainAll(verify.feeds) }) };
      writeFileSync('options.json', JSON.stringify(options));
      for (const location of locations) {
        const found = await external(location);
        writeFileSync('external.json', JSON.stringify([location, found === undefined ? null : new TextDecoder().decode(found.read(0, found.size))]));
        if (found === undefined) throw new real.OnnxError('INVALID_ARGUMENT', 'there is not a file');
      }
    }
    if (ends === undefined) return { blob: new Blob(['new ', blob]), report };
    // One piece, and then an error or nothing.
    const start = (controller) => controller.enqueue(new Uint8Array(4));
    const pull = () => (ends === 'never' ? new Promise(() => setInterval(() => {}, 1000)) : Promise.reject(new DOMException('gone', ends)));
    return { blob: { size: 8, stream: () => new ReadableStream({ start, pull }, { highWaterMark: 0 }) }, report };
  };
  return new Proxy(ops, { get: (_, name) => (name === 'simplify' ? simplify : own(ops, name)) });
}`;
const program = await buildOver(stub, after);

const nothing = { nodes: 0, operators: {}, bytes: 0 };
const empty = {
  before: nothing,
  after: nothing,
  passes: [],
  dynamic: [],
  kept: [],
  warnings: [],
  files: [],
  inputs: [],
  outputs: [],
};

/** A folder with models/in.onnx, and the command in it over a stub runtime that returns `report`. */
function space(t, report = {}, others = {}) {
  const { folder, write } = workspace(t);
  write('models/in.onnx', 'old');
  write('stub.json', JSON.stringify({ report: { ...empty, ...report }, ...others }));
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  const broadloom = (...args) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'simplify', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stdout, stderr: withoutProgress(stderr) };
  };
  return { folder, write, read, broadloom, options: () => JSON.parse(read('options.json')) };
}

const paths = ['models/in.onnx', 'models/out.onnx'];
const input = (name, type, dims) => ({ name, type, dims });

test('the report is a table of all changes, with the flags that fix remaining dynamic sizes', (t) => {
  const dynamic = {
    from: 'input',
    value: 'x',
    operator: null,
    node: null,
    axis: 0,
    name: 'batch',
    nodes: 12,
    shapeNodes: 5,
    fix: { dims: { batch: null } },
  };
  const { broadloom } = space(t, {
    before: { nodes: 20, operators: { Shape: 5, Add: 3, If: 1, 'com.microsoft.Gelu': 11 }, bytes: 4000 },
    after: { nodes: 15, operators: { Add: 3, If: 1, 'com.microsoft.Gelu': 11 }, bytes: 5000 },
    passes: [
      { name: 'fold_constants', kind: 'fold', count: 4 },
      { name: 'eliminate_dead_code', kind: 'dead', count: 1 },
    ],
    dynamic: [
      dynamic,
      { ...dynamic, axis: 2, name: null, nodes: 1, shapeNodes: 0, fix: { shapes: { x: ['batch', 3, null] } } },
      { ...dynamic, value: 'a b', axis: null, name: null, fix: { shapes: { 'a b': null } } },
      { ...dynamic, value: 'sr', axis: null, name: null, fix: { values: { sr: null } } },
      { ...dynamic, from: 'operator', value: 'm', operator: 'NonZero', node: '', axis: 1, name: null, fix: null },
    ],
    kept: [
      { operator: 'If', node: 'choose', reason: 'its condition is known in a run alone', axis: null, fix: null },
      { operator: 'If', node: '7', reason: 'it follows from x', axis: 2, fix: { shapes: { x: [null, null, null] } } },
    ],
    inputs: [input('x', 'float32', ['batch', 3, null])],
    verified: { ran: true, equal: true, reason: null },
  });
  const { status, stdout, stderr } = broadloom(...paths);
  assert.deepEqual([status, stderr], [0, '']);
  assert.equal(
    stdout,
    `models/in.onnx -> models/out.onnx

         before  after
  nodes  20      15     -25.0 %
  bytes  4000    5000   +25.0 %

operators
         before  after
  Shape  5       0      -100.0 %
  and 3 operators with as many nodes as before

passes
  fold_constants       4  nodes computed
  eliminate_dead_code  1  nodes that nobody reads

still dynamic: what it comes from, what hangs on it, what fixes it
  input x, axis 0 (batch)  12 nodes, 5 of them for shapes alone  --dim batch=N
  input x, axis 2          1 node                                --shape 'x=?,?,N'
  input a b, rank          12 nodes, 5 of them for shapes alone  --shape 'a b=N,...'
  input sr, what it holds  12 nodes, 5 of them for shapes alone  --value sr=VALUE
  NonZero -> m, axis 1     12 nodes, 5 of them for shapes alone  no flag of its own

kept
  If choose  its condition is known in a run alone
  If 7       it follows from x; --shape 'x=?,?,N' fixes it

verified: the outputs are equal
`,
  );
});

test('--json prints the report of the library, with all warnings and the name of the file', (t) => {
  const report = {
    warnings: ['odd'],
    passes: [{ name: 'fold_constants', kind: 'fold', count: 1 }],
    inputs: [input('x', 'float32', ['n'])],
  };
  const { broadloom } = space(t, report, { locations: ['none.bin'] });
  const { status, stdout, stderr } = broadloom(...paths, '--json');
  assert.deepEqual([status, stderr], [0, '']);
  const { file, warnings, ...others } = JSON.parse(stdout);
  const { warnings: _, ...wanted } = { ...empty, ...report };
  assert.deepEqual([file, others, warnings[0], warnings.length], ['models/out.onnx', wanted, 'odd', 2]);
});

test('flags become options: sizes, shapes with names and ?, values of the declared types', (t) => {
  const inputs = [input('sr', 'int64', []), input('a=b', 'float16', [2]), input('x', 'float32', ['n'])];
  const { broadloom, options, write } = space(t, { inputs });
  write('x.json', '[1, 2.5]');
  const { status, stderr } = broadloom(
    ...paths,
    ...['--dim', 'batch=1', '--dim', 'a=b=0', '--dim=__proto__=2'],
    ...['--shape', 'x=1,h, w_2,?', '--shape', 'y:0=[2*N, 3]', '--shape', 's=[]', '--shape', 't = 7'],
    ...['--value', 'sr=16000', '--value', 'a=b=[1, 2]', '--value', 'k:int8=[[3]]'],
    ...['--output', 'p', '--output', 'q', '--max-growth', '0', '--unroll', '12', '--fuse-inexact', '--value-info'],
    ...['--trust-names', '--verify', 'x=x.json'],
  );
  assert.deepEqual([status, stderr], [0, '']);
  const { dims, ...others } = options();
  assert.deepEqual(Object.entries(dims), [
    ['batch', 1],
    ['a=b', 0],
    ['__proto__', 2],
  ]);
  assert.deepEqual(others, {
    shapes: { x: [1, 'h', 'w_2', null], 'y:0': ['2*N', 3], s: [], 't ': [7] },
    outputs: ['p', 'q'],
    maxGrowth: 0,
    unroll: 12,
    fuseInexact: true,
    valueInfo: true,
    trustNames: true,
    values: {
      sr: { type: 'int64', dims: [], data: [16000] },
      'a=b': { type: 'float16', dims: [2], data: [0x3c00, 0x4000] },
      k: { type: 'int8', dims: [1, 1], data: [3] },
    },
    feeds: { x: { type: 'float32', dims: [2], data: [1, 2.5] } },
  });
});

for (const [args, says] of someOf(
  [
    [['--dim', 'batch'], "--dim 'batch' has no name: write --dim batch=1"],
    [['--dim', 'batch=x'], "--dim 'batch=x': 'x' is not a size: write a whole number, such as --dim batch=1"],
    [['--dim', 'batch=-1'], "'-1' is not a size"],
    [['--dim', 'batch=1.5'], "'1.5' is not a size"],
    [['--dim', 'batch=99999999999999999999'], "'99999999999999999999' is not a size"],
    [['--dim', 'a=1', '--dim', 'a=1'], "--dim 'a' is given twice"],
    [['--shape', '1,3'], "--shape '1,3' has no name: write --shape x=1,3,h,w"],
    [['--shape', 'x='], "--shape 'x=': there are no sizes: write numbers, names and ?"],
    [['--shape', 'x=1,,3'], "--shape 'x=1,,3': '' is not a size"],
    [['--shape', 'x=1,-1'], "--shape 'x=1,-1': '-1' is not a size"],
    [['--shape', 'x=1.5'], "'1.5' is not a size"],
    [['--shape', 'x=1', '--shape', 'x=[1]'], "--shape 'x' is given twice"],
    [['--max-growth', '1MB'], "--max-growth is '1MB': write a whole number from 0"],
    [['--unroll', 'x'], "--unroll is 'x': write a whole number from 0"],
    [['--value', 'rs=1'], "the model declares no input 'rs' that must be given: did you mean 'sr'?"],
    [['--value', 'sr'], "--value 'sr' has no name"],
    [['--value', 'sr=["a"]'], '--value \'sr\': "a" is not an element of int64'],
    [['--value', 'sr=1', '--value', 'sr=2'], "--value 'sr' is given twice"],
    [['--verify', 'sr=x.txt'], "--verify 'sr': 'x.txt' is neither a file"],
  ],
  3,
))
  test(`a malformed flag is named, and nothing is written: ${args.join(' ')}`, (t) => {
    const { broadloom, folder } = space(t, { inputs: [input('sr', 'int64', [])] });
    const { status, stdout, stderr } = broadloom(...paths, ...args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.ok(stderr.includes(says), stderr);
    assert.deepEqual(readdirSync(join(folder, 'models')), ['in.onnx']);
  });

test('the result can replace its own model, also through a link, and keeps its mode', (t) => {
  const { folder, read, broadloom } = space(t);
  assert.equal(broadloom('models/in.onnx', 'models/in.onnx').status, 0);
  assert.equal(read('models/in.onnx'), 'new old');
  symlinkSync('in.onnx', join(folder, 'models/link.onnx'));
  spawnSync('chmod', ['600', join(folder, 'models/in.onnx')]);
  assert.equal(broadloom('models/in.onnx', 'models/link.onnx').status, 0);
  assert.equal(read('models/in.onnx'), 'new new old');
  assert.equal(statSync(join(folder, 'models/in.onnx')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(folder, 'models')), ['in.onnx', 'link.onnx']);
});

test('pipes and devices can be read and written', (t) => {
  const { folder, broadloom } = space(t);
  assert.equal(broadloom('models/in.onnx', '/dev/null').status, 0);
  assert.equal(statSync('/dev/null').isFile(), false);
  const command = `'${process.execPath}' '${program}' simplify /dev/stdin out.onnx < models/in.onnx && cat out.onnx`;
  const piped = spawnSync('sh', ['-c', `cat models/in.onnx | (${command.replace('< models/in.onnx ', '')})`], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.match(piped.stdout, /new old$/);
});

for (const [args, says] of someOf(
  [
    [['none.onnx', 'out.onnx'], "cannot read 'none.onnx': there is no such file\n"],
    [['models', 'out.onnx'], "cannot read 'models': it is a folder\n"],
    [['models/in.onnx', 'models'], "cannot write 'models': it is a folder\n"],
    [['models/in.onnx', 'none/out.onnx'], "cannot write 'none/out.onnx': there is no folder 'none'\n"],
    [['models/in.onnx', 'models/in.onnx/out'], 'a part of the path is not a folder\n'],
  ],
  3,
))
  test(`files that cannot be read or written are exit code 1 and one line: ${args.join(' ')}`, (t) => {
    const { status, stdout, stderr } = space(t).broadloom(...args);
    assert.deepEqual([status, stdout, stderr.split('\n').length], [1, '', 2]);
    assert.ok(stderr.endsWith(says), stderr);
  });

test('a full disk leaves only the old file', {
  skip: !statSync('/dev/full', { throwIfNoEntry: false }),
}, (t) => {
  const { status, stderr } = space(t).broadloom('models/in.onnx', '/dev/full');
  assert.deepEqual([status, stderr], [1, "broadloom simplify: cannot write '/dev/full': the disk is full\n"]);
});

test('a model that changes while it is read is an error, and no file is left', (t) => {
  const { folder, broadloom } = space(t, {}, { ends: 'NotReadableError' });
  const { status, stderr } = broadloom(...paths);
  const text = "broadloom simplify: cannot read 'models/in.onnx': it changed while it was read\n";
  assert.deepEqual([status, stderr], [1, text]);
  assert.deepEqual(readdirSync(join(folder, 'models')), ['in.onnx']);
});

for (const signal of ['SIGINT', 'SIGTERM'])
  test(`${signal} while the result is written leaves no partial file`, async (t) => {
    const { folder } = space(t, {}, { ends: 'never' });
    const child = spawn(process.execPath, [program, 'simplify', ...paths], { cwd: folder, stdio: 'ignore' });
    const files = () => readdirSync(join(folder, 'models')).join();
    while (!files().includes('.tmp')) await setTimeout(10);
    child.kill(signal);
    const [, ended] = await once(child, 'exit');
    assert.deepEqual([ended, files()], [signal, 'in.onnx']);
  });

test('the runtime gets files beside the model, and none from elsewhere', (t) => {
  for (const [location, isGiven] of [
    ['w/data.bin', true],
    ['../secret', false],
    ['/etc/hostname', false],
    ['link', false],
    ['none', false],
  ]) {
    const { folder, write, read, broadloom } = space(t, {}, { locations: [location] });
    write('secret', 'secret');
    write('models/w/data.bin', 'weights');
    symlinkSync('../secret', join(folder, 'models/link'));
    const { status, stderr } = broadloom(...paths);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(read('external.json')), [location, isGiven ? 'weights' : null]);
    if (isGiven) assert.equal(stderr, '');
    else assert.match(stderr, /^warning: .*external data .*\n$/);
  }
});

test('a result in another folder than its weights says which files to copy where', (t) => {
  const { write, broadloom } = space(t, { files: ['w.bin', 'more/v.bin'] });
  for (const path of ['others/x', 'models/w.bin', 'models/more/v.bin']) write(path, '');
  const { status, stderr } = broadloom('models/in.onnx', 'others/out.onnx');
  assert.equal(status, 0);
  assert.equal(
    stderr,
    "warning: the weights are in files that the result looks for in its own folder: copy 'w.bin', 'more/v.bin' from 'models' to 'others'\n",
  );
  assert.equal(broadloom('models/in.onnx', 'models/../models/out.onnx').stderr, '');
});

test('a result whose outputs differ is not written, and one that could not be run is, with a warning', (t) => {
  const differs = space(t, { verified: { ran: true, equal: false, reason: "output 'y' differs" } });
  const { status, stdout, stderr } = differs.broadloom(...paths);
  const text =
    "broadloom simplify: models/in.onnx: the outputs differ: output 'y' differs; 'models/out.onnx' is not written";
  assert.deepEqual([status, stdout, stderr], [1, '', `${text} (VERIFY)\n`]);
  assert.deepEqual(readdirSync(join(differs.folder, 'models')), ['in.onnx']);
  const open = space(t, { verified: { ran: false, equal: null, reason: 'Conv does not run here' } });
  const result = open.broadloom(...paths);
  assert.deepEqual([result.status, result.stderr], [0, 'warning: not verified: Conv does not run here\n']);
  assert.match(result.stdout, /\nverified: no, Conv does not run here\n$/);
});

test("an error of the library is printed with its code and the model's name", (t) => {
  const { broadloom } = space(t, {}, { error: ['INVALID_MODEL', 'byte 0: this is no ONNX'] });
  const { status, stderr } = broadloom(...paths);
  assert.deepEqual(
    [status, stderr],
    [1, 'broadloom simplify: models/in.onnx: byte 0: this is no ONNX (INVALID_MODEL)\n'],
  );
});
