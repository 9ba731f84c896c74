// examples/pool/metrics.js: the figures of the package's own pool in Prometheus's text format.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load, loadPool } from '../../dist/node.js';
import { metricsOf } from '../../examples/pool/metrics.js';

const label = /^([a-z_]+)(?:\{le="([^"]+)"\})? (\S+)$/;

test('Prometheus gets each figure of a pool once, with its type, and histograms in seconds', async () => {
  const ops = await load();
  const x = ops.tensor('float32', [1, 2]);
  const pool = await loadPool({ size: 1 });
  const model = await pool.loadModel(ops.nodeModel('Relu', [x])['model.onnx']);
  for (let i = 0; i < 3; i++) await pool.run(model, { [model.inputs[0].name]: x });
  await assert.rejects(pool.run(model, {}));
  const stats = pool.stats();
  await pool.close();
  const lines = metricsOf(stats).trimEnd().split('\n');
  const types = lines.flatMap((line) => /^# TYPE (\S+) (\S+)$/.exec(line)?.slice(1).join(' ') ?? []);
  assert.equal(types.length, Object.keys(stats).length);
  assert.equal(new Set(types).size, types.length);
  for (const type of ['size gauge', 'depth gauge', 'done_total counter', 'run_seconds histogram'])
    assert.ok(types.includes(`broadloom_pool_${type}`), type);
  const samples = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => label.exec(line)?.slice(1) ?? assert.fail(line));
  const sampleOf = (name, bound) =>
    samples.filter(([one, le]) => one === `broadloom_pool_${name}` && le === bound)[0][2];
  assert.equal(sampleOf('done_total'), '3');
  assert.equal(sampleOf('failed_total'), '1');
  assert.equal(sampleOf('run_seconds_count'), `${stats.run.count}`);
  assert.equal(sampleOf('run_seconds_bucket', '+Inf'), `${stats.run.count}`);
  assert.equal(Number(sampleOf('run_seconds_sum')), stats.run.sum / 1000);
  const counts = samples.filter(([name]) => name === 'broadloom_pool_run_seconds_bucket').map(([, , count]) => +count);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
});
