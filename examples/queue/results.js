// Reads results and progress.
import { EventEmitter } from 'node:events';
import { Job, QueueEvents } from 'bullmq';

/**
 * The results of a queue's jobs, as events tell of them. Emits `progress` with `{ id, percent }`. Any number of programs may read
 * results; each gets all of them.
 */
export class Results extends EventEmitter {
  #queue;
  #events;
  /** For each job the functions that take its outcome. */
  #waiting = new Map();

  /** @param redis - from `connect` */
  static async open(queue, redis) {
    // From the newest event on: none that comes later is missed, however long the connection takes.
    const [newest] = await redis.xrevrange(queue.toKey('events'), '+', '-', 'COUNT', 1);
    return new Results(queue, newest?.[0] ?? '0-0');
  }

  /** For `open`. */
  constructor(queue, lastEventId) {
    super();
    this.#queue = queue;
    this.#events = new QueueEvents(queue.name, { connection: queue.opts.connection, lastEventId });
    this.#events.on('completed', ({ jobId, returnvalue }) => this.#settle(jobId, { result: returnvalue }));
    this.#events.on('failed', ({ jobId, failedReason }) => this.#settle(jobId, { error: failedReason }));
    this.#events.on('progress', ({ jobId, data }) => this.emit('progress', { id: jobId, percent: data }));
    this.#events.on('error', () => {}); // `connect` tells of lost connections.
  }

  /**
   * Yields `{ id, result }` or `{ id, error }` of each of these jobs, in the order in which they end.
   *
   * @throws Error if one of them is not in the queue
   */
  async *of(ids) {
    const takers = new Map();
    const done = [];
    let failure;
    let wake = () => {};
    try {
      for (const id of new Set(ids)) {
        const take = (outcome) => {
          done.push({ id, ...outcome });
          wake();
        };
        takers.set(id, take);
        this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(take));
        this.#lookUp(id).catch((error) => {
          failure = error;
          wake();
        });
      }
      for (let left = takers.size; left > 0; left--) {
        while (done.length === 0) {
          if (failure) throw failure;
          await new Promise((resolve) => {
            wake = resolve;
          });
        }
        yield done.shift();
      }
    } finally {
      for (const [id, take] of takers) this.#forget(id, take);
    }
  }

  /** Takes a second at most: BullMQ waits until its connection tells that it has ended, and one that is lost never does. */
  async close() {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, 1000);
    });
    const closed = this.#events.close().catch(() => {}); // A lost connection is closed, too.
    await Promise.race([closed, late]);
    clearTimeout(timer);
  }

  /** For a job that ended before anybody waited for it: its event is gone, its result is not. */
  async #lookUp(id) {
    const job = await Job.fromId(this.#queue, id);
    if (!job) throw new Error(`no job '${id}' in the queue`);
    if (!job.finishedOn) return;
    this.#settle(id, (await job.isFailed()) ? { error: job.failedReason } : { result: job.returnvalue });
  }

  #settle(id, outcome) {
    const takers = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const take of takers) take(outcome);
  }

  #forget(id, take) {
    const takers = this.#waiting.get(id);
    takers?.delete(take);
    if (takers?.size === 0) this.#waiting.delete(id);
  }
}
