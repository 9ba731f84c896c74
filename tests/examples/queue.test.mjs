// examples/queue: jobs get the results that the models give, and failures say why.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import {
  addJobs,
  copyModels,
  file,
  folder,
  lineOf,
  mayPass,
  openModels,
  openQueue,
  outcomesOf,
  readVersions,
  sampleRows,
  stop,
  until,
  useRedis,
} from './queue.mjs';

const tools = useRedis();
const { startWorker, withQueue } = tools;
const run = promisify(execFile);

/** Runs a program of the example. */
const program = (args, environment = {}) =>
  run(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, REDIS_URL: tools.server.url, ...environment },
    timeout: 60_000,
  });

test('images and rows come back as what the models give, with the version of the model', async () => {
  await withQueue('answers', async (queue, results) => {
    const worker = await startWorker('answers');
    const image = file('turned.jpg');
    const line = file('upright.jpg');
    const rows = sampleRows(2500);
    const jobs = [
      { id: 'an-image', image },
      { id: 'a-text', kind: 'text', image: line },
      { id: 'rows', rows },
    ];
    const ids = jobs.map(({ id }) => id);
    await addJobs(queue, tools.redis, jobs);
    const outcomes = await outcomesOf(results, ids);
    const models = await openModels();
    const versions = await readVersions();
    assert.match(versions.image, /^direction@[0-9a-f]{8}$/);
    assert.deepEqual(outcomes, {
      'an-image': { model: versions.image, result: await models.image(image) },
      'a-text': { model: versions.text, result: await models.text(line) },
      rows: { model: versions.rows, result: await models.rows(rows) },
    });
    assert.equal(outcomes['an-image'].result.label, 'on its head');
    assert.equal(outcomes['a-text'].result.text, 'BROA');
    assert.deepEqual(new Set(outcomes.rows.result.map(({ label }) => label)).size, 3);

    // Put again, they are the same jobs: nothing is run.
    await addJobs(queue, tools.redis, [...jobs, { id: 'an-image', rows }]);
    assert.deepEqual(await outcomesOf(results, ids), outcomes);
    await stop(worker);
    assert.equal(worker.lines.filter(({ event }) => event === 'started').length, 3);
  });
});

test('a job that cannot succeed fails once, says why, and is listed and retried by a command', async () => {
  await withQueue('failures', async (queue, results) => {
    const worker = await startWorker('failures');
    const jobs = [
      { id: 'no-image', image: Buffer.from('<!doctype html>') },
      { id: 'cut-off', image: file('upright.jpg').subarray(0, 600) },
      { id: 'short-rows', rows: [[1, 2]] },
      { id: 'no-numbers', rows: [['a', 'b', 'c', 'd']] },
    ];
    const environment = { QUEUE: 'failures' };
    assert.equal((await program(['failed.js'], environment)).stdout, `0 failed jobs in ${queue.name}\n`);
    await addJobs(queue, tools.redis, jobs);
    await queue.add('sound', {}, { jobId: 'unknown' });
    await queue.add('rows', { model: 'iris@00000000', rows: [] }, { jobId: 'other' });
    const ids = [...jobs.map(({ id }) => id), 'unknown', 'other'];
    const outcomes = await outcomesOf(results, ids);
    assert.equal(outcomes['no-image'].error, 'not an image: neither a PNG nor a JPEG file');
    assert.ok(outcomes['cut-off'].error);
    assert.equal(outcomes['short-rows'].error, 'Gemm-13: cannot multiply [1, 2] by [4, 3]');
    assert.match(outcomes['no-numbers'].error, /"a"/);
    assert.equal(outcomes.unknown.error, "no job 'sound': there are image, text, rows");
    assert.equal(outcomes.other.error, `the job is for iris@00000000, and this worker has ${queue.versions.rows}`);
    await stop(worker);
    assert.equal(worker.lines.filter(({ event }) => event === 'started').length, ids.length);

    const { stdout } = await program(['failed.js'], environment);
    assert.match(stdout, /^no-image: direction@[0-9a-f]{8}, 20\d\d-.*Z, 1 attempts: not an image: /m);
    assert.match(stdout, new RegExp(`^6 failed jobs in ${queue.name}$`, 'm'));
    const one = await program(['failed.js', '--retry', 'short-rows', 'none'], environment);
    assert.match(one.stdout, /^1 failed jobs in .*, which wait again$/m);
    assert.equal(one.stderr, 'none: no failed job\n');
    assert.deepEqual(await queue.getJobCounts('waiting', 'failed'), { waiting: 1, failed: 5 });
    await program(['failed.js', '--retry'], environment);
    assert.deepEqual(await queue.getJobCounts('waiting', 'failed'), { waiting: 6, failed: 0 });
    const again = await startWorker('failures');
    assert.deepEqual(await outcomesOf(results, ids), outcomes);
    await stop(again);
  });
});

test('a run that took too long or lacked memory may pass, and no other failure', () => {
  assert.ok(mayPass({ code: 'LIMIT_EXCEEDED', limit: 'milliseconds' }));
  assert.ok(mayPass({ code: 'OUT_OF_MEMORY' }));
  assert.ok(!mayPass({ code: 'LIMIT_EXCEEDED', limit: 'elements' }));
  assert.ok(!mayPass({ code: 'INVALID_ARGUMENT' }));
});

test('a job whose model cannot be read is run again, and a worker without its models ends', async () => {
  const models = copyModels();
  const model = join(models, 'ch_PP-OCRv4_rec_infer.onnx');
  await withQueue('unread', async (queue, results) => {
    const worker = await startWorker('unread', { MODELS: models });
    renameSync(model, `${model}.away`);
    await addJobs(queue, tools.redis, [{ id: 'a-text', kind: 'text', image: file('upright.jpg') }]);
    await lineOf(worker, ({ event }) => event === 'failed');
    renameSync(`${model}.away`, model);
    const outcomes = await outcomesOf(results, ['a-text']);
    assert.equal(outcomes['a-text'].result?.text, 'BROA', JSON.stringify(outcomes));
    await stop(worker);
    rmSync(model);
    await assert.rejects(program(['worker.js'], { QUEUE: 'unread', MODELS: models }), ({ code, stderr }) => {
      assert.equal(code, 1);
      assert.match(stderr, /^ENOENT: .*ch_PP-OCRv4_rec_infer\.onnx'\n$/);
      return true;
    });
  });
  rmSync(models, { recursive: true });
});

test('a new version of a model has a queue of its own, and the old one is drained', async () => {
  const models = copyModels();
  // A second doc_string: other bytes, and the same model.
  appendFileSync(join(models, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'), Buffer.from([0x32, 0x01, 0x61]));
  const image = file('upright.jpg');
  const produce = (environment) => program(['producer.js', 'upright.jpg'], { QUEUE: 'rollout', ...environment });
  const old = await openQueue(tools.redis, { base: 'rollout' });
  await addJobs(old, tools.redis, [{ id: 'waits', image }]);
  // The workers of the new version do nothing for producers of the old one.
  const newer = await startWorker('rollout', { MODELS: models });
  assert.match((await produce({ MODELS: models })).stdout, /: \{"label":"upright"/);
  assert.deepEqual(await old.getJobCounts('waiting'), { waiting: 1 });
  const [, name] = (await program(['queues.js'], { QUEUE: 'rollout' })).stdout.match(
    /^(rollout-[0-9a-f]{8}): 0 to do, 1 completed, 0 failed$/m,
  );
  assert.notEqual(name, old.name);
  assert.match((await program(['queues.js'], { QUEUE: 'rollout' })).stdout, /\(direction@.*\): 1 to do, 0 completed/);
  const remove = () => program(['queues.js', '--remove', old.name], { QUEUE: 'rollout', MODELS: models });
  await assert.rejects(remove(), { code: 1, stderr: 'it has jobs to do\n' });
  const older = await startWorker('rollout');
  await until(async () => (await old.getJobCounts('completed')).completed === 1);
  await stop(older);
  assert.match((await remove()).stdout, /removed\n$/);
  assert.deepEqual(await tools.redis.keys(`*${old.name}*`), []);
  assert.ok((await tools.redis.keys(`*${name}*`)).length > 0);
  assert.deepEqual(
    newer.lines.filter(({ event }) => event === 'completed').map(({ job }) => job.replace(/^\d+/, 'n')),
    ['n-0-upright.jpg'],
  );
  await stop(newer);
  await old.close();
  rmSync(models, { recursive: true });
});

test('wrong numbers in the environment or behind options end a program, which names them', async () => {
  const programs = [
    [['worker.js'], { LOCK_DURATION: '30s' }, "LOCK_DURATION is '30s', wanted a whole number from 1"],
    [['worker.js'], { MAX_STALLED_COUNT: '-1' }, "MAX_STALLED_COUNT is '-1', wanted a whole number from 0"],
    [['worker.js'], { WARM: 'sound' }, "WARM has 'sound', wanted some of image, text, rows"],
    [['measure/kill-test.js', '--workers', '0'], {}, "--workers is '0', wanted a whole number from 1"],
    [['measure/load-test.js', '--jobs', '10,few'], {}, "--jobs is 'few', wanted a whole number from 1"],
  ].map(([args, numbers, message]) => assert.rejects(program(args, numbers), { code: 1, stderr: `${message}\n` }));
  await Promise.all(programs);
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
    await addJobs(queue, tools.redis, [
      { id: 'long', rows },
      { id: 'next', rows: rows.slice(0, 1) },
    ]);
    const { long } = await outcomesOf(results, ['long']);
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
    const { next } = await outcomesOf(results, ['next']);
    assert.deepEqual(next.result, long.result.slice(0, 1));
    await stop(other);
  });
});

test('without Redis, the programs end and say so', async () => {
  const environment = { REDIS_URL: 'redis://user:secret@127.0.0.1:1' };
  const programs = ['worker.js', 'producer.js', 'measure/load-test.js', 'failed.js', 'queues.js'];
  const failures = programs.map((one) =>
    assert.rejects(program([one], environment), ({ code, stderr }) => {
      assert.equal(code, 1, one);
      assert.match(
        stderr,
        /^no Redis at 127\.0\.0\.1:1 \(connect ECONNREFUSED [^)]*\): start one with 'npm run redis', or set REDIS_URL\n$/,
      );
      return true;
    }),
  );
  await Promise.all(failures);
});

test('the producer prints the results of its jobs', async () => {
  const worker = await startWorker('produced');
  const environment = { QUEUE: 'produced' };
  cpSync(join(folder, 'upright.jpg'), join(folder, '10:30.jpg'));
  const named = await program(['producer.js', '10:30.jpg'], environment);
  assert.match(named.stdout, /^\d+-0-10_30\.jpg: \{"label":"upright"/);
  await assert.rejects(program(['producer.js', 'none.jpg'], environment), {
    code: 1,
    stderr: "ENOENT: no such file or directory, open 'none.jpg'\n",
  });
  const args = ['producer.js', 'upright.jpg', '--rows', '5.1,3.5,1.4,0.2', '--rows', '6.3,3.3,6,2.5'];
  const { stdout } = await program(args, environment);
  const lines = stdout.trim().split('\n').sort();
  assert.match(lines[0], /^\d+-0-upright\.jpg: \{"label":"upright","score":/);
  assert.match(lines[1], /^\d+-rows: \[\{"label":"setosa",.*\{"label":"virginica",/);
  await stop(worker);
});
