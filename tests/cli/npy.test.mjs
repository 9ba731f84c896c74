// .npy files: ones that NumPy wrote, ones that NumPy reads, and hostile ones.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { root } from '../../tools/run.mjs';
import { someOf } from '../depth.mjs';
import { header, input, model, node, npy, output, program, withoutProgress, workspace } from './helpers.mjs';

const source = readFileSync(join(root, 'tests/js/helpers/npy-fixtures.ts'), 'utf8');
const { code } = transformSync(source, { loader: 'ts' });
const { npyFixtures, foreignNpy } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

/** The output of op Identity for a file. */
function identity({ write, json }, file, ...args) {
  write('x.npy', file);
  return json('op', 'Identity', '-i', 'input=x.npy', ...args);
}

test('files that NumPy wrote are read: each dtype, byte order, memory order and version', (t) => {
  const space = workspace(t);
  assert.ok(npyFixtures.length > 15);
  for (const { title, type, dims, file } of someOf(npyFixtures, 3)) {
    const { outputs } = identity(space, Buffer.from(file, 'base64'));
    assert.deepEqual([outputs[0].type, outputs[0].dims], [type, dims], title);
    identity(space, Buffer.from(file, 'base64'), '-o', 'out');
    const again = space.json('op', 'Identity', '-i', 'input=out/output.npy');
    assert.deepEqual(again.outputs, outputs, title);
  }
});

test('dtypes that ONNX does not have are refused by name', (t) => {
  const space = workspace(t);
  for (const [descr, file] of foreignNpy) {
    const { error } = identity(space, Buffer.from(file, 'base64'));
    assert.equal(error.code, 'FILE');
    assert.match(error.message, /^x\.npy: the file's elements have dtype .*, which ONNX does not have$/);
    assert.ok(error.message.includes(descr.slice(0, 30)), error.message);
  }
});

const floats = (count) => Buffer.alloc(4 * count);
for (const [title, file, says] of someOf(
  [
    ['no bytes', Buffer.alloc(0), 'the file is not a .npy file'],
    ['the magic number alone', Buffer.from('\x93NUMPY', 'latin1'), 'version'],
    ['version 4', npy(header("'<f4'", '(1,)'), floats(1), 4), 'version 4.0'],
    [
      'a header that is cut',
      npy(header("'<f4'", '(1,)')).subarray(0, 30),
      'the file ends in its header, after 30 bytes',
    ],
    ['a header of 4 GiB', Buffer.from('\x93NUMPY\x02\0\xff\xff\xff\xff{', 'latin1'), 'the file ends in its header'],
    ['a header of 2 MiB', npy(`{'shape': (${'1,'.repeat(2 ** 20)})}`, floats(1), 2), 'cannot be read: 2'],
    ['no dict', npy('hello'), "the header of the file cannot be read: 'hello'"],
    ['a dict without shape', npy("{'descr': '<f4', 'fortran_order': False, }"), 'cannot be read'],
    ['a negative size', npy(header("'<f4'", '(-1,)')), 'cannot be read'],
    ['code in place of a shape', npy(header("'<f4'", '__import__("os")')), 'cannot be read'],
    [
      'too few elements',
      npy(header("'<f4'", '(3,)'), floats(2)),
      'the file ends after 8 bytes of elements; [3] of <f4 takes 12',
    ],
    ['sizes beyond the file', npy(header("'<f4'", '(1000000, 1000000)'), floats(2)), 'takes 4000000000000'],
    ['sizes beyond numbers', npy(header("'<f4'", `(${'9'.repeat(400)}, 0)`)), 'the file ends after 0 bytes'],
    ['sizes whose product wraps', npy(header("'|u1'", '(4294967296, 4294967296)')), 'the file ends after 0 bytes'],
    ['strings of no characters without end', npy(header("'<U0'", '(4000000000,)')), 'the file ends after 0 bytes'],
    ['strings of absurd length', npy(header("'<U99999999999999999999'", '(1,)')), 'the file ends after 0 bytes'],
    ['objects', npy(header("'|O'", '(1,)'), floats(2)), "dtype '|O', which ONNX does not have"],
    ['fields', npy(header("[('a', '<f4'), ('b', '<i4')]", '(1,)'), floats(2)), "dtype '[('a', '<f4'), ('b', '<i4')]'"],
    ['no code point', npy(header("'<U1'", '(1,)'), Buffer.from([0, 0, 0x11, 0])), 'not a Unicode code point'],
    [
      'no UTF-8',
      npy(header("'|S1'", '(1,)'), Buffer.from([0xff])),
      "the string at byte 0 of the file's elements is not UTF-8",
    ],
    [
      'booleans that are none',
      npy(header("'|b1'", '(1,)'), Buffer.from([2])),
      'element 0 is 2, which bool cannot hold',
    ],
    [
      '300,000 axes in the other memory order',
      npy(header("'|u1'", `(100, 400, ${'1,'.repeat(300_000)})`, 'True'), Buffer.alloc(40_000), 2),
      '255',
    ],
    ['300 axes', npy(header("'|u1'", `(${'1,'.repeat(300)})`), Buffer.from([1])), '255'],
  ],
  3,
))
  test(`a hostile file is refused quickly: ${title}`, (t) => {
    const { error } = identity(workspace(t), file);
    assert.ok(error.message.startsWith('x.npy: ') && error.message.includes(says), error.message);
    assert.ok(error.message.length < 300);
  });

test('many NULs within a string take time in proportion to them', (t) => {
  const text = Buffer.concat([Buffer.alloc(2_000_000), Buffer.from('a')]);
  assert.equal(identity(workspace(t), npy(header("'|S2000001'", '(1,)'), text)).outputs[0].data[0].length, 2_000_001);
});

test('headers of other writers are read: double quotes, another order, no spaces, extra bytes after the elements', (t) => {
  const elements = Buffer.concat([Buffer.from(Float32Array.of(1, 2).buffer), Buffer.from('more')]);
  const space = workspace(t);
  for (const text of [
    '{"shape": (2,), "fortran_order": False, "descr": "<f4"}',
    "{'descr':'<f4','fortran_order':True,'shape':(2,)}",
    "  { 'descr' : '=f4' , 'fortran_order' : False , 'shape' : (2L,) , }  ",
  ])
    assert.deepEqual(identity(space, npy(text, elements)).outputs[0].data, [1, 2], text);
});

const python = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import numpy'], { stdio: 'ignore' }).status === 0,
);

/** Arrays of all dtypes, orders and byte orders; saves them, or compares them with the command's outputs. */
const script = `
import json, sys, os, numpy as np
arrays = {}
for descr in ['?', 'i1', 'i2', 'i4', 'i8', 'u1', 'u2', 'u4', 'u8', 'f2', 'f4', 'f8', 'c8', 'c16']:
    for order in '<>':
        for layout in 'CF':
            a = np.arange(24).reshape(2, 3, 4).astype(order + descr if descr != '?' else descr) - (3 if descr[0] in 'ifc' else 0)
            arrays[f'{descr.replace("?", "b")}_{"le" if order == "<" else "be"}_{layout}'] = np.array(a if descr != '?' else a % 2 == 0, order=layout)
arrays['empty'] = np.zeros((3, 0, 2), 'f4')
arrays['scalar'] = np.array(2.5)
arrays['special'] = np.array([np.nan, np.inf, -np.inf, -0.0], 'f4')
arrays['unicode'] = np.array([['a', '\\u00e9\\u6a21'], ['\\U0001f9f6', '']])
arrays['unicode_be'] = arrays['unicode'].astype('>U5')
arrays['bytes'] = np.array([b'a', 'é'.encode(), b''])
for name, a in arrays.items():
    if sys.argv[1] == 'save': np.save(name + '.npy', a)
    else:
        b = np.load(os.path.join('out', name + '_out.npy'))
        wanted = np.char.decode(a, 'utf-8') if a.dtype.kind == 'S' else a
        assert b.dtype.kind == wanted.dtype.kind and b.shape == a.shape, (name, b.dtype, b.shape)
        assert a.dtype.kind in 'US' or b.dtype.itemsize == a.dtype.itemsize, (name, b.dtype)
        assert np.array_equal(b, wanted, equal_nan=a.dtype.kind == 'f'), (name, b)
        if a.dtype.kind == 'f': assert np.array_equal(np.signbit(b), np.signbit(a)), name
print(json.dumps([[name, a.dtype.kind + str(a.dtype.itemsize), a.shape] for name, a in arrays.items()]))
`;

/** The numbers of ONNX's types, by NumPy's kind and bytes. Texts of any length are strings. */
// biome-ignore format: a table
const onnxTypes = { b1: 9, i1: 3, i2: 5, i4: 6, i8: 7, u1: 2, u2: 4, u4: 12, u8: 13, f2: 10, f4: 1, f8: 11, c8: 14, c16: 15 };
const onnxType = (kind) => onnxTypes[kind] ?? 8;

test('arrays that NumPy saved come back equal through the command', {
  skip: !python && 'python3-numpy is not installed',
}, (t) => {
  const { folder, prints, write } = workspace(t);
  const numpy = (what) => {
    const { status, stdout, stderr } = spawnSync(python, ['-c', script, what], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  const arrays = numpy('save');
  assert.ok(arrays.length > 50);
  const copies = arrays.flatMap(([name, kind, dims]) => [
    node('Identity', [name], [`${name}_out`]),
    input(name, onnxType(kind), dims),
    output(`${name}_out`, onnxType(kind), dims),
  ]);
  write('copies.onnx', model(copies));
  const feeds = arrays.flatMap(([name]) => ['-i', `${name}=${name}.npy`]);
  prints('run', 'copies.onnx', ...feeds, '-o', 'out');
  numpy('compare');
});

test('where the disk is full, the file of an earlier result is as it was, and no part of a new one is left', (t) => {
  const { folder, broadloom } = workspace(t);
  const shape = (size) => ['op', 'ConstantOfShape', '-i', `input:int64=[${size}]`, '-o', 'out'];
  assert.equal(broadloom(...shape(2)).status, 0);
  const [file] = readdirSync(join(folder, 'out'));
  const before = readFileSync(join(folder, 'out', file));
  // A limit on the size of files stands for a full disk.
  const line = `ulimit -f 8; exec "$0" "$@"`;
  const args = ['-c', line, process.execPath, program, ...shape(1_000_000)];
  const { status, stderr } = spawnSync('bash', args, { cwd: folder, encoding: 'utf8' });
  assert.deepEqual(
    [status, withoutProgress(stderr)],
    [1, `broadloom op: cannot write '${join('out', file)}': files may not be so large here\n`],
  );
  assert.deepEqual(readdirSync(join(folder, 'out')), [file]);
  assert.deepEqual(readFileSync(join(folder, 'out', file)), before);
});
