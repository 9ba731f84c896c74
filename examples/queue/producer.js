// node producer.js [image]... [--text] [--rows 5.1,3.5,1.4,0.2]...: puts jobs, and prints
// their results as they come. With --text, images are read.
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { connect } from './connection.js';
import { addJobs, openQueue, QueueFullError } from './jobs.js';
import { Results } from './results.js';
import { openTelemetry } from './telemetry.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { text: { type: 'boolean', default: false }, rows: { type: 'string', multiple: true } },
});
const none = positionals.length === 0 && !values.rows;
const paths = none ? ['upright.jpg', 'turned.jpg'].map((name) => join(import.meta.dirname, name)) : positionals;
const run = Date.now();
const end = ({ message }) => {
  console.error(message);
  process.exit(1);
};
const jobOf = async (path, i) => ({
  id: `${run}-${i}-${basename(path).replaceAll(':', '_')}`, // BullMQ has colons in its keys
  image: await readFile(path),
  kind: values.text ? 'text' : 'image',
});
const jobs = await Promise.all(paths.map(jobOf)).catch(end);
if (values.rows) jobs.push({ id: `${run}-rows`, rows: values.rows.map((row) => row.split(',').map(Number)) });

const redis = await connect().catch(end);
const queue = await openQueue(redis, { telemetry: await openTelemetry().catch(end) });
const results = await Results.open(queue, redis);
results.on('progress', ({ id, percent }) => console.error(`${id}: ${percent} %`));
try {
  await addJobs(queue, redis, jobs);
  for await (const { id, result, error } of results.of(jobs.map(({ id }) => id))) {
    console.log(`${id}: ${error ? `failed: ${error}` : JSON.stringify(result)}`);
    if (error) process.exitCode = 1;
  }
} catch (error) {
  if (!(error instanceof QueueFullError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await results.close();
  await queue.close();
  redis.disconnect();
}
