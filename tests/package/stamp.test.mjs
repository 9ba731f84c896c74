// The stamp that lets a second build return at once (tools/build/stamp.mjs).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildOnce, developOnce, hashOf } from '../../tools/build/stamp.mjs';
import { root as projectRoot } from '../../tools/run.mjs';

/** A project whose build writes one file. `again()` builds, and returns whether the build ran. */
async function project(t) {
  const root = mkdtempSync(join(tmpdir(), 'broadloom-stamp-'));
  t.after(() => rmSync(root, { recursive: true }));
  const write = (file, text) => {
    mkdirSync(join(root, file, '..'), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  write('src/a.cpp', 'int a;');
  write('tools/build', 'cc');
  const texts = ['compiler 1'];
  const again = (build = () => write('dist/out', 'result')) =>
    buildOnce({
      stamp: join(root, 'build/stamp'),
      inputs: () => hashOf(root, ['src', 'tools', 'absent'], { texts, except: /\.generated\./ }),
      outputs: () => hashOf(root, ['dist']),
      build,
    });
  assert.equal(await again(), true);
  return { root, write, texts, again };
}

test('a second build with the same inputs does not run', async (t) => {
  const { write, again } = await project(t);
  assert.equal(await again(), false);
  write('src/a.cpp', 'int a;'); // newer, and the same
  write('src/made.generated.ts', 'by the build');
  assert.equal(await again(), false);
});

for (const [what, change] of Object.entries({
  'a source that changed': ({ write }) => write('src/a.cpp', 'int b;'),
  'a source more': ({ write }) => write('src/new/b.cpp', ''),
  'a source less': ({ root }) => rmSync(join(root, 'src/a.cpp')),
  'a source with another name': ({ root, write }) => {
    rmSync(join(root, 'src/a.cpp'));
    write('src/b.cpp', 'int a;');
  },
  'a tool that changed': ({ write }) => write('tools/build', 'c++'),
  'another compiler': ({ texts }) => texts.splice(0, 1, 'compiler 2'),
  'an edited result': ({ write }) => write('dist/out', 'edited'),
  'a file beside the result': ({ write }) => write('dist/more', ''),
  'no result': ({ root }) => rmSync(join(root, 'dist'), { recursive: true }),
})) {
  test(`a build runs again after ${what}`, async (t) => {
    const it = await project(t);
    change(it);
    assert.equal(await it.again(() => it.write('dist/out', 'result')), true);
  });
}

test('a build that failed runs again', async (t) => {
  const { write, again } = await project(t);
  write('src/a.cpp', 'int b;');
  await assert.rejects(
    again(() => Promise.reject(new Error('no'))),
    /no/,
  );
  write('src/a.cpp', 'int a;');
  assert.equal(await again(), true);
});

test('a development build is not taken for the whole one, and the whole one does for development', async (t) => {
  const { root, write } = await project(t);
  const kind = (name, result) => ({
    stamp: join(root, 'build', name),
    inputs: () => hashOf(root, ['src']),
    outputs: () => hashOf(root, ['dist']),
    build: () => write('dist/out', result),
  });
  const whole = kind('whole', 'small');
  const development = kind('development', 'large');
  assert.equal(await developOnce(whole, development), true);
  assert.equal(await developOnce(whole, development), false);
  assert.equal(await buildOnce(whole), true);
  assert.equal(await buildOnce(whole), false);
  assert.equal(await developOnce(whole, development), false);
  write('src/a.cpp', 'int b;');
  assert.equal(await developOnce(whole, development), true);
  assert.equal(await buildOnce(whole), true);
});

for (const tool of ['pack', 'size']) {
  test(`a development build has a mark, which tools/${tool}.mjs refuses`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'broadloom-development-'));
    t.after(() => rmSync(folder, { recursive: true }));
    cpSync(join(projectRoot, 'tools'), join(folder, 'tools'), { recursive: true });
    cpSync(join(projectRoot, 'package.json'), join(folder, 'package.json'));
    mkdirSync(join(folder, 'dist'));
    const node = (...args) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    assert.equal(
      node('--eval', "import('./tools/build/development.mjs').then((it) => it.markDevelopment())").status,
      0,
    );
    const { status, stderr } = node(`tools/${tool}.mjs`);
    assert.equal(status, 1);
    assert.match(stderr, /^dist\/ is a development build, which is for tests alone: npm run build$/m);
  });
}
