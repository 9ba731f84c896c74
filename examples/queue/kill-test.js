// node kill-test.js [--jobs 100000] [--workers 3] [--every 1000]: kills a random worker in each period of `every` milliseconds,
// and counts how the jobs ended.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { connect } from './connection.js';
import { Crew } from './crew.js';
import { addJobs, openQueue, removeQueue } from './jobs.js';
import { openModels } from './models.js';
import { wholeNumber } from './numbers.js';
import { sampleImages, sampleRows } from './samples.js';

/**
 * Puts jobs, lets workers do them of whom one is killed now and then, and counts.
 *
 * @param options.url - of Redis
 * @param options.jobs - how many
 * @param options.workers - how many processes
 * @param options.every - milliseconds between two kills
 * @param options.most - how many kills. Default: as long as there are jobs
 * @param options.lockDuration - milliseconds after which the jobs of a killed worker may be run again
 * @param options.onProgress - called with the number of jobs that ended, four times a second; may return a promise
 * @returns counts, as `count` makes them, with `kills` and `seconds`
 */
export async function killTest(options) {
  const { url, jobs, workers = 3, every = 1000, most = Infinity, lockDuration = 3000, onProgress = () => {} } = options;
  const redis = await connect(url);
  const name = `kill-test-${randomUUID()}`;
  // All events of all jobs: none may be trimmed before they are counted.
  const queue = openQueue(redis, { name, events: 100 * jobs });
  const folder = await mkdtemp(join(tmpdir(), 'kill-test-'));
  const log = join(folder, 'workers.jsonl');
  const environment = {
    QUEUE: name,
    LOCK_DURATION: lockDuration,
    MAX_STALLED_COUNT: 20,
    ...(url && { REDIS_URL: url }),
  };
  const crew = new Crew({ environment, log });
  let timer;
  try {
    const expected = await putJobs(queue, redis, jobs);
    const start = performance.now();
    await crew.start(workers);
    let kills = 0;
    timer = setInterval(() => {
      if (kills < most && crew.kill()) kills++;
    }, every);
    for (let ended = 0; ended < jobs; ) {
      await sleep(250);
      const { completed, failed } = await queue.getJobCounts('completed', 'failed');
      ended = completed + failed;
      await onProgress(ended);
    }
    const seconds = (performance.now() - start) / 1000;
    clearInterval(timer);
    await crew.stop();
    return { ...(await count(queue, redis, log, expected)), kills, seconds };
  } finally {
    clearInterval(timer);
    await crew.stop();
    await removeQueue(queue, redis);
    await queue.close();
    redis.disconnect();
    await rm(folder, { recursive: true });
  }
}

/** One of four jobs is an image. Returns the result that each job has to have, by id. */
async function putJobs(queue, redis, jobs) {
  const models = await openModels();
  const images = await sampleImages(16);
  const rows = sampleRows(64);
  const answers = images.map((image) => models.image(image));
  const answersOfRows = await Promise.all(rows.map((row) => models.rows([row])));
  const expected = new Map();
  for (let first = 0; first < jobs; first += 1000) {
    const some = Array.from({ length: Math.min(1000, jobs - first) }, (_, k) => {
      const i = first + k;
      const id = `job-${i}`;
      const isImage = i % 4 === 0;
      expected.set(id, isImage ? answers[(i / 4) % images.length] : answersOfRows[i % rows.length]);
      return isImage ? { id, image: images[(i / 4) % images.length] } : { id, rows: [rows[i % rows.length]] };
    });
    await addJobs(queue, redis, some);
    // A producer that does not know whether the last jobs arrived puts them again.
    await addJobs(queue, redis, some.slice(-10));
  }
  return expected;
}

/**
 * Counts jobs that were `completed`, `failed` or `lost`, that were acknowledged twice, that were `repeated` after that, or that
 * have a `wrong` result; and counts `runs`.
 *
 * It counts in two places. One is Redis's stream of events, where the script that completes a job adds an event in the same step. The
 * other is the workers' log: what they began, and what Redis told them was completed.
 */
export async function count(queue, redis, log, expected) {
  const completed = new Set();
  const [twice, repeated, wrong] = [new Set(), new Set(), new Set()];
  let [failed, runs] = [0, 0];
  for await (const { event, jobId, returnvalue } of events(queue, redis)) {
    if (event === 'completed') {
      if (completed.has(jobId)) twice.add(jobId);
      completed.add(jobId);
      if (!isDeepStrictEqual(JSON.parse(returnvalue), expected.get(jobId))) wrong.add(jobId);
    } else if (event === 'active' && completed.has(jobId)) repeated.add(jobId);
    else if (event === 'failed') failed++;
  }
  const told = new Set();
  for (const line of (await readFile(log, 'utf8')).trimEnd().split('\n')) {
    const { event, job } = JSON.parse(line);
    if (event === 'started') {
      runs++;
      if (told.has(job)) repeated.add(job);
    } else if (event === 'completed') {
      if (told.has(job)) twice.add(job);
      told.add(job);
    }
  }
  return {
    jobs: expected.size,
    completed: completed.size,
    failed,
    lost: [...expected.keys()].filter((id) => !completed.has(id)).length,
    acknowledgedTwice: twice.size,
    repeated: repeated.size,
    wrong: wrong.size,
    runs,
  };
}

/** All events of the queue, oldest first. */
async function* events(queue, redis) {
  for (let from = '-'; ; ) {
    const entries = await redis.xrange(queue.toKey('events'), from, '+', 'COUNT', 5000);
    if (entries.length === 0) return;
    for (const [, fields] of entries) {
      yield Object.fromEntries(Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i], fields[2 * i + 1]]));
    }
    from = `(${entries.at(-1)[0]}`;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const number = (value) => ({ type: 'string', default: `${value}` });
  const { values } = parseArgs({ options: { jobs: number(100_000), workers: number(3), every: number(1000) } });
  let last = 0;
  try {
    const options = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, wholeNumber(`--${name}`, value)]),
    );
    const onProgress = (ended) => {
      if (ended - last >= options.jobs / 20) console.error(`${(last = ended)} jobs ended`);
    };
    const counts = await killTest({ ...options, onProgress });
    for (const [name, value] of Object.entries(counts)) console.log(`${name}: ${Math.round(value)}`);
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
