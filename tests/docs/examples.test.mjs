// Runs the examples in the comments of the sources, which the reference shows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';
import { problemsOf } from './check.mjs';

/** The code that precedes each example. */
const before = `import { filesBeside, load, loadInWorker, loadPool, logMelPresets, OnnxError } from 'broadloom';
import { classify, decodeCtc, detect, melPicture, straighten, textBoxes, toMask, waveformPicture } from 'broadloom/tasks';
export { classify, decodeCtc, detect, filesBeside, logMelPresets, melPicture, OnnxError, straighten, textBoxes, toMask, waveformPicture };
const ops = await load({});
const [x, y, model] = ops.scope(() => {
  const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  return [x, ops.expand(x, [2, 1, 6]), ops.loadModel(ops.nodeModel('Expand', [x, [3, 4]])['model.onnx'])];
});
`;

const folder = join(root, 'js/src');
let count = 0;
for (const file of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.ts'))) {
  const text = readFileSync(join(folder, file), 'utf8');
  for (const [, lines] of text.matchAll(/^ *\* ```ts\n([\s\S]*?)^ *\* ```$/gm)) {
    const code = lines.replace(/^ *\* ?/gm, '');
    const name = `example-${++count}`;
    test(`${name} in the comments of ${file} does what it says`, async () => {
      assert.deepEqual(await problemsOf(name, `\`\`\`ts\n${before}{\n${code}}\n\`\`\`\n`), []);
    });
  }
}

test('the sources have examples', () => assert.ok(count >= 9));
