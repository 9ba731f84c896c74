// node measure/measure.js [--results 23] [--readers 1] [--side 2048]: measures how many bytes the results of jobs take in Redis and on the
// wire, and how long the event loop waits while a picture is decoded.
import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Worker } from 'bullmq';
import jpeg from 'jpeg-js';
import { connect } from '../connection.js';
import { jpegDecoders } from '../decode.js';
import { addJobs, openQueue, removeQueue } from '../jobs.js';
import { openModels } from '../models.js';
import { wholeNumber } from '../numbers.js';
import { Results } from '../results.js';
import { sampleRows } from '../samples.js';

const mebi = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/** Jobs of 2,000 rows, whose results together have this many MiB. Readers read all of them. */
async function measureResults(size, readers) {
  const models = await openModels();
  const rows = sampleRows(2000);
  const result = await models.rows(rows);
  const bytes = JSON.stringify(result).length;
  const count = Math.ceil((size * 2 ** 20) / bytes);
  const redis = await connect();
  const queue = await openQueue(redis, { base: `measure-${randomUUID()}` });
  const worker = new Worker(
    queue.name,
    async (job) => job.updateData({ model: job.data.model, result: await models.rows(job.data.rows) }),
    { connection: redis, concurrency: 4, autorun: false },
  );
  const all = await Promise.all(Array.from({ length: readers }, () => Results.open(queue, redis)));
  const numbers = async () => {
    const info = await redis.info();
    return ['used_memory', 'total_net_output_bytes'].map((name) =>
      Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)[1]),
    );
  };
  try {
    const [empty] = await numbers();
    const ids = Array.from({ length: count }, (_, i) => `job-${i}`);
    await addJobs(
      queue,
      redis,
      ids.map((id) => ({ id, rows })),
    );
    const [, sentBefore] = await numbers();
    worker.run();
    const read = async (results) => {
      for await (const { error } of results.of(ids)) if (error) throw new Error(error);
    };
    await Promise.all(all.map(read));
    const [used, sent] = await numbers();
    // Workers get the jobs' rows, as they must.
    const input = count * JSON.stringify({ model: queue.versions.rows, rows }).length;
    console.log(
      `${mebi(count * bytes)} of results: ${mebi(used - empty)} more in Redis, ${mebi(sent - sentBefore - input)} sent by Redis, with ${readers} readers`,
    );
  } finally {
    await worker.close();
    for (const results of all) await results.close();
    await removeQueue(queue, redis);
    await queue.close();
    redis.disconnect();
  }
}

/** A JPEG file of noise, as no photograph is harder to decode. */
function picture(side) {
  const data = Buffer.alloc(4 * side * side);
  for (let i = 0; i < data.length; i++) data[i] = (i * 2654435761) >>> 24;
  return jpeg.encode({ data, width: side, height: side }, 80).data;
}

async function measurePictures(side) {
  const bytes = picture(side);
  for (const [name, decode] of Object.entries(jpegDecoders)) {
    await decode(bytes); // The first time is slower.
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const start = performance.now();
    await decode(bytes);
    const time = performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, 5));
    delay.disable();
    const wait = delay.max / 1e6;
    console.log(
      `${side} x ${side} JPEG, ${name}: ${time.toFixed(0)} ms, the event loop waits for ${wait.toFixed(0)} ms`,
    );
  }
}

const number = (value) => ({ type: 'string', default: `${value}` });
try {
  const { values } = parseArgs({ options: { results: number(23), readers: number(1), side: number(2048) } });
  const [results, readers, side] = ['results', 'readers', 'side'].map((name) => wholeNumber(`--${name}`, values[name]));
  await measureResults(results, readers);
  await measurePictures(side);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
