// The line that tells how far a build is (tools/progress.mjs).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { compile } from '../../tools/build/compile.mjs';
import { faultsIn, Progress } from '../../tools/progress.mjs';

function terminal(columns = 80) {
  const written = [];
  return { isTTY: true, columns, written, write: (text) => written.push(text) };
}

test('on a terminal, one line has the state of each build', () => {
  const stream = terminal();
  const progress = new Progress(stream);
  progress.read('C++', 'ninja: Entering directory\n[1/20] Building a.cpp\n[2/20] Building b.cpp\n');
  progress.read('package', '[1/3] Building a.cpp\n');
  progress.end('C++');
  progress.end('package');
  assert.deepEqual(stream.written, [
    '\r\x1b[K[2/20] C++',
    '\r\x1b[K[2/20] C++  [1/3] package',
    '\r\x1b[K[1/3] package',
    '\r\x1b[K',
  ]);
});

test('other output stands above the line', () => {
  const stream = terminal();
  const progress = new Progress(stream);
  progress.log('first');
  progress.read('C++', '[1/20] Building a.cpp\n');
  progress.log('second');
  assert.deepEqual(stream.written, ['first\n', '\r\x1b[K[1/20] C++', '\r\x1b[Ksecond\n', '\r\x1b[K[1/20] C++']);
});

test('the line fits the terminal', () => {
  const stream = terminal(10);
  new Progress(stream).read('a long title', '[1/20] Building a.cpp\n');
  assert.deepEqual(stream.written, ['\r\x1b[K[1/20] a ']);
});

test('nothing is written where there is no terminal, and none where nothing is built', () => {
  const file = { ...terminal(), isTTY: false };
  const progress = new Progress(file);
  progress.read('C++', '[1/20] Building a.cpp\n');
  progress.end('C++');
  const stream = terminal();
  const idle = new Progress(stream);
  idle.read('C++', 'ninja: no work to do.\n');
  idle.end('C++');
  assert.deepEqual([...file.written, ...stream.written], []);
});

test('the output of a build that fails has its errors alone', () => {
  const output =
    '[1/3] Building a.cpp\nFAILED: a.o\nclang++ a.cpp\na.cpp:1:1: error: no\n[2/3] Building b.cpp\nninja: build stopped\n';
  assert.equal(faultsIn(output), 'FAILED: a.o\nclang++ a.cpp\na.cpp:1:1: error: no\nninja: build stopped\n');
});

/** Puts a program that takes the place of cmake onto the path, until test `t` ends. */
function stubCmake(t, script) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-compile-'));
  const { PATH } = process.env;
  t.after(() => {
    process.env.PATH = PATH;
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, 'cmake'), `#!/bin/sh\n${script}`, { mode: 0o755 });
  process.env.PATH = folder + delimiter + PATH;
}

test('a build tells how far it is, and gives back what went wrong', async (t) => {
  stubCmake(t, 'echo "[1/2] Building a.cpp"; echo "FAILED: a.o"; echo "a.cpp: error" >&2; exit 1');
  const stream = terminal();
  const fault = await compile('native', ['a', 'b'], { progress: new Progress(stream), title: 'C++' });
  assert.match(fault, /^FAILED: a\.o$/m);
  assert.match(fault, /^a\.cpp: error$/m);
  assert.match(fault, /^failed: cmake --build --preset native --target a --target b$/m);
  assert.doesNotMatch(fault, /Building/);
  assert.deepEqual(stream.written, ['\r\x1b[K[1/2] C++', '\r\x1b[K']);
});

test('a build that succeeds has no fault', async (t) => {
  stubCmake(t, 'echo "[2/2] Linking"');
  assert.equal(await compile('native', [], { progress: new Progress({ ...terminal(), isTTY: false }) }), undefined);
});
