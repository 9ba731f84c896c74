// examples/queue: who waits for results gets all of them, whatever was lost on the way, and never waits forever.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import process from 'node:process';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isDeep } from '../depth.mjs';
import {
  addJobs,
  connect,
  openLink,
  openQueue,
  outcomesOf,
  Results,
  sampleRows,
  start,
  until,
  useRedis,
} from './queue.mjs';

const tools = useRedis();
const { withQueue, complete } = tools;
const rows = sampleRows(1);
const idsOf = (count) => Array.from({ length: count }, (_, i) => `job-${i}`);
const jobsOf = (count) => idsOf(count).map((id) => ({ id, rows }));
const count = isDeep ? 8000 : 1500;

/** All jobs have ended, and no event tells of that. */
async function endSilently(queue) {
  const worker = complete(queue);
  await until(async () => (await queue.getJobCounts('completed')).completed === count);
  await worker.close();
  await tools.redis.xtrim(queue.toKey('events'), 'MAXLEN', 0);
}

test('a reader whose link was cut gets the results whose events are gone', async () => {
  const link = await openLink(tools.server.url);
  const redis = await connect(link.url);
  await withQueue('cut', async (queue) => {
    const results = await Results.open(queue, redis, { interval: 1e6 });
    await addJobs(queue, tools.redis, jobsOf(count));
    const outcomes = outcomesOf(results, idsOf(count));
    link.cut();
    await endSilently(queue);
    link.mend();
    assert.deepEqual(Object.keys(await outcomes).sort(), idsOf(count).sort());
    await results.close();
  });
  redis.disconnect();
  link.close();
});

test('a reader that was frozen gets the results whose events are gone', async () => {
  await withQueue('frozen', async (queue) => {
    await addJobs(queue, tools.redis, jobsOf(count));
    const reader = start(['measure/reader.js'], { REDIS_URL: tools.server.url, QUEUE: 'frozen' });
    await once(reader, 'message');
    reader.send(idsOf(count));
    reader.send('end');
    reader.kill('SIGSTOP');
    await endSilently(queue);
    reader.kill('SIGCONT');
    const [code] = await once(reader, 'close');
    assert.equal(code, 0);
    assert.deepEqual(reader.lines.map(({ id }) => id).sort(), idsOf(count).sort());
  });
});

test('results whose events never come are found all the same', async () => {
  await withQueue(
    'silent',
    async (queue, results) => {
      const added = jobsOf(count);
      await addJobs(queue, tools.redis, added);
      const outcomes = outcomesOf(results, idsOf(count));
      await queue.pause();
      await queue.resume();
      const seen = complete(queue);
      const trim = setInterval(() => tools.redis.xtrim(queue.toKey('events'), 'MAXLEN', 0), 1);
      assert.equal(Object.keys(await outcomes).length, count);
      clearInterval(trim);
      await seen.close();
    },
    { interval: 200 },
  );
});

test('8,000 jobs that are waited for take a few commands of each look at Redis', async () => {
  await withQueue(
    'many',
    async (queue, results) => {
      const calls = async () => {
        const stats = await tools.redis.info('commandstats');
        return [...stats.matchAll(/calls=(\d+)/g)].reduce((sum, [, number]) => sum + Number(number), 0);
      };
      await addJobs(queue, tools.redis, jobsOf(8000));
      const open = new AbortController();
      const outcomes = outcomesOf(results, idsOf(8000), { signal: open.signal });
      outcomes.catch(() => {});
      const looks = async () => {
        const stats = await tools.redis.info('commandstats');
        return Number(/cmdstat_zmscore:calls=(\d+)/.exec(stats)?.[1] ?? 0);
      };
      await until(async () => (await looks()) >= 16);
      const [first, callsFirst] = [await looks(), await calls()];
      // Eight questions of two such commands look at all once.
      await until(async () => (await looks()) >= first + 5 * 16);
      const each = ((await calls()) - callsFirst) / (((await looks()) - first) / 16);
      open.abort(new Error('enough'));
      await assert.rejects(outcomes, /enough/);
      assert.ok(each < 100, `${each} commands`);
    },
    { interval: 300 },
  );
});

test('a job that is not there, or is removed, is an outcome of its own', async () => {
  await withQueue('removed', async (queue, results) => {
    await addJobs(queue, tools.redis, jobsOf(3));
    const outcomes = outcomesOf(results, [...idsOf(3), 'never']);
    const job = await queue.getJob('job-1');
    await job.remove();
    const worker = complete(queue);
    const missing = (id) => ({ error: `no job '${id}' in the queue: it was removed, or never put`, isMissing: true });
    const model = queue.versions.rows;
    assert.deepEqual(await outcomes, {
      'job-0': { model, result: 'job-0' },
      'job-1': missing('job-1'),
      'job-2': { model, result: 'job-2' },
      never: missing('never'),
    });
    await worker.close();
  });
});

test('a signal and a timeout end the waiting, also while Redis hangs', async () => {
  await withQueue('late', async (queue, results) => {
    await addJobs(queue, tools.redis, jobsOf(2));
    tools.server.signal('SIGSTOP');
    try {
      const timed = outcomesOf(results, idsOf(2), { timeout: 50 });
      await assert.rejects(timed, (error) => {
        assert.deepEqual([error.name, error.ids], ['TimeoutError', idsOf(2)]);
        assert.equal(error.message, '2 jobs did not end within 50 ms: job-0, job-1');
        return true;
      });
      const reason = new Error('the caller left');
      const aborting = new AbortController();
      const aborted = outcomesOf(results, idsOf(2), { signal: aborting.signal });
      setImmediate(() => aborting.abort(reason));
      await assert.rejects(aborted, (error) => error === reason);
      await assert.rejects(outcomesOf(results, idsOf(2), { signal: AbortSignal.abort(reason) }), reason);
    } finally {
      tools.server.signal('SIGCONT');
    }
  });
});

test('a question that Redis refuses ends the waiting', async () => {
  await withQueue('refused', async (queue, results) => {
    await tools.redis.set(queue.toKey('failed'), 'not a sorted set');
    await assert.rejects(outcomesOf(results, ['one']), /^ReplyError: WRONGTYPE/);
  });
});

test('several callers may wait for one job', async () => {
  await withQueue('shared', async (queue, results) => {
    await addJobs(queue, tools.redis, jobsOf(1));
    const outcomes = Promise.all([outcomesOf(results, idsOf(1)), outcomesOf(results, idsOf(1))]);
    const worker = complete(queue);
    const [first, second] = await outcomes;
    assert.equal(first['job-0'].result, 'job-0');
    assert.deepEqual(second, first);
    await worker.close();
  });
});

test('nothing is kept of jobs that are not there, or that nobody waits for any more', async () => {
  await withQueue('gone', async (queue, results) => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const heap = () => {
      gc();
      return process.memoryUsage().heapUsed;
    };
    const idOf = (i) => `${i}${'-'.repeat(1e6)}`;
    const before = heap();
    for (let i = 0; i < 20; i++) assert.ok((await outcomesOf(results, [idOf(i)]))[idOf(i)].isMissing);
    await addJobs(queue, tools.redis, jobsOf(1));
    for (let i = 0; i < 20; i++) {
      const outcomes = results.of(['job-0', idOf(i)]);
      assert.ok((await outcomes.next()).value.isMissing);
      await outcomes.return();
    }
    await until(() => heap() - before < 8e6);
    const outcomes = outcomesOf(results, idsOf(1));
    const worker = complete(queue);
    assert.equal((await outcomes)['job-0'].result, 'job-0');
    await worker.close();
  });
});

test('results can be closed while Redis is away, and whoever waits is told', async () => {
  const redis = await connect(tools.server.url);
  const queue = await openQueue(redis, { base: 'closed' });
  const results = await Results.open(queue, redis);
  await addJobs(queue, redis, jobsOf(1));
  const waiting = outcomesOf(results, idsOf(1));
  const heard = once(results, 'progress');
  await redis.xadd(queue.toKey('events'), '*', 'event', 'progress', 'jobId', 'job-0', 'data', '1');
  await heard; // so its connection is there
  const lost = once(redis, 'close');
  await tools.server.kill();
  await lost;
  const closed = results.close().then(() => true);
  await assert.rejects(waiting, /^Error: the results are closed$/);
  const late = new Promise((resolve) => setTimeout(resolve, 10_000, false).unref());
  assert.ok(await Promise.race([closed, late]));
  await tools.server.start();
  await queue.close();
  redis.disconnect();
});

test('an event that is damaged does not end the reading', async () => {
  await withQueue(
    'damaged',
    async (queue, results) => {
      await tools.redis.xadd(queue.toKey('events'), '*', 'event', 'progress', 'jobId', 'job-0', 'data', '{');
      await addJobs(queue, tools.redis, jobsOf(1));
      const worker = complete(queue);
      assert.equal((await outcomesOf(results, idsOf(1)))['job-0'].result, 'job-0');
      await worker.close();
    },
    { interval: 200 },
  );
});
