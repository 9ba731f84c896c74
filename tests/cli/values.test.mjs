// Values in arguments and files, and the output of results.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from '../../dist/inline.js';
import { bytes, integer } from '../../tools/models/writer.mjs';
import { someOf } from '../depth.mjs';
import { copies, header, input, model, node, npy, output, run, workspace } from './helpers.mjs';

const ops = await load();

/** The tensor of an argument, as JSON. */
const identity = ({ json }, argument) => {
  const { outputs, error } = json('op', 'Identity', '-i', argument);
  if (error) throw new Error(error.message);
  const [{ type, dims, data }] = outputs;
  return [type, dims, data];
};

for (const [argument, type, dims, data] of someOf(
  [
    ['input:float32=[[1, 2.5], [-3e2, 0]]', 'float32', [2, 2], [1, 2.5, -300, 0]],
    ['input:float32=7', 'float32', [], [7]],
    ['input:float32=[NaN, -Infinity, "Infinity", -0.0]', 'float32', [4], ['NaN', '-Infinity', 'Infinity', '-0']],
    ['input:float32= [12345678901234567890]', 'float32', [1], [12345679395506094000]],
    [
      'input:int64=[9007199254740993, -9223372036854775808]',
      'int64',
      [2],
      ['9007199254740993', '-9223372036854775808'],
    ],
    ['input:uint64=18446744073709551615', 'uint64', [], ['18446744073709551615']],
    ['input:int8=[]', 'int8', [0], []],
    ['input:int8=[[], []]', 'int8', [2, 0], []],
    ['input:bool=[true, false, 1]', 'bool', [3], [1, 0, 1]],
    [
      'input:string=["a", "NaN", "12345678901234567890", "[", "=", "\\u00e9"]',
      'string',
      [6],
      ['a', 'NaN', '12345678901234567890', '[', '=', 'é'],
    ],
    ['input:string="x.npy"', 'string', [], ['x.npy']],
    ['input:complex64=[[1, -2], [0.5, 0]]', 'complex64', [2], [1, -2, 0.5, 0]],
    ['input:complex128=[1, 2]', 'complex128', [], [1, 2]],
    ['input:float16=[1.5, 65504]', 'float16', [2], [1.5, 65504]],
    ['input:bfloat16=[1.5]', 'bfloat16', [1], [1.5]],
    ['input:int4=[-8, 7, 1]', 'int4', [3], [-8, 7, 1]],
    ['input:float8e4m3fn=[448]', 'float8e4m3fn', [1], [448]],
    ['input={"type": "uint2", "dims": [3], "data": [0, 3, 1]}', 'uint2', [3], [0, 3, 1]],
    ['input={"type": "float64", "dims": [1], "data": [12345678901234567890]}', 'float64', [1], [12345678901234567000]],
    [
      'input={"type": "string", "dims": [1], "data": ["12345678901234567890"]}',
      'string',
      [1],
      ['12345678901234567890'],
    ],
  ],
  3,
))
  test(`${argument} is ${type} [${dims.join(', ')}]`, (t) => {
    assert.deepEqual(identity(workspace(t), argument), [type, dims, data]);
  });

for (const [inputs, type, data] of someOf(
  [
    [['A:float32=[1, 2]', 'B=2'], 'float32', [2, 4]],
    [['A=2', 'B:int8=[1, 2]'], 'int8', [2, 4]],
    [['B=[2]', 'A={"type": "float64", "dims": [2], "data": [1, 2]}'], 'float64', [2, 4]],
    [['A=output.npy', 'B=2'], 'float16', [2, 4]],
  ],
  3,
))
  test(`a list without a type has that of the other operand: ${inputs.join(' ')}`, (t) => {
    const { json, broadloom } = workspace(t);
    broadloom('op', 'Identity', '-i', 'input:float16=[1, 2]', '-o', '.');
    const args = inputs.flatMap((input) => ['-i', input]);
    const [product] = json('op', 'Mul', ...args).outputs;
    assert.deepEqual([product.type, product.data], [type, data]);
  });

test('a list has the type of operands of its own type parameter alone; as indices it is int64', (t) => {
  const { json, broadloom } = workspace(t);
  const [taken] = json('op', 'Gather', '-i', 'data:float32=[1, 2, 3]', '-i', 'indices:int32=[2]').outputs;
  assert.deepEqual([taken.type, taken.data], ['float32', [3]]);
  const sliced = json(
    'op',
    'Slice',
    '-i',
    'data:float32=[1, 2]',
    '-i',
    'starts=[1]',
    '-i',
    'ends=[9223372036854775807]',
  );
  assert.deepEqual(sliced.outputs[0].data, [2]);
  const { status, stderr } = broadloom('op', 'Pow', '-i', 'X:float32=[1, 2, 3]', '-i', 'Y=[2]');
  assert.equal(status, 2);
  assert.match(stderr, /input 'Y' of Pow can be of 12 types/);
});

for (const [argument, says] of someOf(
  [
    ['input:int64=[9223372036854775808]', 'int64 cannot hold'],
    ['input:int8=[1.5]', 'int8 cannot hold'],
    ['input:float32=["12"]', '"12" is not an element of float32'],
    ['input:float32=[1, -1e400]', 'a number is too large for float64: write Infinity'],
    ['input={"type": "float64", "dims": [1], "data": [1e400]}', 'a number is too large for float64: write Infinity'],
    ['input:float32=[{"a": 1}]', 'an object is not an element of float32'],
    ['input:complex64=[1, 2, 3]', 'an element of complex64 is a list of two numbers'],
    ['input:int8={"type": "int16", "dims": [1], "data": [1]}', 'is int16, not int8'],
    ['input:string=[12345678901234567890, NaN]', 'strings'],
  ],
  3,
))
  test(`${argument} is refused`, (t) => {
    assert.throws(
      () => identity(workspace(t), argument),
      (error) => error.message.includes(says) || !console.log(error),
    );
  });

test('lists for a model have its declared types, and names may contain : and =', (t) => {
  const { write, json } = workspace(t);
  const names = ['x:0', 'x:0=1', 'y:int8', 'z'];
  write(
    'model.onnx',
    model([
      ...names.map((name, i) => node('Identity', [name], [`out${i}`])),
      ...names.map((name, i) => input(name, [1, 2, 3, 8][i], ['n'])),
      ...names.map((_, i) => output(`out${i}`, [1, 2, 3, 8][i], ['n'])),
    ]),
  );
  const args = ['x:0=[1]', 'x:0=1:uint8=[2]', 'y:int8=[3]', 'z=["="]'].flatMap((text) => ['-i', text]);
  const { outputs } = json('run', 'model.onnx', ...args);
  assert.deepEqual(
    outputs.map(({ type, data }) => [type, data]),
    [
      ['float32', [1]],
      ['uint8', [2]],
      ['int8', [3]],
      ['string', ['=']],
    ],
  );
});

test('.json files may be the output of --json or Tensor.toJSON, or lists', (t) => {
  const space = workspace(t);
  space.write('a.json', JSON.stringify(ops.tensor('int64', [1n, 2n ** 60n], [2, 1])));
  space.write('b.JSON', '[[1, 2],\n [3, 4]]\n');
  assert.deepEqual(identity(space, 'input=a.json'), ['int64', [2, 1], [1, `${2n ** 60n}`]]);
  assert.deepEqual(identity(space, 'input:uint8=b.JSON'), ['uint8', [2, 2], [1, 2, 3, 4]]);
  assert.throws(() => identity(space, 'input=b.JSON'), /can be of 26 types/);
  space.write('c.json', 'no');
  const { status, stderr } = space.broadloom('op', 'Identity', '-i', 'input:int8=c.json');
  assert.deepEqual([status, stderr.split('\n').length], [1, 2]);
  assert.match(stderr, /c\.json: 'no' is not JSON/);
  space.write('d.json', Buffer.from([0xff]));
  assert.match(space.broadloom('op', 'Identity', '-i', 'input:int8=d.json').stderr, /cannot read 'd\.json'/);
});

test('hostile JSON takes time in proportion to its size', (t) => {
  const space = workspace(t);
  for (const [type, text, says] of [
    ['int8', `NaN[${'"a\\"'.repeat(1e6)}`, /is not JSON/],
    ['int8', `NaN[${'"'.repeat(1e6)}`, /is not JSON/],
    ['int8', `[NaN, "${'\\\\'.repeat(1e6)}`, /is not JSON/],
    ['int8', '['.repeat(1e6), /is not JSON/],
    ['int8', '['.repeat(3e5) + ']'.repeat(3e5), /nested deeper than 255/],
    ['int8', `[{"a":${'['.repeat(3e5)}${']'.repeat(3e5)}}]`, /an object is not an element of int8/],
    ['int8', `["${'a'.repeat(1e6)}"]`, /"a{79}\.\.\. is not an element of int8/],
    ['int64', `[${'9'.repeat(1e6)}]`, /int64 cannot hold/],
    ['string', `["1234567890123456", "${'a\\n'.repeat(1e6)}"]`, undefined],
  ]) {
    space.write('x.json', text);
    const { status, stderr } = space.broadloom('op', 'Identity', '-i', `input:${type}=x.json`);
    assert.equal(status, says === undefined ? 0 : 1, stderr);
    if (says) assert.match(stderr, says);
    assert.ok(stderr.length < 500);
  }
});

test('outputs are printed like Tensor.toString, in the order of the model', (t) => {
  const { write, prints } = workspace(t);
  write('model.onnx', copies(['b', 'a']));
  assert.equal(prints('run', 'model.onnx', '-i', 'x=[1, 2]'), 'b: float32 [2]\n[1. 2.]\na: float32 [2]\n[1. 2.]\n');
  const long = prints('op', 'ConstantOfShape', '-i', 'input=[3000, 1000]');
  assert.ok(long.length < 1000 && long.includes('...'));
});

test('--output-dir writes a file for each output, in each format, and prints their paths', (t) => {
  const space = workspace(t);
  space.write('model.onnx', copies(['y']));
  const file = (format) => {
    const args = ['run', 'model.onnx', '-i', 'x=[1, 2]', '-o', 'a/b', ...(format ? ['--format', format] : [])];
    assert.equal(space.prints(...args), `y: float32 [2] -> ${join('a/b', `y.${format ?? 'npy'}`)}\n`);
    assert.deepEqual(identity(space, `input:float32=a/b/y.${format ?? 'npy'}`), ['float32', [2], [1, 2]]);
    return readFileSync(join(space.folder, `a/b/y.${format ?? 'npy'}`));
  };
  assert.equal(file().length, 128 + 8);
  assert.deepEqual(new Uint8Array(file('pb')), ops.writeTensor(ops.tensor('float32', [1, 2], [2])));
  assert.deepEqual(JSON.parse(file('json')), { type: 'float32', dims: [2], data: [1, 2] });
  assert.deepEqual(space.json('run', 'model.onnx', '-i', 'x=[1, 2]', '--output-dir', 'a/b'), {
    outputs: [{ name: 'y', type: 'float32', dims: [2], file: 'a/b/y.npy' }],
  });
});

test('names of outputs become safe and unique file names in the folder', (t) => {
  const space = workspace(t);
  const names = [
    '../../evil',
    '..',
    '.',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'A',
    'a',
    'a_2',
    'CON',
    'nul.x',
    '-rf',
    '__proto__',
    'ß',
    'ss',
    'SS',
    'é',
    'e\u0301',
    '\0',
    ' ',
    'y'.repeat(5000),
    'Y'.repeat(5000),
    '模'.repeat(500),
    'x.npy',
    '.hidden',
    '\ud83e\uddf6'.repeat(90),
  ];
  space.write('model.onnx', copies(names));
  const { outputs } = space.json('run', 'model.onnx', '-i', 'x=[1]', '-o', 'out');
  assert.deepEqual(
    outputs.map(({ name }) => name),
    names,
  );
  const files = readdirSync(join(space.folder, 'out'));
  assert.equal(files.length, names.length);
  assert.deepEqual(readdirSync(space.folder).sort(), ['model.onnx', 'out']);
  assert.deepEqual(outputs.map(({ file }) => file.slice('out/'.length)).sort(), [...files].sort());
  assert.equal(new Set(files.map((file) => file.normalize('NFKC').toUpperCase().toLowerCase())).size, names.length);
  for (const file of files) {
    assert.match(file, /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}._-]*\.npy$/u);
    assert.ok(Buffer.byteLength(file) < 140 && !/^(con|nul)\b/i.test(file), file);
  }
});

test('types that NumPy lacks are refused before anything is written, with advice', (t) => {
  const space = workspace(t);
  for (const type of ['bfloat16', 'int4', 'float8e5m2', 'float4e2m1']) {
    const { status, stderr } = space.broadloom('op', 'Identity', '-i', `input:${type}=[1]`, '-o', type);
    assert.equal(status, 1);
    assert.match(
      stderr,
      new RegExp(`output 'output' is ${type}, which NumPy does not have: write it with --format pb or json`),
    );
    assert.ok(!existsSync(join(space.folder, type)));
    space.prints('op', 'Identity', '-i', `input:${type}=[1]`, '-o', type, '--format', 'pb');
    assert.deepEqual(identity(space, `input=${type}/output.pb`), [type, [1], [1]]);
  }
  const nul = space.broadloom('op', 'Identity', '-i', 'input:string=["a\\u0000"]', '-o', 'out');
  assert.match(nul.stderr, /a string that ends in NUL, which NumPy drops/);
});

test('no output replaces an input', (t) => {
  const space = workspace(t);
  space.write('x.npy', npy(header("'<f4'", '(1,)'), Buffer.from(Float32Array.of(5).buffer)));
  space.write('model.onnx', copies(['x.npy', 'x']));
  mkdirSync(join(space.folder, 'there'));
  symlinkSync('../x.npy', join(space.folder, 'there/x.npy'));
  for (const folder of ['.', 'there']) {
    const { status, stderr } = space.broadloom('op', 'Identity', '-i', 'input=x.npy', '-o', folder);
    assert.deepEqual([status, stderr], [0, '']);
    space.write('m.onnx', model([node('Identity', ['i'], ['x']), input('i', 1, ['n']), output('x', 1, ['n'])]));
    const refused = space.broadloom('run', 'm.onnx', '-i', 'i=x.npy', '-o', folder);
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /is an input: choose another --output-dir/);
  }
});

test('no output replaces weights of the model that lie in another file', (t) => {
  const { folder, write, broadloom } = workspace(t);
  const weights = Buffer.from(Float32Array.of(2, 3).buffer);
  write('y.npy', weights);
  const file = [bytes(13, [bytes(1, 'location'), bytes(2, 'y.npy')]), integer(14, 1)];
  const initializer = bytes(5, [integer(1, 2), integer(2, 1), bytes(8, 'w'), ...file]);
  write('model.onnx', model([initializer, node('Mul', ['x', 'w'], ['y']), input('x', 1, [2]), output('y', 1, [2])]));
  const { status, stderr } = broadloom('run', 'model.onnx', '-i', 'x=[1, 1]', '-o', '.');
  assert.deepEqual([status, stderr], [1, "broadloom run: 'y.npy' is an input: choose another --output-dir\n"]);
  for (const args of [[], ['--verify', 'x=[1, 1]']]) {
    const refused = broadloom('simplify', 'model.onnx', 'y.npy', ...args);
    const text = "broadloom simplify: cannot write 'y.npy': it holds weights of the model\n";
    assert.deepEqual([refused.status, refused.stderr], [1, text]);
  }
  assert.deepEqual(readFileSync(join(folder, 'y.npy')), weights);
});

test('the model - is read from standard input', (t) => {
  const { folder } = workspace(t);
  const { status, stdout } = run(folder, ['run', '-', '-i', 'x=[1]'], { input: copies(['y']) });
  assert.deepEqual([status, stdout], [0, 'y: float32 [1]\n[1.]\n']);
  assert.match(run(folder, ['run', '-'], { input: '' }).stderr, /standard input: .*\(INVALID_MODEL\)/);
});

test('a model may call an input __proto__', (t) => {
  const { write, prints } = workspace(t);
  write(
    'model.onnx',
    model([
      node('Identity', ['__proto__'], ['constructor']),
      input('__proto__', 1, ['n']),
      output('constructor', 1, ['n']),
    ]),
  );
  assert.equal(prints('run', 'model.onnx', '-i', '__proto__=[1]'), 'constructor: float32 [1]\n[1.]\n');
});

test('a large file takes memory of its own size: 200 MB in and out', (t) => {
  const { folder, prints } = workspace(t);
  const elements = Buffer.alloc(200_000_000, 1);
  writeFileSync(join(folder, 'x.npy'), npy(header("'<f4'", '(50000000,)').padEnd(117), elements));
  assert.equal(
    prints('op', 'Identity', '-i', 'input=x.npy', '-o', 'out'),
    'output: float32 [50000000] -> out/output.npy\n',
  );
  assert.equal(readFileSync(join(folder, 'out/output.npy')).length, 200_000_128);
});
