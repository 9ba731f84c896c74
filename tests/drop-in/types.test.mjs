// The types: a file of documented uses compiles against onnxruntime-common and against broadloom/onnxruntime.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';

for (const [name, project] of Object.entries({
  'onnxruntime-common': 'tsconfig',
  'broadloom/onnxruntime': 'broadloom',
}))
  test(`documented uses compile against ${name}`, async () => {
    const output = await new Promise((resolve) => {
      const args = ['-p', `tests/drop-in/types/${project}.json`];
      execFile(join(root, 'node_modules/.bin/tsc'), args, { cwd: root }, (_, stdout) => resolve(stdout));
    });
    assert.equal(output, '');
  });
