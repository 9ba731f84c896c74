// The queue and its jobs, for those who put jobs and read results.
import process from 'node:process';
import { Queue } from 'bullmq';
import { answersOf } from './connection.js';
import { queueNameOf, readVersions } from './versions.js';

const day = 24 * 60 * 60; // seconds

/** The first part of the queue's name, where the environment has no other. The second part follows from the models. */
export const baseName = process.env.QUEUE ?? 'inference';

/** Ended jobs that stay, each for a day at most. */
const kept = { completed: 50_000, failed: 5_000 };

/** Jobs that wait or run. A producer that meets more is refused. */
const mostJobs = 50_000;

/** The part of Redis's `maxmemory` that producers may fill. Workers need the rest: a full Redis records no results. */
const share = 0.75;

/** A job was not put: the queue, or Redis, is full. Nothing is lost: put it again later. */
export class QueueFullError extends Error {
  name = 'QueueFullError';
}

/**
 * The queue for jobs of these models. As long as a job is there, another one of the same id is not added.
 *
 * @param redis - from `connect`
 * @param options.versions - of the models, from `readVersions`, which is the default
 * @param options.base - the first part of the queue's name. Default: `baseName`
 * @param options.name - its whole name. Default: `base` and a hash of the versions
 * @param options.events - how many events Redis keeps, about. Default: 10000
 * @param options.telemetry - from `openTelemetry`
 * @returns BullMQ's queue, with `versions`
 */
export async function openQueue(redis, options = {}) {
  const { versions = await readVersions(), base = baseName, events = 10_000, telemetry } = options;
  const queue = new Queue(options.name ?? queueNameOf(base, versions), {
    connection: redis,
    ...(telemetry && { telemetry }),
    streams: { events: { maxLen: events } },
    defaultJobOptions: {
      attempts: 3,
      backoff: { type: 'exponential', delay: 500 },
      removeOnComplete: { age: day, count: kept.completed },
      removeOnFail: { age: day, count: kept.failed },
    },
  });
  queue.on('error', () => {}); // `connect` tells of lost connections, and calls throw the others.
  return Object.assign(queue, { versions });
}

/** Where the bytes of a job's image are. */
export const imageKey = (name, id) => `${name}:image:${id}`;

/**
 * Puts jobs: `{ id, image }` with the bytes of a PNG or JPEG file, and `{ id, rows }` with lists of numbers. With `kind: 'text'` an
 * image is read. Jobs whose id is in the queue are not put again: all that wait or run, and those that ended and still are there.
 *
 * @param redis - from `connect`
 * @param options.mostJobs - jobs that may wait or run, these included. Default: 50000
 * @param options.mostBytes - of Redis's memory, before these are put. Default: three quarters of its `maxmemory`
 * @returns BullMQ's jobs that were put
 * @throws QueueFullError if there is more, or if Redis is full
 */
export async function addJobs(queue, redis, jobs, options = {}) {
  const isThere = redis.pipeline();
  for (const { id } of jobs) isThere.exists(queue.toKey(id));
  const there = answersOf(await isThere.exec());
  const added = jobs.filter((_, i) => there[i] === 0);
  await requireRoom(queue, redis, added.length, options);
  const entries = added.map(({ id, kind = 'image', image, rows }) => {
    const name = image ? kind : 'rows';
    // Bytes are no part of the job, which is JSON.
    return { name, data: { model: queue.versions[name], ...(!image && { rows }) }, opts: { jobId: id } };
  });
  try {
    // Images are there before their jobs are. The worker that completes a job removes its image.
    const images = redis.pipeline();
    for (const { id, image } of added) {
      // ioredis takes bytes as a Buffer alone.
      if (image) images.set(imageKey(queue.name, id), Buffer.from(image), 'EX', 2 * day);
    }
    answersOf(await images.exec());
    return await queue.addBulk(entries);
  } catch (error) {
    if (!/\bOOM\b/.test(error.message)) throw error;
    throw new QueueFullError(`Redis is full (${error.message})`, { cause: error });
  }
}

/** Several producers that ask at once may together put more than each of them may. */
async function requireRoom(queue, redis, more, options) {
  if (more === 0) return;
  const [counts, memory] = await Promise.all([
    queue.getJobCounts('waiting', 'paused', 'active', 'delayed', 'prioritized'),
    redis.info('memory'),
  ]);
  const { mostJobs: most = mostJobs, mostBytes = share * numberIn(memory, 'maxmemory') || Infinity } = options;
  const jobs = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (jobs + more > most) throw new QueueFullError(`the queue holds ${jobs} jobs, and ${more} more make over ${most}`);
  const bytes = numberIn(memory, 'used_memory');
  if (bytes > mostBytes) throw new QueueFullError(`Redis holds ${bytes} bytes, more than ${Math.floor(mostBytes)}`);
}

const numberIn = (info, name) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)[1]);

/** Removes the queue, its jobs and its images. */
export async function removeQueue(queue, redis) {
  await queue.obliterate({ force: true });
  for await (const keys of redis.scanStream({ match: imageKey(queue.name, '*'), count: 1000 })) {
    if (keys.length > 0) await redis.unlink(keys);
  }
}
