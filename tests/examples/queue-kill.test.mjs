// examples/queue: no job is lost and none is acknowledged twice, whatever is killed, cut or frozen. In a deep run with 100,000 jobs;
// then the load test's figures are printed, too.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isDeep } from '../depth.mjs';
import { folder, killTest, Ledger, useRedis } from './queue.mjs';

const tools = useRedis();
const run = promisify(execFile);

test('the ledger notices jobs that are lost, repeated, wrong or acknowledged twice', () => {
  const ids = [...'abcdef'];
  const of = (events, lines, outcomes) => {
    const ledger = new Ledger(new Map(ids.map((id) => [id, (result) => result === id])));
    for (const [event, jobId] of events) ledger.takeEvent({ event, jobId });
    for (const [event, job] of lines) ledger.takeLine({ event, job });
    for (const [id, result = id] of outcomes) ledger.takeOutcome({ id, result });
    const { jobs, ...counts } = ledger.counts();
    assert.equal(jobs, ids.length);
    return Object.values(counts);
  };
  const events = ids.flatMap((id) => [
    ['active', id],
    ['completed', id],
  ]);
  const lines = ids.flatMap((id) => [
    ['started', id],
    ['completed', id],
  ]);
  const outcomes = ids.map((id) => [id]);
  // completed, failed, read, lost, readTwice, acknowledgedTwice, repeated, wrong, runs
  assert.deepEqual(of(events, lines, outcomes), [6, 0, 6, 0, 0, 0, 0, 0, 6]);
  // A worker that died after the acknowledgement has no line of it. One that died before has begun in vain.
  assert.deepEqual(of(events, [['started', 'f'], ...lines.slice(0, -1)], outcomes), [6, 0, 6, 0, 0, 0, 0, 0, 7]);
  assert.deepEqual(of([...events.slice(0, -1), ['failed', 'f']], lines, outcomes), [5, 1, 6, 0, 0, 0, 0, 0, 6]);
  assert.deepEqual(of(events, lines, outcomes.slice(1)), [6, 0, 5, 1, 0, 0, 0, 0, 6]);
  assert.deepEqual(of(events, lines, [...outcomes, ['a']]), [6, 0, 6, 0, 1, 0, 0, 0, 6]);
  assert.deepEqual(of([...events, ['completed', 'a']], lines, outcomes), [6, 0, 6, 0, 0, 1, 0, 0, 6]);
  assert.deepEqual(of(events, [...lines, ['completed', 'a']], outcomes), [6, 0, 6, 0, 0, 1, 0, 0, 6]);
  assert.deepEqual(of([...events, ['active', 'a']], lines, outcomes), [6, 0, 6, 0, 0, 0, 1, 0, 6]);
  assert.deepEqual(of(events, [...lines, ['started', 'a']], outcomes), [6, 0, 6, 0, 0, 0, 1, 0, 7]);
  assert.deepEqual(of(events, lines, [...outcomes.slice(1), ['a', 'b']]), [6, 0, 6, 0, 0, 0, 0, 1, 6]);
});

async function killed(jobs, options) {
  const { kills, seconds, runs, ...rest } = await killTest({ jobs, ...options });
  const none = { failed: 0, lost: 0, readTwice: 0, acknowledgedTwice: 0, repeated: 0, wrong: 0 };
  assert.deepEqual(rest, { jobs, completed: jobs, read: jobs, ...none, cuts: 2, freezes: 1, restarts: 1 });
  assert.ok(runs >= jobs);
  return { jobs, kills, seconds, runs };
}

const show = ({ jobs, kills, seconds, runs }) =>
  `${jobs} jobs in ${seconds.toFixed(0)} s, ${kills} workers killed, ${runs - jobs} runs more than jobs`;

test('jobs outlive workers, links and Redis: none is lost, none acknowledged twice, and all are read', async (t) => {
  const counts = await killed(600, { every: 700, most: 4, lockDuration: 1500, pause: 300 });
  assert.ok(counts.kills > 0);
  t.diagnostic(show(counts));
});

test('100,000 jobs, a worker killed every second', { skip: !isDeep }, async (t) => {
  const counts = await killed(100_000, {});
  assert.ok(counts.kills > 30);
  t.diagnostic(show(counts));
});

test('the load test measures 1, 2 and 4 workers', { skip: !isDeep }, async (t) => {
  const { stdout } = await run(process.execPath, ['measure/load-test.js'], {
    cwd: folder,
    env: { ...process.env, REDIS_URL: tools.server.url },
  });
  const lines = stdout.trim().split('\n');
  assert.equal(lines.length, 6);
  for (const line of lines) {
    assert.match(
      line,
      /^(image|text), \d workers: \d+ jobs\/s \(x \d+\.\d\d\), latency \d+ \/ \d+ \/ \d+ ms \(p50 \/ p95 \/ p99\)$/,
    );
    t.diagnostic(line);
  }
});
