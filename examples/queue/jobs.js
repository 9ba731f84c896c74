// The queue and its jobs, for those who put jobs and read results.
import { createHash } from 'node:crypto';
import process from 'node:process';
import { Queue } from 'bullmq';

const day = 24 * 60 * 60; // seconds

/** The name of the queue, where the environment has no other. */
export const queueName = process.env.QUEUE ?? 'inference';

/**
 * The queue. Results and failures stay for a day. As long as a job is there, another one of the same id is not added.
 *
 * @param redis - from `connect`
 * @param options.events - how many events Redis keeps, about. Default: 10000
 */
export function openQueue(redis, { name = queueName, events = 10_000 } = {}) {
  const queue = new Queue(name, {
    connection: redis,
    streams: { events: { maxLen: events } },
    defaultJobOptions: {
      attempts: 3,
      backoff: { type: 'exponential', delay: 500 },
      removeOnComplete: { age: day },
      removeOnFail: { age: day },
    },
  });
  queue.on('error', () => {}); // `connect` tells of lost connections, and calls throw the others.
  return queue;
}

/** Where the bytes of an image are. Equal images are there once. */
export const imageKey = (name, hash) => `${name}:image:${hash}`;

/**
 * Puts jobs: `{ id, image }` with the bytes of a PNG or JPEG file, and `{ id, rows }` with lists of numbers. With `kind: 'text'` an
 * image is read. Jobs whose id is in the queue, or was there within the last day, are not put again.
 *
 * @param redis - from `connect`
 * @returns BullMQ's jobs
 */
export async function addJobs(queue, redis, jobs) {
  // Bytes are no part of the job, which is JSON. They are there before the job is, and stay as long as its result.
  const images = new Map();
  const entries = jobs.map(({ id, kind = 'image', image, rows }) => {
    if (!image) return { name: 'rows', data: { rows }, opts: { jobId: id } };
    const hash = createHash('sha256').update(image).digest('hex');
    images.set(hash, image);
    return { name: kind, data: { hash }, opts: { jobId: id } };
  });
  // ioredis takes bytes as a Buffer alone.
  const put = ([hash, image]) => redis.set(imageKey(queue.name, hash), Buffer.from(image), 'EX', 2 * day);
  await Promise.all(Array.from(images, put));
  return queue.addBulk(entries);
}

/** Removes the queue, its jobs and its images. */
export async function removeQueue(queue, redis) {
  await queue.obliterate({ force: true });
  for await (const keys of redis.scanStream({ match: imageKey(queue.name, '*') })) {
    if (keys.length > 0) await redis.del(keys);
  }
}
