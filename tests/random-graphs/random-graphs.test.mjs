// Models at random run in several ways with the same results: node by node, planned, in part, bound, simplified, and in
// onnxruntime-node. BROADLOOM_SEED=n is the first seed, BROADLOOM_GRAPHS=n the number of models.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { seed } from '../depth.mjs';
import { checkAll } from './check.mjs';
import { compareWithOracle, endOracle } from './oracle.mjs';

const count = Number(process.env.BROADLOOM_GRAPHS ?? 300);
after(endOracle);

test(`${count} random models have the same results in all ways`, async (context) => {
  const log = (text) => context.diagnostic(text);
  const { failures, summary, used, missing, taken, models } = await checkAll({
    seed,
    count,
    log,
    oracle: compareWithOracle,
  });
  context.diagnostic(summary);
  context.diagnostic(
    `nodes by operator: ${[...used]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, times]) => `${name} ${times}`)
      .join(', ')}`,
  );
  context.diagnostic(`never: ${missing.join(', ') || 'none'}`);
  assert.deepEqual(
    failures.map(({ text }) => text),
    [],
  );
  assert.ok(taken > models / 4, `the oracle took ${taken} of ${models} models`);
  if (count >= 5000) assert.deepEqual(missing, []);
});
