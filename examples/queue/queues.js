// node queues.js [--remove name]: lists the queues, one for each set of models' versions, or removes one that has no jobs left to do.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { connect } from './connection.js';
import { baseName, openQueue, removeQueue } from './jobs.js';
import { queueNameOf, readVersions } from './versions.js';

const { values } = parseArgs({ options: { remove: { type: 'string' } } });
const redis = await connect().catch(({ message }) => {
  console.error(message);
  process.exit(1);
});
try {
  const versions = await readVersions();
  const own = queueNameOf(baseName, versions);
  const names = new Set();
  for await (const keys of redis.scanStream({ match: `bull:${baseName}-*:meta`, count: 1000 })) {
    for (const key of keys) names.add(key.slice('bull:'.length, -':meta'.length));
  }
  if (values.remove && !names.has(values.remove)) throw new Error(`no queue '${values.remove}'`);
  for (const name of values.remove ? [values.remove] : [...names].sort()) {
    const queue = await openQueue(redis, { name, versions });
    const { completed, failed, ...rest } = await queue.getJobCounts();
    const left = Object.values(rest).reduce((sum, count) => sum + count, 0);
    const mark = name === own ? ` (${Object.values(versions).join(', ')})` : '';
    console.log(`${name}${mark}: ${left} to do, ${completed} completed, ${failed} failed`);
    if (values.remove) {
      if (left > 0) throw new Error('it has jobs to do');
      await removeQueue(queue, redis);
      console.log('removed');
    }
    await queue.close();
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  redis.disconnect();
}
