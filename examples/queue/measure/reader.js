// node measure/reader.js: reads the results of jobs whose ids its parent process sends, in lists, and writes each outcome to stdout as a line
// of JSON. It ends when the parent sends `end` and all are read.
import process from 'node:process';
import { connect } from '../connection.js';
import { openQueue } from '../jobs.js';
import { Results } from '../results.js';

const redis = await connect();
const queue = await openQueue(redis);
const results = await Results.open(queue, redis);
const all = [];

async function read(ids) {
  for await (const outcome of results.of(ids)) console.log(JSON.stringify(outcome));
}

async function end() {
  await Promise.all(all);
  await results.close();
  await queue.close();
  redis.disconnect();
  process.disconnect();
}

process.on('message', (message) => (message === 'end' ? end() : all.push(read(message))));
process.send('ready');
