// examples/queue: workers end in time, are watched, and try again what may pass.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  addJobs,
  file,
  folder,
  freePort,
  lineOf,
  outcomesOf,
  requireOf,
  sampleRows,
  start,
  stop,
  until,
  useRedis,
} from './queue.mjs';

const tools = useRedis();
const { startWorker, withQueue } = tools;
const lineIs = (wanted) => (line) => line.event === wanted;

test('SIGTERM ends a worker whose Redis is away, and its job is run again', async () => {
  await withQueue('away', async (queue, results) => {
    const [idle, busy] = await Promise.all([startWorker('idle'), startWorker('away', { LOCK_DURATION: '1000' })]);
    await addJobs(queue, tools.redis, [{ id: 'long', rows: sampleRows(200_000) }]);
    await lineOf(busy, lineIs('started'));
    await tools.server.kill();
    // The workers have seen it, and wait before they connect again.
    await until(() => [idle, busy].every((worker) => worker.text.includes('the connection to Redis is lost')));
    const ended = await Promise.all([idle, busy].map((worker) => stop(worker)));
    await tools.server.start();
    assert.deepEqual(ended, [
      [0, null],
      [0, null],
    ]);
    const other = await startWorker('away', { LOCK_DURATION: '1000' });
    const { long } = await outcomesOf(results, ['long']);
    assert.equal(long.result.length, 200_000);
    await stop(other);
  });
});

test('SIGTERM ends a worker whose Redis hangs, after its deadline, with a code that says so', async () => {
  await withQueue('hangs', async (queue, results) => {
    const settings = { LOCK_DURATION: '1000', STOP_DEADLINE: '300' };
    const [idle, busy] = await Promise.all([startWorker('idle', settings), startWorker('hangs', settings)]);
    await addJobs(queue, tools.redis, [{ id: 'long', rows: sampleRows(200_000) }]);
    await lineOf(busy, lineIs('started'));
    tools.server.signal('SIGSTOP');
    try {
      const ended = await Promise.all([idle, busy].map((worker) => stop(worker)));
      assert.deepEqual(ended, [
        [3, null],
        [3, null],
      ]);
    } finally {
      tools.server.signal('SIGCONT');
    }
    const other = await startWorker('hangs', { LOCK_DURATION: '1000' });
    const { long } = await outcomesOf(results, ['long']);
    assert.equal(long.result.length, 200_000);
    await stop(other);
  });
});

test('a worker is ready when its models are warm, and not while it stops or Redis hangs', async () => {
  const port = await freePort();
  const get = async (path) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
  const environment = { REDIS_URL: tools.server.url, QUEUE: 'watched', HEALTH_PORT: port, CONCURRENCY: '1' };
  const worker = start(['worker.js'], environment);
  const ready = once(worker, 'message');
  const early = await until(() => get('/readyz').catch(() => false));
  if (!worker.lines.some(lineIs('ready'))) assert.deepEqual(early, [503, 'the models are warming up\n']);
  await ready;
  assert.deepEqual(await get('/readyz'), [200, 'ok\n']);
  assert.deepEqual(await get('/healthz'), [200, 'ok\n']);
  assert.deepEqual(await get('/other'), [404, 'not found\n']);

  tools.server.signal('SIGSTOP');
  assert.deepEqual(await get('/readyz'), [503, 'Redis does not answer within 1000 ms\n']);
  assert.deepEqual(await get('/healthz'), [200, 'ok\n']);
  assert.equal((await get('/metrics'))[0], 503);
  tools.server.signal('SIGCONT');
  await until(async () => (await get('/readyz'))[0] === 200);

  await withQueue('watched', async (queue, results) => {
    await addJobs(queue, tools.redis, [
      { id: 'done', rows: sampleRows(1) },
      { id: 'broken', rows: [[1]] },
    ]);
    await outcomesOf(results, ['done', 'broken']);
    const [status, text] = await get('/metrics');
    assert.equal(status, 200);
    for (const line of [
      `bullmq_job_count{queue="${queue.name}", state="waiting"} 0`,
      `bullmq_job_completed_total{queue="${queue.name}"} 1`,
      `bullmq_job_failed_total{queue="${queue.name}"} 1`,
    ])
      assert.ok(text.includes(`${line}\n`), text);
    const progressed = once(results, 'progress');
    await addJobs(queue, tools.redis, [{ id: 'long', rows: sampleRows(300_000) }]);
    await progressed;
    const ended = stop(worker);
    assert.deepEqual(await until(async () => ((await get('/readyz'))[0] === 503 ? get('/readyz') : false)), [
      503,
      'the worker stops\n',
    ]);
    assert.deepEqual(await ended, [0, null]);
  });
});

test('traces are made where bullmq-otel is installed and the environment asks for it', async () => {
  // A tracer that prints each span's name when it ends. Programs have the SDK of OpenTelemetry there.
  const api = pathToFileURL(requireOf.resolve('@opentelemetry/api')).href;
  const path = join(folder, 'tracer.mjs');
  writeFileSync(
    path,
    `import { trace } from '${api}';
    const span = (name) => new Proxy({ spanContext: () => ({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
      end: () => console.log(JSON.stringify({ span: name })) }, { get: (own, key) => own[key] ?? (() => {}) });
    trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: span }) });`,
  );
  const tracer = { NODE_OPTIONS: `--import=${pathToFileURL(path).href}` };
  await withQueue('traced', async (queue, results) => {
    const spansOf = async (environment, id) => {
      const worker = await startWorker('traced', { ...tracer, ...environment });
      await addJobs(queue, tools.redis, [{ id, rows: sampleRows(1) }]);
      await outcomesOf(results, [id]);
      await stop(worker);
      return worker.lines.filter(({ span }) => span).map(({ span }) => span);
    };
    assert.ok((await spansOf({ OTEL_SERVICE_NAME: 'worker' }, 'one')).includes(`process ${queue.name}`));
    assert.deepEqual(await spansOf({}, 'two'), []);
  });
});

test('a job whose run was paused for longer than it may take is run again', async () => {
  await withQueue('paused', async (queue, results) => {
    const worker = await startWorker('paused', { WARM: 'text', RUN_MILLISECONDS: '1000' });
    let tries = 0;
    await until(async () => {
      const id = `try-${tries++}`;
      await addJobs(queue, tools.redis, [{ id, kind: 'text', image: file('upright.jpg') }]);
      await lineOf(worker, ({ event, job }) => event === 'started' && job === id);
      // The run begins a few milliseconds later, and takes a hundred.
      await new Promise((resolve) => setTimeout(resolve, 10 + 5 * tries));
      worker.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 1500));
      worker.kill('SIGCONT');
      const { [id]: outcome } = await outcomesOf(results, [id]);
      assert.equal(outcome.result?.text, 'BROA', JSON.stringify(outcome));
      return worker.lines.some(lineIs('failed'));
    });
    await stop(worker);
  });
});
