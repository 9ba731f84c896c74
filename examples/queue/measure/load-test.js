// node measure/load-test.js [--kind image,text] [--jobs 1000,100] [--rounds 3] [--workers 1,2,4]: for each kind of job and each number of
// workers, prints the jobs a second and the latency's percentiles. `--jobs` has a number for each kind.
import { randomUUID } from 'node:crypto';
import { devNull } from 'node:os';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { connect } from '../connection.js';
import { addJobs, openQueue, removeQueue } from '../jobs.js';
import { wholeNumber } from '../numbers.js';
import { Results } from '../results.js';
import { sampleImages } from '../samples.js';
import { Crew } from './crew.js';

/** The part of the measured throughput at which latency is measured. */
const load = 0.7;

/**
 * @param options.url - of Redis
 * @param options.kind - `image` or `text`
 * @param options.jobs - how many in each measurement
 * @param options.rounds - how often each number of workers is measured, in turns: what else the machine does meets all of them
 * @param options.workers - numbers of workers
 * @returns for each number of workers: `{ workers, throughput, p50, p95, p99 }`, medians of the rounds, in jobs/s and milliseconds
 */
export async function loadTest({ url, kind, jobs, rounds, workers }) {
  const redis = await connect(url);
  const images = await sampleImages(16);
  const measured = new Map(workers.map((count) => [count, []]));
  try {
    for (let round = 0; round < rounds; round++) {
      for (const [count, list] of measured) list.push(await measure({ redis, url, kind, images, jobs, count }));
    }
  } finally {
    redis.disconnect();
  }
  const median = (list, name) => list.map((one) => one[name]).sort((a, b) => a - b)[Math.floor(list.length / 2)];
  return Array.from(measured, ([count, list]) => ({
    workers: count,
    ...Object.fromEntries(Object.keys(list[0]).map((name) => [name, median(list, name)])),
  }));
}

async function measure({ redis, url, kind, images, jobs, count }) {
  const base = `load-test-${randomUUID()}`;
  const queue = await openQueue(redis, { base, events: 10 * jobs });
  const crew = new Crew({ environment: { QUEUE: base, ...(url && { REDIS_URL: url }) }, log: devNull });
  const jobOf = (part, i) => ({ id: `${part}-${i}`, kind, image: images[i % images.length] });
  const results = await Results.open(queue, redis);
  try {
    await crew.start(count);
    // The first runs of a worker are slower: they prepare the model.
    await finished(
      results,
      await addJobs(
        queue,
        redis,
        Array.from({ length: 50 * count }, (_, i) => jobOf('first', i)),
      ),
    );

    // Throughput: all jobs are there before the first begins.
    await queue.pause();
    const all = await addJobs(
      queue,
      redis,
      Array.from({ length: jobs }, (_, i) => jobOf('all', i)),
    );
    const done = finished(results, all);
    const start = performance.now();
    await queue.resume();
    await done;
    const throughput = (1000 * jobs) / (performance.now() - start);

    // Latency: jobs come at random moments, whether or not the workers keep up.
    const latencies = [];
    const began = new Map();
    const waits = [];
    let due = performance.now();
    for (let i = 0; i < jobs; i++) {
      due += (-Math.log(1 - Math.random()) * 1000) / (load * throughput);
      if (due > performance.now()) await sleep(due - performance.now());
      const job = jobOf('one', i);
      began.set(job.id, due);
      waits.push(
        addJobs(queue, redis, [job])
          .then((added) => finished(results, added))
          .then(() => latencies.push(performance.now() - began.get(job.id))),
      );
    }
    await Promise.all(waits);
    latencies.sort((a, b) => a - b);
    const percentile = (percent) => latencies[Math.ceil((percent / 100) * latencies.length) - 1];
    return { throughput, p50: percentile(50), p95: percentile(95), p99: percentile(99) };
  } finally {
    await crew.stop();
    await results.close();
    await removeQueue(queue, redis);
    await queue.close();
  }
}

/** Resolves when all of these jobs are done. */
async function finished(results, jobs) {
  for await (const { id, error } of results.of(jobs.map((job) => job.id)))
    if (error) throw new Error(`${id}: ${error}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      kind: { type: 'string', default: 'image,text' },
      jobs: { type: 'string', default: '1000,100' },
      rounds: { type: 'string', default: '3' },
      workers: { type: 'string', default: '1,2,4' },
    },
  });
  try {
    const numbersOf = (name) => values[name].split(',').map((text) => wholeNumber(`--${name}`, text));
    const [workers, jobs, [rounds]] = [numbersOf('workers'), numbersOf('jobs'), numbersOf('rounds')];
    for (const [i, kind] of values.kind.split(',').entries()) {
      const rows = await loadTest({ kind, jobs: jobs[i] ?? jobs.at(-1), rounds, workers });
      for (const { workers: count, throughput, p50, p95, p99 } of rows) {
        const speed = `${throughput.toFixed(0)} jobs/s (x ${(throughput / rows[0].throughput).toFixed(2)})`;
        const latency = [p50, p95, p99].map((value) => value.toFixed(0)).join(' / ');
        console.log(`${kind}, ${count} workers: ${speed}, latency ${latency} ms (p50 / p95 / p99)`);
      }
    }
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
