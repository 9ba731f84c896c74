// Gives changed inputs to a target in this folder, without coverage: node run.mjs TARGET SECONDS [SEED], or, to run one input
// again, node run.mjs TARGET --input TEXT.
import { randomFrom } from './mutate.mjs';

const [name, seconds, given] = process.argv.slice(2);
const target = await import(`./${name}.mjs`);

async function passes(input) {
  try {
    await target.check(input);
    return true;
  } catch (error) {
    console.error(`${error.stack}\n`);
    return false;
  }
}

if (seconds === '--input') process.exit((await passes(target.take(given))) ? 0 : 1);
const seed = Number(given ?? Math.floor(Math.random() * 2 ** 32));
const random = randomFrom(seed);
const end = performance.now() + 1000 * Number(seconds);
let count = 0;
while (performance.now() < end) {
  const input = target.make(random);
  count++;
  if (await passes(input)) continue;
  const text = target.show(input);
  console.error(`run it again: node tests/fuzz/scripts/run.mjs ${name} --input '${text.replaceAll("'", "'\\''")}'`);
  process.exit(1);
}
console.log(JSON.stringify({ executions: count, seed, ends: target.tally }));
