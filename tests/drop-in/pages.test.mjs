// Pages for onnxruntime-web in Chromium, which an alias in the bundler gives Broadloom. bench/drop-in.mjs prints how soon they answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hear, pageOfBroadloom, pageOfOnnxruntime } from './vad-page.mjs';

test('the page of @ricky0123/vad-web hears the same speech, and needs an eighth of the bytes', async () => {
  const theirs = await hear(await pageOfOnnxruntime(), 12);
  const ours = await hear(await pageOfBroadloom(), 12);
  assert.deepEqual(ours.segments, theirs.segments);
  assert.ok(theirs.segments.filter(([kind]) => kind === 'end').length > 0, JSON.stringify(theirs.segments));
  assert.equal(ours.probabilities.length, 375);
  const farthest = Math.max(...ours.probabilities.map((one, i) => Math.abs(one - theirs.probabilities[i])));
  assert.ok(farthest < 1e-4, `a probability differs by ${farthest}`);
  assert.ok(ours.bytes < theirs.bytes / 8, `${ours.bytes} bytes beside ${theirs.bytes}`);
});
