// Weights far from the start of a file that is larger than 2 or 4 GiB, in every way in which models get files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openAsBlob,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { filesBeside } from '../../dist/node.js';
import { InferenceSession, Tensor } from '../../dist/onnxruntime-node.js';
import * as onnx from '../../tools/models/writer.mjs';
import { errorOf, one, ops, remoteRuntime } from './helpers.mjs';

const folder = mkdtempSync(join(tmpdir(), 'broadloom-far-'));
after(() => rmSync(folder, { recursive: true }));
const remote = await remoteRuntime();

/** A sparse file with two tensors from byte `offset` on, and a model that adds them to its input. */
function write(name, offset, { ends = offset + 16 } = {}) {
  const file = openSync(join(folder, `${name}.bin`), 'w');
  ftruncateSync(file, ends);
  if (ends >= offset + 16) writeSync(file, new Uint8Array(Float32Array.of(1, 2, 10, 20).buffer), 0, 16, offset);
  closeSync(file);
  const part = (value, at) =>
    onnx.externalInitializer(value, [2], 'float32', { location: `${name}.bin`, offset: at, length: 8 });
  const graph = [
    part('v', offset),
    part('w', offset + 8),
    onnx.node('Add', 'weights', ['v', 'w'], ['u']),
    onnx.node('Add', 'sum', ['u', 'x'], ['y']),
    onnx.input('x', 'float32', [2]),
    onnx.output('y', 'float32', [2]),
  ];
  const bytes = new Uint8Array(onnx.model(name, graph));
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, bytes);
  return { path, bytes, weights: join(folder, `${name}.bin`) };
}

const x = one(1, 1);
const wanted = [12, 23];
const program = fileURLToPath(new URL('../../dist/cli/broadloom.js', import.meta.url));

for (const [size, offset] of [
  ['2 GiB', 3e9],
  ['4 GiB', 4.3e9],
  ['9 GiB', 9.7e9],
]) {
  const { path, bytes, weights } = write(`behind-${size[0]}`, offset);
  const external = filesBeside(path);

  test(`loadModel and simplify read weights behind ${size}, and nothing else`, async () => {
    const read = [];
    const watched = (location) => {
      const { size: all, read: part } = external(location);
      const note = (at, length) => {
        read.push([at, length]);
        return part(at, length);
      };
      return { size: all, read: note };
    };
    const model = ops.loadModel(bytes, { external: watched });
    assert.deepEqual([...model.run({ x }).y.data], wanted);
    model.dispose();
    assert.deepEqual(read, [
      [offset, 8],
      [offset + 8, 8],
    ]);
    const { bytes: simplified, report } = ops.simplify(bytes, { external: watched, verify: { feeds: { x } } });
    assert.deepEqual([report.after.operators, report.verified.equal], [{ Add: 1 }, true]);
    assert.deepEqual([...ops.loadModel(simplified, { external }).run({ x }).y.data], wanted);
    const pending = async (location) => {
      const { size: all, read: part } = external(location);
      return { size: all, read: async (at, length) => part(at, length) };
    };
    const { report: told } = await ops.simplify(new Blob([bytes]), { external: pending, verify: { feeds: { x } } });
    assert.deepEqual([told.after.operators, told.verified.equal], [{ Add: 1 }, true]);
    assert.ok(read.every(([, length]) => length <= 16));
  });

  test(`a worker gets weights behind ${size}`, async () => {
    const model = await remote.loadModel(bytes, { external });
    assert.deepEqual([...(await model.run({ x })).y.data], wanted);
    const { report } = await remote.simplify(bytes, { external });
    assert.deepEqual(report.after.operators, { Add: 1 });
    model.dispose();
  });

  test(`sessions of broadloom/onnxruntime find weights behind ${size}, beside the model and by their path`, async () => {
    const feeds = { x: new Tensor('float32', Float32Array.of(1, 1), [2]) };
    const data = { externalData: [{ path: `behind-${size[0]}.bin`, data: weights }] };
    const byAddress = { externalData: [{ path: `behind-${size[0]}.bin`, data: pathToFileURL(weights) }] };
    for (const [model, options] of [[path], [pathToFileURL(path).href], [bytes, data], [bytes, byAddress]]) {
      const session = await InferenceSession.create(model, options);
      assert.deepEqual([...(await session.run(feeds)).y.data], wanted);
      await session.release();
    }
  });

  test(`the command runs and simplifies a model with weights behind ${size}`, () => {
    const run = (...args) => execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' });
    assert.match(run('run', path, '--input', 'x=[1,1]'), /\[12. 23.\]/);
    const out = join(folder, 'out.onnx');
    assert.match(run('simplify', path, out, '--verify', 'x=[1,1]'), /verified: the outputs are equal/);
    assert.match(run('run', out, '--input', 'x=[1,1]'), /\[12. 23.\]/);
  });
}

test('a symbolic link that leads out of the folder of the model is refused, and so is a folder', async () => {
  const inner = join(folder, 'inner');
  mkdirSync(join(inner, 'folder.bin'), { recursive: true });
  writeFileSync(join(folder, 'secret.bin'), new Uint8Array(16));
  symlinkSync('../secret.bin', join(inner, 'link.bin'));
  symlinkSync('own.bin', join(inner, 'inside.bin'));
  writeFileSync(join(inner, 'own.bin'), new Uint8Array(Float32Array.of(1, 2, 10, 20).buffer));
  const external = filesBeside(join(inner, 'model.onnx'));
  assert.equal(external('inside.bin').size, 16);
  for (const [location, message] of [
    ['link.bin', /'link.bin' is not in the model's folder: a symbolic link leads to/],
    ['folder.bin', /" is a folder/],
  ]) {
    assert.throws(() => external(location), { code: 'INVALID_ARGUMENT', message });
    const part = onnx.externalInitializer('v', [2], 'float32', { location, offset: 0, length: 8 });
    const graph = [
      part,
      onnx.node('Add', '', ['v', 'x'], ['y']),
      onnx.input('x', 'float32', [2]),
      onnx.output('y', 'float32', [2]),
    ];
    writeFileSync(join(inner, 'model.onnx'), new Uint8Array(onnx.model('inner', graph)));
    assert.match((await errorOf(InferenceSession.create(join(inner, 'model.onnx')))).message, message);
  }
});

test('a Blob of a file is read in slices, for simplify, workers and sessions', async () => {
  const { bytes, weights } = write('sliced', 3e9);
  const blob = await openAsBlob(weights);
  const { report } = await ops.simplify(new Blob([bytes]), { external: () => blob });
  assert.deepEqual(report.after.operators, { Add: 1 });
  const model = await remote.loadModel(bytes, { external: { 'sliced.bin': blob } });
  assert.deepEqual([...(await model.run({ x })).y.data], wanted);
  const session = await InferenceSession.create(bytes, { externalData: [{ path: 'sliced.bin', data: blob }] });
  const feeds = { x: new Tensor('float32', Float32Array.of(1, 1), [2]) };
  assert.deepEqual([...(await session.run(feeds)).y.data], wanted);
});

test('a range behind the end of a file is told with the size that the file has', async () => {
  const { path, bytes } = write('short', 4.3e9, { ends: 4.3e9 + 8 });
  const external = filesBeside(path);
  const ends = /external data of 'w' ends at byte 4300000016, but file 'short.bin' has 4300000008 bytes/;
  assert.throws(() => ops.loadModel(bytes, { external }), { code: 'INVALID_MODEL', message: ends });
  assert.match((await errorOf(remote.loadModel(bytes, { external }))).message, ends);
  assert.match((await errorOf(InferenceSession.create(path))).message, ends);
  assert.throws(() => ops.simplify(bytes, { external }), {
    message: /does not have the bytes from .*: it has 4300000008/,
  });
});

test('parts of another length or type, files that are not there, and hosts are refused', () => {
  const { path, bytes } = write('wrong', 100);
  const file = (read) => ({ external: () => ({ size: 1e6, read }) });
  const refused = (options, message) =>
    assert.throws(() => ops.loadModel(bytes, options), { code: 'INVALID_ARGUMENT', message });
  refused(
    file(() => new Uint8Array(7)),
    "external: 'wrong.bin': read(100, 8) gave 7 bytes",
  );
  refused(
    file(async () => new Uint8Array(8)),
    /read\(100, 8\) gave .*Promise.*, wanted a Uint8Array/,
  );
  rmSync(join(folder, 'wrong.bin'));
  refused({ external: filesBeside(path) }, "external: there is no file 'wrong.bin'");
  assert.throws(() => filesBeside('https://example.com/a.onnx'), {
    code: 'INVALID_ARGUMENT',
    message: /^filesBeside: /,
  });
  assert.throws(() => filesBeside(7), { code: 'INVALID_ARGUMENT', message: /wanted its path or its address/ });
});
