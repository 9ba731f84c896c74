// Paths with dots, slashes and symbolic links: where the command reads and writes.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { bytes, integer } from '../../tools/models/writer.mjs';
import { model as built, copies, node, output, workspace } from './helpers.mjs';

/** A folder with `there/below`, `link` to `there/below`, and a file. */
function folders(t) {
  const space = workspace(t);
  mkdirSync(join(space.folder, 'there/below'), { recursive: true });
  symlinkSync('there/below', join(space.folder, 'link'));
  space.write('file', '');
  space.write('x.json', '[1, 2]');
  return space;
}

for (const [path, folder, left] of [
  ['a/./out', 'a/out', ['a']],
  ['./a//out/', 'a/out', ['a']],
  ['a/.', 'a', ['a']],
  ['a/', 'a', ['a']],
  ['.', '.', ['y.npy']],
  ['a/..', '.', ['y.npy']],
  ['a/../out', 'out', ['out']],
  ['a/b/../../out/.', 'out', ['out']],
  ['there/../out', 'out', ['out']],
  ['there/./new/../out', 'there/out', []],
  ['link', 'link', []],
  ['link/', 'link', []],
  ['link/out', 'there/below/out', []],
  ['link/../out', 'there/out', []],
  ['link/new/../../out', 'there/out', []],
])
  test(`--output-dir ${path} writes into ${folder}, and leaves no other folder behind`, (t) => {
    const { folder: root, write, prints } = folders(t);
    write('model.onnx', copies(['y']));
    const before = readdirSync(root);
    const text = prints('run', 'model.onnx', '-i', 'x=x.json', '-o', path);
    assert.ok(existsSync(join(root, folder, 'y.npy')), text);
    const shown = / -> (.*)\n/.exec(text)[1];
    assert.ok(existsSync(shown.startsWith('/') ? shown : join(root, shown)), text);
    assert.deepEqual(
      readdirSync(root)
        .filter((name) => !before.includes(name))
        .sort(),
      left,
    );
  });

test('an absolute --output-dir with dots is the folder without them', (t) => {
  const { folder, prints } = folders(t);
  const text = prints('op', 'Identity', '-i', 'input:int8=[1]', '-o', `${folder}/a/../b/./c/`);
  assert.equal(text, `output: int8 [1] -> ${folder}/b/c/output.npy\n`);
});

test('an --output-dir that is a file, or below one, is an error of one line', (t) => {
  const { broadloom } = folders(t);
  for (const [path, reason] of [
    ['file', 'there is a file of that name'],
    ['./file/.', 'there is a file of that name'],
    ['file/out', 'a part of the path is not a folder'],
  ]) {
    const { status, stderr } = broadloom('op', 'Identity', '-i', 'input:int8=[1]', '-o', path);
    assert.equal(status, 1);
    assert.match(stderr, new RegExp(`cannot make the folder '.*': ${reason}\n$`));
  }
});

/** A model whose output is two floats in a file beside it. */
const outside = built([
  node('Identity', ['w'], ['y']),
  bytes(5, [
    integer(1, 2),
    integer(2, 1),
    bytes(8, 'w'),
    bytes(13, [bytes(1, 'location'), bytes(2, 'w.bin')]),
    integer(14, 1),
  ]),
  output('y', 1, [2]),
]);

for (const path of ['link/../m.onnx', './there/./m.onnx', 'link/../below/../m.onnx'])
  test(`weights are found beside a model at ${path}`, (t) => {
    const { write, prints } = folders(t);
    write('there/m.onnx', outside);
    write('there/w.bin', Buffer.from(Float32Array.of(3, 4).buffer));
    assert.match(prints('run', path), /\[3\. 4\.\]/);
    prints('inspect', path);
    prints('simplify', path, 'link/../out.onnx');
    assert.match(prints('run', 'there/out.onnx'), /\[3\. 4\.\]/);
  });

test('a folder of tests may be named by a path with a link and dots', (t) => {
  const { write, json } = folders(t);
  write('there/tests/one/model.onnx', copies(['y']));
  const { passed, cases } = json('test', 'link/../tests');
  assert.equal(passed + cases.length, 1);
  assert.match(cases[0].case, /there.tests.one$/);
});
