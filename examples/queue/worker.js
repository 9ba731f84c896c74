// node worker.js: takes jobs until SIGTERM or SIGINT. Writes a line of JSON to stdout for each job that begins and ends.
import { once } from 'node:events';
import process from 'node:process';
import { OnnxError } from 'broadloom';
import { UnrecoverableError, Worker } from 'bullmq';
import { connect } from './connection.js';
import { imageKey, queueName } from './jobs.js';
import { openModels } from './models.js';
import { wholeNumber } from './numbers.js';

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

const log = (event, fields) => console.log(JSON.stringify({ time: Date.now(), event, pid: process.pid, ...fields }));
const models = await openModels();
const redis = await connect().catch(end);

/** For each kind of job what reads its input, and gives the function that computes its result. */
const kinds = new Map([
  ['image', ofBytes((bytes) => models.image(bytes))],
  ['text', ofBytes((bytes) => models.text(bytes), models.openReader)],
  ['rows', (job) => () => models.rows(job.data.rows, reporter(job))],
]);

/** A kind of job whose input is the bytes of an image. `open` makes ready what it needs: a failure of that is not the input's. */
function ofBytes(compute, open) {
  return async ({ data: { hash } }) => {
    const bytes = await redis.getBuffer(imageKey(queueName, hash));
    if (!bytes) throw new UnrecoverableError(`the bytes of image ${hash} are not in Redis any more`);
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

async function run(job) {
  log('started', { job: job.id });
  const prepare = kinds.get(job.name);
  if (!prepare) throw new UnrecoverableError(`no job '${job.name}': there are ${[...kinds.keys()].join(', ')}`);
  const compute = await prepare(job);
  try {
    return await compute();
  } catch (error) {
    // The runtime has ended. Whoever starts the workers starts another, and the job is run again.
    if (error instanceof OnnxError && error.code === 'DISPOSED') process.exit(1);
    // A second run of this input would fail, too.
    throw new UnrecoverableError(error.message);
  }
}

const worker = new Worker(queueName, run, {
  connection: redis,
  // While one job computes, the others' answers are on their way to Redis, and the next job is on its way here.
  concurrency,
  lockDuration,
  stalledInterval: lockDuration / 2,
  // A job that lost more workers than this is a failure: it may be the job that ends them.
  maxStalledCount: numberOf('MAX_STALLED_COUNT', 5, 0),
  // How soon to fetch again after an error of Redis.
  runRetryDelay: 500,
});
worker.on('completed', (job) => log('completed', { job: job.id }));
worker.on('failed', (job, error) => log('failed', { job: job?.id, message: error.message }));
worker.on('error', (error) => {
  // `connect` tells of lost connections.
  if (error.code !== 'ECONNREFUSED' && error.code !== 'ECONNRESET') log('error', { message: error.message });
});

let isStopping = false;
/**
 * Takes no more jobs, finishes those that are under way, and ends. Without Redis it ends at once: it could not record the
 * results, and BullMQ would wait forever for the end of a lost connection. Another worker runs them again.
 */
async function stop() {
  if (isStopping) return; // npm passes the terminal's SIGINT on, so it comes twice
  isStopping = true;
  if (redis.status === 'ready') await Promise.race([worker.close(), once(redis, 'close')]);
  log('stopped');
  process.exit(0);
}
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
// The process that started this one is gone.
process.on('disconnect', stop);

await worker.waitUntilReady();
log('ready');
process.send?.('ready');
