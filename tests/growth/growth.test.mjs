// Tests each kind of item that a file can have many of: with eight times the items, time and memory are about eight times as
// large, too. With BROADLOOM_DEEP=1, files are eight times as large, and more stages are measured. BROADLOOM_GROWTH=split chooses
// the things with this word.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isDeep } from '../depth.mjs';
import calls from './calls.mjs';
import chains from './chains.mjs';
import contents from './contents.mjs';
import graphs from './graphs.mjs';
import { grow } from './measure.mjs';
import nodes from './nodes.mjs';
import sizes from './sizes.mjs';
import wire from './wire.mjs';

const only = process.env.BROADLOOM_GROWTH;
const rows = [];

for (const [thing, [n, make]] of Object.entries({
  ...nodes,
  ...contents,
  ...graphs,
  ...sizes,
  ...chains,
  ...wire,
  ...calls,
})) {
  if (only !== undefined && !thing.includes(only)) continue;
  test(`time and memory follow the count of ${thing}`, () => {
    const found = grow(make, isDeep ? 4 * n : Math.ceil(n / 2)).map((row) => ({ thing, ...row }));
    rows.push(...found);
    const wrong = found.filter(({ isWrong }) => isWrong);
    assert.deepEqual(wrong, [], 'grows faster than the file');
  });
}

const number = (value, digits) => value.toFixed(digits).padStart(9);

/** The ten largest ratios, or all in a deep run. */
after(() => {
  rows.sort((a, b) => Math.max(b.timeRatio, b.heapRatio) - Math.max(a.timeRatio, a.heapRatio));
  console.log('time and heap beside those of an eighth, divided by the growth of the file:');
  console.log('  time x   heap x       ms       MB  file kB  stage         count');
  for (const { thing, stage, n, bytes, time, heap, timeRatio, heapRatio } of isDeep ? rows : rows.slice(0, 10)) {
    const figures = [
      number(timeRatio, 2),
      number(heapRatio, 2),
      number(time, 1),
      number(heap / 2 ** 20, 1),
      number(bytes / 1000, 0),
    ];
    console.log(`${figures.join('').slice(1)}  ${stage.padEnd(13)} ${n} ${thing}`);
  }
});
