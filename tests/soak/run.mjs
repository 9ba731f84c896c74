// npm run soak -- [--operations N] [--seconds S] [--seed S] [--from N] [--until N] [--shorten]
// Plays random steps until the count, or the time, is over. The steps of a seed are the same each time: --from and --until choose
// some of them, and --shorten looks for a short list of steps that still fails.
import { parseArgs } from 'node:util';
import { seed as anySeed } from '../depth.mjs';
import { arithmeticSteps } from './arithmetic-steps.mjs';
import { lifeSteps, scopeOf } from './life-steps.mjs';
import { Machine, tableOf, Wrong } from './machine.mjs';
import { mediaSteps } from './media-steps.mjs';
import { modelSteps } from './model-steps.mjs';
import { tensorSteps } from './tensor-steps.mjs';
import { workerSteps } from './worker-steps.mjs';

const { values: options } = parseArgs({
  options: {
    operations: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: `${anySeed}` },
    from: { type: 'string', default: '0' },
    until: { type: 'string' },
    shorten: { type: 'boolean', default: false },
  },
});
if (globalThis.gc === undefined) throw new Error('node needs --expose-gc: npm run soak has it');

const seed = Number(options.seed);
const scope = [12, 'scope', scopeOf(tableOf(tensorSteps, arithmeticSteps))];
const steps = tableOf(tensorSteps, arithmeticSteps, modelSteps, mediaSteps, lifeSteps, [scope], workerSteps);
const checkEach = 500;

/** Plays these steps. Returns the number of steps, or throws with the step that failed. */
async function play(numbers, isOver = () => false) {
  const machine = new Machine(seed);
  let done = 0;
  let last = -1;
  try {
    for (const number of numbers) {
      if (isOver(done)) break;
      last = number;
      await machine.play(number, steps);
      if (++done % checkEach === 0) machine.checkAll();
    }
    await machine.end();
  } catch (error) {
    if (!(error instanceof Wrong) && error.name !== 'OnnxError') throw error;
    throw Object.assign(error, { step: last });
  }
  return { done, machine };
}

function* range(from, until) {
  for (let number = from; number < until; number++) yield number;
}

/** Leaves out steps, many at once at first, as long as the rest still fails. */
async function shorten(numbers) {
  const fails = async (some) => {
    try {
      await play(some);
    } catch (error) {
      if (error.step !== undefined) return true;
      throw error;
    }
    return false;
  };
  let rest = numbers;
  for (let size = Math.ceil(rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < rest.length && rest.length > 1; ) {
      const some = rest.toSpliced(at, size);
      if (await fails(some)) rest = some;
      else at += size;
    }
    console.log(`${rest.length} steps still fail`);
  }
  return rest;
}

const start = performance.now();
const seconds = Number(options.seconds ?? Infinity);
const until = Number(options.until ?? options.operations ?? (options.seconds === undefined ? 100_000 : Infinity));
const numbers = range(Number(options.from), until);
try {
  const { done, machine } = await play(numbers, () => performance.now() - start > seconds * 1000);
  const counts = Object.entries(machine.counts).map(([name, count]) => `${name} ${count}`);
  console.log(
    `${done} operations of seed ${seed} in ${((performance.now() - start) / 1000).toFixed(0)} s: ${counts.join(', ')}`,
  );
} catch (error) {
  if (error.step === undefined) throw error;
  console.error(error);
  console.error(
    `seed ${seed}, step ${error.step}: npm run soak -- --seed ${seed} --from ${options.from} --until ${error.step + 1}`,
  );
  if (options.shorten)
    console.error(`steps ${(await shorten([...range(Number(options.from), error.step + 1)])).join(' ')}`);
  process.exitCode = 1;
}
