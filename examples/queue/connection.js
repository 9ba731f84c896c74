// The connection to Redis.
import process from 'node:process';
import { Redis } from 'ioredis';

/**
 * Connects, and fails at once when nobody answers. A connection that was there once is made again whenever it is lost, for as
 * long as that takes: Redis may restart.
 *
 * @param url - Default: the environment's REDIS_URL, or this machine's Redis
 */
export async function connect(url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379') {
  let connected = false;
  const redis = new Redis(url, {
    lazyConnect: true,
    // BullMQ's workers wait for their answers, however long Redis is away.
    maxRetriesPerRequest: null,
    // A link that was cut in between never says so. The longest that BullMQ waits for one answer is 10 seconds.
    socketTimeout: 30_000,
    retryStrategy: (attempt) => (connected ? Math.min(50 * attempt, 1000) : null),
  });
  let reason;
  redis.on('error', (error) => {
    reason = error;
  });
  try {
    await redis.connect();
  } catch (error) {
    const { host, port } = redis.options;
    const why = (reason ?? error).message || (reason ?? error).code;
    throw new Error(`no Redis at ${host}:${port} (${why}): start one with 'npm run redis', or set REDIS_URL`, {
      cause: reason,
    });
  }
  connected = true;
  let isAway = false;
  redis.on('close', () => {
    // ioredis sets `status` to this when the program itself ends the connection.
    if (redis.status === 'end' || isAway) return;
    isAway = true;
    console.error(`the connection to Redis is lost${reason ? ` (${reason.message})` : ''}; trying again`);
  });
  redis.on('ready', () => {
    if (isAway) console.error('the connection to Redis is there again');
    isAway = false;
  });
  return redis;
}

/** The answers to the commands of a pipeline, from its `exec`. Throws the first error. */
export function answersOf(replies) {
  return replies.map(([error, answer]) => {
    if (error) throw error;
    return answer;
  });
}
