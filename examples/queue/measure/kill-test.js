// node measure/kill-test.js [--jobs 100000] [--workers 3] [--every 1000] [--pause 20000]: kills a random worker in each period of `every`
// milliseconds, cuts links, freezes the reader, kills Redis, and counts how the jobs ended. It starts a Redis of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, createReadStream, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { connect } from '../connection.js';
import { addJobs, openQueue, QueueFullError } from '../jobs.js';
import { openModels } from '../models.js';
import { wholeNumber } from '../numbers.js';
import { sampleImages, sampleRows } from '../samples.js';
import { Crew } from './crew.js';
import { Ledger } from './ledger.js';
import { openLink } from './link.js';
import { Server } from './server.js';

/**
 * Puts jobs, lets workers do them of whom one is killed now and then, lets another process read the results, and counts. When a fifth
 * of the jobs has ended, the reader's link to Redis is cut; then the reader is frozen; then Redis is killed and started again; then
 * the links of the reader and of the workers are cut.
 *
 * @param options.jobs - how many
 * @param options.workers - how many processes
 * @param options.every - milliseconds between two kills
 * @param options.most - how many kills. Default: as long as there are jobs
 * @param options.pause - milliseconds for which a link is cut. The reader is frozen for half as long again
 * @param options.lockDuration - milliseconds after which the jobs of a killed worker may be run again
 * @param options.onProgress - called with the number of jobs that ended, four times a second
 * @returns counts, as `Ledger` makes them, with `kills`, `cuts`, `freezes`, `restarts` and `seconds`
 */
export async function killTest(options) {
  const { jobs, workers = 3, every = 1000, most = Infinity, pause = 20_000, lockDuration = 3000 } = options;
  const { onProgress = () => {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'kill-test-'));
  const [log, outcomes] = ['workers.jsonl', 'outcomes.jsonl'].map((name) => join(folder, name));
  const server = await Server.start(folder);
  const redis = await connect(server.url);
  const queue = await openQueue(redis);
  const links = { reader: await openLink(server.url), workers: await openLink(server.url) };
  const crew = new Crew({
    environment: {
      REDIS_URL: links.workers.url,
      LOCK_DURATION: lockDuration,
      MAX_STALLED_COUNT: 20,
      WARM: 'image,rows', // There are no other jobs, and a worker soon ends.
    },
    log,
  });
  const reader = startReader(links.reader.url, outcomes);
  let timer;
  try {
    const make = await jobMaker();
    const ledger = new Ledger(new Map(Array.from({ length: jobs }, (_, i) => [idOf(i), make.isRight(i)])));
    const done = { kills: 0, cuts: 0, freezes: 0, restarts: 0 };
    const start = performance.now();
    await Promise.all([crew.start(workers), once(reader, 'message')]);
    const putting = putJobs(queue, redis, jobs, make.job, (ids) => reader.send(ids)).then(() => reader.send('end'));
    timer = setInterval(() => {
      if (done.kills < most && crew.kill()) done.kills++;
    }, every);
    const disturbing = disturb({ ledger, jobs, links, reader, server, pause, done });
    const isRead = once(reader, 'exit');
    let from = '-';
    for (; ledger.ended < jobs; await sleep(250)) {
      from = await takeEvents(queue, redis, ledger, from);
      onProgress(ledger.ended);
    }
    const seconds = (performance.now() - start) / 1000;
    clearInterval(timer);
    await Promise.all([putting, disturbing]);
    await crew.stop();
    const [code] = await isRead;
    if (code !== 0) throw new Error(`the reader ended with ${code}`);
    await takeEvents(queue, redis, ledger, from);
    for await (const line of linesOf(log)) ledger.takeLine(line);
    for await (const line of linesOf(outcomes)) ledger.takeOutcome(line);
    return { ...ledger.counts(), ...done, seconds };
  } finally {
    clearInterval(timer);
    reader.kill('SIGKILL');
    await crew.stop();
    for (const link of Object.values(links)) link.close();
    await queue.close();
    redis.disconnect();
    await server.kill();
    await rm(folder, { recursive: true });
  }
}

const idOf = (i) => `job-${i}`;

function startReader(url, file) {
  const out = openSync(file, 'a');
  const environment = { ...process.env, REDIS_URL: url };
  const reader = spawn(process.execPath, [join(import.meta.dirname, 'reader.js')], {
    env: environment,
    stdio: ['ignore', out, 'inherit', 'ipc'],
  });
  closeSync(out);
  return reader;
}

/** One of four jobs is an image. */
async function jobMaker() {
  const models = await openModels();
  const images = await sampleImages(16);
  const rows = sampleRows(64);
  const answers = await Promise.all(images.map((image) => models.image(image)));
  const answersOfRows = await Promise.all(rows.map((row) => models.rows([row])));
  const isImage = (i) => i % 4 === 0;
  return {
    job: (i) => ({ id: idOf(i), ...(isImage(i) ? { image: images[(i / 4) % 16] } : { rows: [rows[i % 64]] }) }),
    isRight: (i) => (result) => isDeepStrictEqual(result, isImage(i) ? answers[(i / 4) % 16] : answersOfRows[i % 64]),
  };
}

/** Puts jobs as long as the queue takes them, and waits while it is full. */
async function putJobs(queue, redis, jobs, job, onPut) {
  for (let first = 0; first < jobs; first += 1000) {
    const some = Array.from({ length: Math.min(1000, jobs - first) }, (_, k) => job(first + k));
    for (let isPut = false; !isPut; ) {
      try {
        await addJobs(queue, redis, some);
        isPut = true;
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error;
        await sleep(1000);
      }
    }
    // A producer that does not know whether the last jobs arrived puts them again.
    await addJobs(queue, redis, some.slice(-10), { mostJobs: Infinity });
    onPut(some.map(({ id }) => id));
  }
}

async function disturb({ ledger, jobs, links, reader, server, pause, done }) {
  const until = async (part) => {
    while (ledger.ended < part * jobs) await sleep(50);
  };
  await until(0.2);
  links.reader.cut();
  done.cuts++;
  await sleep(pause);
  links.reader.mend();
  await until(0.4);
  reader.kill('SIGSTOP');
  done.freezes++;
  await sleep(1.5 * pause);
  reader.kill('SIGCONT');
  await until(0.6);
  await server.kill();
  await server.start();
  done.restarts++;
  await until(0.8);
  for (const link of Object.values(links)) link.cut();
  done.cuts++;
  await sleep(pause);
  for (const link of Object.values(links)) link.mend();
}

/** Takes the events behind `from`, oldest first. Returns the place of the last one. */
async function takeEvents(queue, redis, ledger, from) {
  for (let place = from; ; ) {
    const entries = await redis.xrange(queue.toKey('events'), place, '+', 'COUNT', 5000);
    if (entries.length === 0) return place;
    for (const [, fields] of entries) {
      const names = Array.from({ length: fields.length / 2 }, (_, i) => [fields[2 * i], fields[2 * i + 1]]);
      ledger.takeEvent(Object.fromEntries(names));
    }
    place = `(${entries.at(-1)[0]}`;
  }
}

async function* linesOf(file) {
  for await (const line of createInterface({ input: createReadStream(file) })) yield JSON.parse(line);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const number = (value) => ({ type: 'string', default: `${value}` });
  const { values } = parseArgs({
    options: { jobs: number(100_000), workers: number(3), every: number(1000), pause: number(20_000) },
  });
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
