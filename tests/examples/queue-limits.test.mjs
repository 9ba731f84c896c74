// examples/queue: Redis is bounded. Producers are refused while it is full, workers go on, and results are stored once.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  addJobs,
  file,
  folder,
  imageKey,
  outcomesOf,
  QueueFullError,
  sampleImages,
  sampleRows,
  stop,
  until,
  useRedis,
} from './queue.mjs';

const tools = useRedis();
const { complete, startWorker, withQueue } = tools;
const rows = sampleRows(1);
const jobsOf = (count, name = 'job') => Array.from({ length: count }, (_, i) => ({ id: `${name}-${i}`, rows }));

test('redis.conf sets a limit of memory, and a full Redis refuses', async () => {
  const settings = file('redis.conf').toString();
  assert.match(settings, /^maxmemory 1gb$/m);
  const { maxmemory, ...policy } = Object.fromEntries([
    await tools.redis.config('GET', 'maxmemory'),
    await tools.redis.config('GET', 'maxmemory-policy'),
  ]);
  assert.deepEqual([maxmemory, policy['maxmemory-policy']], [`${2 ** 30}`, 'noeviction']);
});

test('a queue that holds as many jobs as it may refuses others, and takes them when it is shorter', async () => {
  await withQueue('deep', async (queue) => {
    const limits = { mostJobs: 10 };
    await addJobs(queue, tools.redis, jobsOf(8), limits);
    await assert.rejects(addJobs(queue, tools.redis, jobsOf(3, 'more'), limits), (error) => {
      assert.ok(error instanceof QueueFullError);
      assert.deepEqual(
        [error.name, error.message],
        ['QueueFullError', 'the queue holds 8 jobs, and 3 more make over 10'],
      );
      return true;
    });
    assert.equal(await queue.getWaitingCount(), 8);
    // Jobs that are there are no more jobs.
    await addJobs(queue, tools.redis, [...jobsOf(8), ...jobsOf(2, 'more')], limits);
    const worker = complete(queue);
    await until(async () => (await queue.getJobCounts('completed')).completed === 10);
    await addJobs(queue, tools.redis, jobsOf(5, 'last'), limits);
    await worker.close();
  });
});

test('a Redis that holds as many bytes as it may refuses jobs', async () => {
  await withQueue('heavy', async (queue) => {
    await assert.rejects(addJobs(queue, tools.redis, jobsOf(1), { mostBytes: 1e5 }), {
      name: 'QueueFullError',
      message: /^Redis holds \d+ bytes, more than 100000$/,
    });
  });
});

test('with a small maxmemory, producers stop before Redis is full, and workers go on', async () => {
  await withQueue('small', async (queue, results) => {
    const { used_memory: used } = Object.fromEntries(
      [...(await tools.redis.info('memory')).matchAll(/^(\w+):(\d+)/gm)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
    await tools.redis.config('SET', 'maxmemory', used + 24 * 2 ** 20);
    try {
      const image = randomBytes(2 ** 20);
      const put = [];
      await assert.rejects(
        (async () => {
          for (let i = 0; i < 40; i++) {
            await addJobs(queue, tools.redis, [{ id: `image-${i}`, image }]);
            put.push(`image-${i}`);
          }
        })(),
        { name: 'QueueFullError', message: /^Redis holds/ },
      );
      assert.ok(put.length > 5 && put.length < 24, `${put.length}`);
      // A producer that does not ask meets Redis itself.
      await assert.rejects(
        addJobs(
          queue,
          tools.redis,
          Array.from({ length: 40 }, (_, i) => ({ id: `over-${i}`, image })),
          { mostBytes: Infinity },
        ),
        { name: 'QueueFullError', message: /^Redis is full \(OOM command not allowed/ },
      );
      for await (const keys of tools.redis.scanStream({ match: imageKey(queue.name, 'over-*') }))
        if (keys.length > 0) await tools.redis.unlink(keys);
      const worker = complete(queue);
      const outcomes = await outcomesOf(results, put);
      assert.ok(Object.values(outcomes).every(({ error }) => error === undefined));
      await worker.close();
    } finally {
      await tools.redis.config('SET', 'maxmemory', '1gb');
    }
  });
});

test('the bytes of an image are gone when its job is completed, and ended jobs when there are many', async () => {
  await withQueue('kept', async (queue, results) => {
    const worker = await startWorker('kept');
    const [image] = await sampleImages(1);
    await addJobs(queue, tools.redis, [
      { id: 'right', image },
      { id: 'wrong', image: Buffer.from('none') },
    ]);
    await outcomesOf(results, ['right', 'wrong']);
    await until(async () => !(await tools.redis.exists(imageKey(queue.name, 'right'))));
    // A failed job may be retried.
    assert.equal(await tools.redis.exists(imageKey(queue.name, 'wrong')), 1);
    await stop(worker);
    const day = 24 * 60 * 60;
    const { removeOnComplete, removeOnFail } = queue.defaultJobOptions;
    assert.deepEqual(
      [removeOnComplete, removeOnFail],
      [
        { age: day, count: 50_000 },
        { age: day, count: 5_000 },
      ],
    );
    queue.jobsOpts.removeOnComplete = { age: day, count: 3 };
    await addJobs(queue, tools.redis, jobsOf(20));
    const other = complete(queue);
    await until(async () => (await queue.getJobCounts('waiting', 'active', 'completed')).completed === 3);
    await other.close();
  });
});

test('a result is in Redis once, and in no event', async () => {
  await withQueue('once', async (queue, results) => {
    const worker = await startWorker('once');
    await addJobs(queue, tools.redis, [{ id: 'rows', rows: sampleRows(2000) }]);
    const { rows: outcome } = await outcomesOf(results, ['rows']);
    assert.equal(outcome.result.length, 2000);
    const events = await tools.redis.xrange(queue.toKey('events'), '-', '+');
    assert.ok(JSON.stringify(events).length < 5000);
    const stored = await tools.redis.hgetall(queue.toKey('rows'));
    assert.deepEqual(JSON.parse(stored.data), { model: queue.versions.rows, result: outcome.result });
    assert.equal(stored.returnvalue, 'null');
    await stop(worker);
  });
});

test('the program that measures prints the bytes of results, and the time of pictures', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['measure/measure.js', '--results', '1', '--side', '256'],
    {
      cwd: folder,
      env: { ...process.env, REDIS_URL: tools.server.url },
    },
  );
  assert.match(
    stdout,
    /^1\.\d MiB of results: \d+\.\d MiB more in Redis, \d+\.\d MiB sent by Redis, with \d readers$/m,
  );
  assert.match(stdout, /^256 x 256 JPEG, jpeg-js: \d+ ms, the event loop waits for \d+ ms$/m);
  assert.match(stdout, /^256 x 256 JPEG, sharp: \d+ ms, the event loop waits for \d+ ms$/m);
});
