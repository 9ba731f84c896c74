// Makes models at random and compares the ways in which they run: node tests/random-graphs/run.mjs --seed=N --count=N
import { parseArgs } from 'node:util';
import { seed as anySeed } from '../depth.mjs';
import { checkAll } from './check.mjs';
import { compareWithOracle, endOracle } from './oracle.mjs';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    count: { type: 'string', default: '1' },
    oracle: { type: 'boolean', default: true },
    most: { type: 'string', default: '1' },
    refusals: { type: 'boolean', default: false },
    shrink: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const seed = Number(values.seed ?? anySeed);
const { failures, summary, missing, refusals } = await checkAll({
  seed,
  count: Number(values.count),
  oracle: values.oracle ? compareWithOracle : undefined,
  shrinks: values.shrink,
  most: Number(values.most),
  log: console.log,
});
console.log(summary);
console.log(`never: ${missing.join(', ') || 'none'}`);
if (values.refusals)
  for (const [why, times] of [...refusals].sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log(times, why);
endOracle();
process.exitCode = failures.length > 0 ? 1 : 0;
