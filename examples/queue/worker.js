// node worker.js: takes jobs until SIGTERM or SIGINT. Writes a line of JSON to stdout for each job that begins and ends.
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { OnnxError } from 'broadloom';
import { MetricsTime, UnrecoverableError, Worker } from 'bullmq';
import { connect } from './connection.js';
import { mayPass } from './errors.js';
import { serveHealth } from './health.js';
import { imageKey, openQueue } from './jobs.js';
import { openModels } from './models.js';
import { wholeNumber } from './numbers.js';
import { sampleImages, sampleRows } from './samples.js';
import { openTelemetry } from './telemetry.js';

function end({ message }) {
  console.error(message);
  process.exit(1);
}

/** Milliseconds between two reports of a job's progress: each is a write to Redis's disk. Shorter jobs have none. */
const reportInterval = 100;
function numberOf(name, otherwise, least) {
  try {
    return wholeNumber(name, process.env[name] ?? otherwise, least);
  } catch (error) {
    return end(error);
  }
}
const concurrency = numberOf('CONCURRENCY', 4);
// The event loop renews the locks, after half of this time. It waits for runs, for as many as `concurrency` in a row.
const lockDuration = numberOf('LOCK_DURATION', 30_000);
const stopDeadline = numberOf('STOP_DEADLINE', 10_000);
const milliseconds = numberOf('RUN_MILLISECONDS', 2_000);
const healthPort = numberOf('HEALTH_PORT', 0, 0);
/** Exit code of a worker whose jobs did not end before the deadline. Other workers run them again. */
const leftJobs = 3;

const log = (event, fields) => console.log(JSON.stringify({ time: Date.now(), event, pid: process.pid, ...fields }));
const telemetry = await openTelemetry().catch(end);
const models = await openModels({ elements: 2 ** 26, milliseconds }).catch(end);
const redis = await connect().catch(end);
const queue = await openQueue(redis, { versions: models.versions, telemetry });

/** Why the worker takes no jobs. */
let reason = 'the models are warming up';
if (healthPort) {
  const host = process.env.HEALTH_HOST ?? '127.0.0.1';
  await serveHealth({ port: healthPort, host, isReady: () => reason, queue, redis }).catch(end);
}

/** For each kind of job what reads its input, and gives the function that computes its result. */
const kinds = new Map([
  ['image', ofBytes((bytes) => models.image(bytes))],
  ['text', ofBytes((bytes) => models.text(bytes), models.openReader)],
  ['rows', (job) => () => models.rows(job.data.rows, reporter(job))],
]);

/** A kind of job whose input is the bytes of an image. `open` makes ready what it needs: a failure of that is not the input's. */
function ofBytes(compute, open) {
  return async ({ id }) => {
    const bytes = await redis.getBuffer(imageKey(queue.name, id));
    if (!bytes) throw new UnrecoverableError(`the bytes of the image are not in Redis any more`);
    await open?.();
    return () => compute(bytes);
  };
}

/** Reports progress in percent, not too often. */
function reporter(job) {
  let last = performance.now();
  return async (part) => {
    if (performance.now() - last < reportInterval) return;
    last = performance.now();
    await job.updateProgress(Math.round(100 * part)).catch(() => {}); // The job is worth more than its progress.
  };
}

/**
 * Runs a job. Its result takes the place of its input, in the job. What BullMQ calls the result is nothing: BullMQ would store it
 * once more in an event, and send that to all who read events.
 */
async function run(job) {
  log('started', { job: job.id });
  const prepare = kinds.get(job.name);
  if (!prepare) throw new UnrecoverableError(`no job '${job.name}': there are ${[...kinds.keys()].join(', ')}`);
  const { model, result } = job.data;
  if (result !== undefined) return; // A worker died between the result and the completion.
  if (model !== models.versions[job.name])
    throw new UnrecoverableError(`the job is for ${model}, and this worker has ${models.versions[job.name]}`);
  const compute = await prepare(job);
  await job.updateData({ model, result: await computed(compute) });
}

async function computed(compute) {
  try {
    return await compute();
  } catch (error) {
    // The runtime has ended. Whoever starts the workers starts another, and the job is run again.
    if (error instanceof OnnxError && error.code === 'DISPOSED') process.exit(1);
    if (error instanceof OnnxError && mayPass(error)) throw error;
    // A second run of this input would fail, too.
    throw new UnrecoverableError(error.message);
  }
}

// A model's first run makes its plan, and engines compile what is run often.
const wanted = (process.env.WARM ?? [...kinds.keys()].join()).split(',');
const [image] = await sampleImages(1);
const first = {
  image: () => models.image(image),
  text: () => models.text(image),
  rows: () => models.rows(sampleRows(1)),
};
for (const kind of wanted) {
  if (!first[kind]) end(new Error(`WARM has '${kind}', wanted some of ${[...kinds.keys()].join(', ')}`));
  await first[kind]().catch(end);
}

const worker = new Worker(queue.name, run, {
  connection: redis,
  ...(telemetry && { telemetry }),
  // Counts of each minute, which `/metrics` and BullMQ's `getMetrics` read.
  metrics: { maxDataPoints: MetricsTime.ONE_WEEK },
  // While one job computes, the others' answers are on their way to Redis, and the next job is on its way here.
  concurrency,
  lockDuration,
  stalledInterval: lockDuration / 2,
  // A job that lost more workers than this is a failure: it may be the job that ends them.
  maxStalledCount: numberOf('MAX_STALLED_COUNT', 5, 0),
  // How soon to fetch again after an error of Redis.
  runRetryDelay: 500,
});
worker.on('completed', (job) => {
  log('completed', { job: job.id });
  redis.unlink(imageKey(queue.name, job.id)).catch(() => {}); // It ends by itself, later.
});
worker.on('failed', (job, error) => log('failed', { job: job?.id, message: error.message }));
worker.on('error', (error) => {
  // `connect` tells of lost connections.
  if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') log('error', { message: error.message });
});

/**
 * Takes no more jobs, finishes those that are under way, and ends. Without Redis it ends at once: it could not record the
 * results, and BullMQ would wait forever for the end of a lost connection. Another worker runs them again. So it is with a Redis
 * that does not answer before the deadline.
 */
async function stop() {
  if (reason === 'the worker stops') return; // npm passes the terminal's SIGINT on, so it comes twice
  reason = 'the worker stops';
  const late = sleep(stopDeadline, leftJobs);
  const lost = new Promise((resolve) => redis.once('close', resolve));
  const ended = redis.status === 'ready' ? Promise.race([worker.close(), lost]) : Promise.resolve();
  const code = await Promise.race([ended.then(() => 0), late]);
  log('stopped', { code });
  process.exit(code);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The process that started this one is gone.
process.on('disconnect', stop);

await worker.waitUntilReady();
reason = undefined;
log('ready', { queue: queue.name });
process.send?.('ready');
