// Reads results and progress.
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { QueueEvents } from 'bullmq';
import { answersOf } from './connection.js';

/** Ids in one question to Redis. */
const mostAsked = 1000;
/** Results in one answer of Redis. They may be long. */
const mostRead = 100;

/** Answers of a Redis that has just started, or is busy. */
const passing = /^(LOADING|BUSY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)\b/;

/**
 * The results of a queue's jobs. Events tell which jobs have ended, and their results are then read from Redis, many at a time. An
 * event may be lost: Redis keeps only the newest ones. So all jobs that are waited for are looked up every few seconds, too, and
 * after each reconnection. Emits `progress` with `{ id, percent }`. Any number of programs may read results; each gets those that it
 * asks for.
 */
export class Results extends EventEmitter {
  #queue;
  #redis;
  #events;
  #timer;
  /** For each job that is waited for, the functions that take its outcome. */
  #waiting = new Map();
  /** The jobs to look up next. */
  #asked = new Set();
  #isReading = false;
  #isClosed = false;

  /**
   * @param redis - from `connect`
   * @param options.interval - milliseconds after which all jobs that are waited for are looked up again
   */
  static async open(queue, redis, { interval = 5000 } = {}) {
    // From the newest event on: none that comes later is missed, however long the connection takes.
    const [newest] = await redis.xrevrange(queue.toKey('events'), '+', '-', 'COUNT', 1);
    return new Results(queue, redis, newest?.[0] ?? '0-0', interval);
  }

  /** For `open`. */
  constructor(queue, redis, lastEventId, interval) {
    super();
    this.#queue = queue;
    this.#redis = redis;
    this.#events = new QueueEvents(queue.name, { connection: redis, lastEventId, autorun: false });
    for (const event of ['completed', 'failed', 'removed']) this.#events.on(event, ({ jobId }) => this.#ask([jobId]));
    this.#events.on('progress', ({ jobId, data }) => this.emit('progress', { id: jobId, percent: data }));
    this.#events.on('error', () => {}); // `connect` tells of lost connections.
    this.#listen();
    this.#redis.on('ready', this.#askForAll);
    this.#timer = setInterval(this.#askForAll, interval);
  }

  /**
   * Yields an outcome of each of these jobs, in the order in which they end: `{ id, model, result }` or `{ id, model, error }`. A
   * job that is not in the queue, since it was removed or never put, has `{ id, error, isMissing: true }`.
   *
   * @param options.signal - an AbortSignal, which ends the waiting with its reason
   * @param options.timeout - milliseconds after which a TimeoutError ends the waiting, with the `ids` of the jobs that did not end
   */
  async *of(ids, { signal, timeout } = {}) {
    signal?.throwIfAborted();
    const open = new Map();
    const done = [];
    let failure;
    let wake = () => {};
    const take = (id, outcome) => {
      open.delete(id);
      done.push({ id, ...outcome });
      wake();
    };
    const fail = (error) => {
      failure ??= error;
      wake();
    };
    for (const id of new Set(ids)) open.set(id, { take: (outcome) => take(id, outcome), fail });
    const late = () => fail(timeoutError([...open.keys()], timeout));
    const timer = timeout === undefined ? undefined : setTimeout(late, timeout);
    const abort = () => fail(signal.reason);
    signal?.addEventListener('abort', abort);
    const all = new Map(open);
    try {
      for (const [id, taker] of all) this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(taker));
      this.#ask(all.keys());
      for (let left = all.size; left > 0; left--) {
        while (done.length === 0) {
          if (this.#isClosed) throw new Error('the results are closed');
          if (failure) throw failure;
          await new Promise((resolve) => {
            wake = resolve;
          });
        }
        yield done.shift();
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      for (const [id, taker] of all) this.#forget(id, taker);
    }
  }

  /** Takes a second at most: BullMQ waits until its connection tells that it has ended, and one that is lost never does. */
  async close() {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#redis.off('ready', this.#askForAll);
    this.#fail(new Error('the results are closed'));
    const closed = this.#events.close().catch(() => {}); // A lost connection is closed, too.
    const waited = new AbortController();
    await Promise.race([closed, sleep(1000, undefined, { signal: waited.signal }).catch(() => {})]);
    waited.abort();
  }

  /** Reads events. What ends that, such as an event that is damaged, delays results until they are looked up. */
  async #listen() {
    while (!this.#isClosed) {
      await this.#events.run().catch(() => {});
      if (!this.#isClosed) await sleep(1000);
    }
  }

  #askForAll = () => this.#ask(this.#waiting.keys());

  /** Looks these jobs up, if somebody waits for them. What is asked for meanwhile is in the next question. */
  async #ask(ids) {
    for (const id of ids) if (this.#waiting.has(id)) this.#asked.add(id);
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      while (this.#asked.size > 0) {
        const some = [...this.#asked].slice(0, mostAsked);
        for (const id of some) this.#asked.delete(id);
        await this.#lookUp(some);
      }
    } catch (error) {
      // All are looked up again soon, unless the program has ended the connection, or Redis refuses the question.
      const isRefused = error.name === 'ReplyError' && !passing.test(error.message);
      if (this.#redis.status === 'end' || isRefused) this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  async #lookUp(ids) {
    const keys = ids.map((id) => this.#queue.toKey(id));
    const states = this.#redis.pipeline();
    for (const state of ['completed', 'failed']) states.zmscore(this.#queue.toKey(state), ...ids);
    const [completed, failed, present] = answersOf(await states.exists(...keys).exec());
    // The number tells whether one is missing, but not which.
    const isComplete = present === ids.length;
    const looked = ids.filter((_, i) => completed[i] !== null || failed[i] !== null || !isComplete);
    const hasFailed = new Set(ids.filter((_, i) => failed[i] !== null));
    const hasEnded = new Set(ids.filter((id, i) => completed[i] !== null || hasFailed.has(id)));
    for (let first = 0; first < looked.length; first += mostRead) {
      const some = looked.slice(first, first + mostRead);
      const read = this.#redis.pipeline();
      for (const id of some) {
        if (hasEnded.has(id)) read.hmget(this.#queue.toKey(id), 'data', 'failedReason');
        else read.hexists(this.#queue.toKey(id), 'data');
      }
      const answers = answersOf(await read.exec());
      for (const [i, id] of some.entries()) {
        if (!hasEnded.has(id)) {
          if (answers[i] === 0) this.#settle(id, missing(id));
          continue;
        }
        const [data, error] = answers[i];
        this.#settle(id, data === null ? missing(id) : outcomeOf(JSON.parse(data), hasFailed.has(id) ? error : null));
      }
    }
  }

  #settle(id, outcome) {
    const takers = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const { take } of takers) take(outcome);
  }

  #fail(error) {
    for (const takers of this.#waiting.values()) for (const { fail } of takers) fail(error);
  }

  #forget(id, taker) {
    const takers = this.#waiting.get(id);
    takers?.delete(taker);
    if (takers?.size === 0) this.#waiting.delete(id);
  }
}

const missing = (id) => ({ error: `no job '${id}' in the queue: it was removed, or never put`, isMissing: true });

/** A completed job has its result in place of its input. */
function outcomeOf({ model, result }, error) {
  return error === null ? { model, result } : { model, error };
}

function timeoutError(ids, timeout) {
  const some = ids.length > 3 ? `${ids.slice(0, 3).join(', ')}, ...` : ids.join(', ');
  const error = new Error(`${ids.length} jobs did not end within ${timeout} ms: ${some}`);
  return Object.assign(error, { name: 'TimeoutError', ids });
}
