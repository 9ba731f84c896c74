// A model in a pool of worker threads. Each worker has a runtime of its own; the compiled module and the file of the model are
// shared, and tensors move between threads.
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { OnnxError } from 'broadloom';
import { Piscina } from 'piscina';

/** Compiles Broadloom's WebAssembly module. `load({ wasm })` takes the result in every thread. */
export async function compileModule() {
  return WebAssembly.compile(await readFile(fileURLToPath(import.meta.resolve('broadloom/broadloom.wasm'))));
}

/** The worker of a task died in every attempt. `cause` is what the last one died of. */
export class WorkerDiedError extends Error {
  name = 'WorkerDiedError';
}

/** At most `free` holders at a time. The others wait in the order in which they came. */
class Semaphore {
  #free;
  #waiting = [];

  constructor(free) {
    this.#free = free;
  }

  /** @throws AbortError when the signal is aborted first */
  async acquire(signal) {
    if (signal?.aborted) throw aborted(signal);
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise((resolve, reject) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(aborted(signal));
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** As piscina throws it for a task that runs. */
const aborted = ({ reason }) =>
  Object.assign(new DOMException('the task was aborted before it ran', 'AbortError'), { cause: reason });

function checkCounts(counts) {
  for (const [name, { value, least }] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`${name} is ${value}, wanted a whole number from ${least}`);
  }
}

export class ModelPool {
  #pool;
  #slots;
  #attempts;
  #closed = false;
  /** Promises of the calls of `run`. */
  #calls = new Set();
  /** Why no worker starts any more. */
  #broken;

  /** What the model declares, as `Model.inputs` and `Model.outputs` have it. */
  inputs;
  outputs;

  /** The tasks that the pool holds at most: one for each thread, and those that wait. */
  capacity;

  /**
   * Starts the workers, and resolves when each has opened the model.
   *
   * @param file - the bytes of the model
   * @param options.module - what `compileModule` gave
   * @param options.threads - how many workers. Default: one for each processor
   * @param options.waiting - how many tasks may wait for a worker. Default: twice the threads
   * @param options.attempts - how often a task is tried whose worker dies. Default: 3
   * @param options.runtime - options of `load` for each worker, such as `limits` and `maximumMemory`
   * @param options.resourceLimits - those of a `Worker` of node:worker_threads
   * @param options.filename - the worker's file
   * @throws OnnxError when the model cannot run
   * @throws RangeError for wrong numbers of threads, waiting tasks or attempts
   */
  static async open(file, options = {}) {
    const pool = new ModelPool(file, options);
    try {
      // A worker takes one task at a time, so each of these goes to a worker of its own.
      const threads = Array.from({ length: pool.#pool.options.maxThreads });
      const [model] = await Promise.all(threads.map(() => pool.#retried({ name: 'describe' })));
      Object.assign(pool, model);
      return pool;
    } catch (error) {
      await pool.#pool.destroy();
      throw error;
    }
  }

  /** For `open`. */
  constructor(file, options) {
    const { module, threads = availableParallelism(), waiting = 2 * threads, attempts = 3 } = options;
    checkCounts({
      threads: { value: threads, least: 1 },
      waiting: { value: waiting, least: 0 },
      attempts: { value: attempts, least: 1 },
    });
    const { runtime, resourceLimits, filename = fileURLToPath(new URL('worker.js', import.meta.url)) } = options;
    // Memory that all threads see: the file is there once, however many workers read it.
    const shared = new Uint8Array(new SharedArrayBuffer(file.length));
    shared.set(file);
    this.#pool = new Piscina({
      filename,
      minThreads: threads,
      maxThreads: threads,
      resourceLimits,
      workerData: { module, model: shared, runtime },
    });
    this.capacity = threads + waiting;
    this.#slots = new Semaphore(this.capacity);
    this.#attempts = attempts;
    this.#pool.on('error', (error) => {
      // Piscina starts no other worker in the place of one that failed while it started.
      if (this.#pool.threads.length === threads) return;
      this.#broken ??= error;
      this.#pool.destroy();
    });
  }

  /**
   * Runs the model in one of the workers. Waits as long as the pool is full.
   *
   * @param makeFeeds - makes the inputs by name, as messages: `{ x: tensor.toMessage() }`. Their buffers move to the worker and are
   * empty here. It is called when there is room for the task, and again for each further attempt. It may return a promise
   * @param options.signal - ends the task, whether it waits or runs, and the worker that runs it
   * @returns the outputs by name: `{ type, dims, data }`
   * @throws OnnxError as `Model.run` does; such a task is not tried again
   * @throws WorkerDiedError when the worker died in each attempt
   * @throws AbortError when the signal was aborted
   */
  run(makeFeeds, { signal } = {}) {
    const call = this.#run(makeFeeds, signal);
    this.#calls.add(call);
    const forget = () => this.#calls.delete(call);
    call.then(forget, forget);
    return call;
  }

  async #run(makeFeeds, signal) {
    if (this.#closed) throw new Error('the pool was closed');
    await this.#slots.acquire(signal);
    try {
      return await this.#retried({ makeFeeds, signal });
    } finally {
      this.#slots.release();
    }
  }

  /**
   * Runs the model for each item, and yields the outputs in the order of the items. It reads no more items ahead than the pool
   * has room for.
   *
   * @param items - an iterable, also an asynchronous one
   * @param makeFeeds - as in `run`, of an item
   */
  async *map(items, makeFeeds, options) {
    const results = [];
    try {
      for await (const item of items) {
        const result = this.run(() => makeFeeds(item), options);
        result.catch(() => {}); // The caller gets the error when it awaits the result.
        results.push(result);
        if (results.length === this.capacity) yield await results.shift();
      }
      while (results.length > 0) yield await results.shift();
    } finally {
      await Promise.allSettled(results);
    }
  }

  /** Ends the workers when all tasks are done. */
  async close() {
    this.#closed = true;
    await Promise.allSettled(this.#calls);
    await this.#pool.close();
  }

  async #retried(task) {
    for (let attempt = 1; ; attempt++) {
      if (this.#broken) throw this.#broken;
      try {
        return await this.#attempt(task);
      } catch (error) {
        if (!(error instanceof WorkerDiedError)) throw error;
        if (attempt === this.#attempts) {
          throw new WorkerDiedError(`${error.message}, in attempt ${attempt} of ${this.#attempts}`, {
            cause: error.cause,
          });
        }
      }
    }
  }

  async #attempt({ name = 'default', makeFeeds, signal }) {
    const feeds = await makeFeeds?.();
    // Elements of strings have no buffer, and shared memory does not move. A buffer that inputs share moves once.
    const buffers = new Set(Object.values(feeds ?? {}).map((one) => one?.data?.buffer));
    const transferList = [...buffers].filter((one) => one instanceof ArrayBuffer);
    const answer = await this.#pool.run(feeds, { name, transferList, signal }).catch((cause) => {
      if (signal?.aborted || cause.name === 'DataCloneError') throw cause;
      // A worker catches what its task throws, so this rejection is of a worker that died.
      throw new WorkerDiedError(`the worker died: ${cause.message}`, { cause });
    });
    if (answer.error) throw errorOf(answer.error);
    return answer.result;
  }
}

/** A message between threads keeps the name and the properties of no error but JavaScript's own. */
function errorOf({ code, message, ...place }) {
  return code ? new OnnxError(code, message, place) : new Error(message);
}
