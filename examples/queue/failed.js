// node failed.js [--retry] [id]...: lists the queue's failed jobs, or those of these ids, and with --retry runs them again.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { Job } from 'bullmq';
import { connect } from './connection.js';
import { openQueue } from './jobs.js';

const page = 100;

async function* failedJobs(queue, ids) {
  if (ids.length > 0) {
    for (const id of ids) {
      const job = await Job.fromId(queue, id);
      if (job && (await job.isFailed())) yield job;
      else console.error(`${id}: no failed job`);
    }
    return;
  }
  // Oldest first: what fails meanwhile comes after these.
  for (let first = 0; ; first += page) {
    const jobs = await queue.getJobs(['failed'], first, first + page - 1, true);
    yield* jobs.filter(Boolean); // A job may have been removed meanwhile.
    if (jobs.length < page) return;
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { retry: { type: 'boolean', default: false } },
});
const redis = await connect().catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
const queue = await openQueue(redis);
try {
  const jobs = [];
  for await (const job of failedJobs(queue, positionals)) {
    jobs.push(job);
    const when = new Date(job.finishedOn).toISOString();
    console.log(`${job.id}: ${job.data.model}, ${when}, ${job.attemptsMade} attempts: ${job.failedReason}`);
  }
  if (values.retry) for (const job of jobs) await job.retry('failed', { resetAttemptsMade: true });
  console.log(`${jobs.length} failed jobs in ${queue.name}${values.retry ? ', which wait again' : ''}`);
} finally {
  await queue.close();
  redis.disconnect();
}
