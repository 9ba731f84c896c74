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

/** The pool holds as many tasks as it has room for. */
export class PoolFullError extends Error {
  name = 'PoolFullError';
}

/** The pool was closed before the task, or before its end. */
export class PoolClosedError extends Error {
  name = 'PoolClosedError';
}

/** At most `free` holders at a time. The others wait in the order in which they came. */
class Semaphore {
  #free;
  #waiting = [];

  constructor(free) {
    this.#free = free;
  }

  /** Whether there was room. */
  tryAcquire() {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  /** @throws the signal's reason when it is aborted first */
  async acquire(signal) {
    if (this.tryAcquire()) return;
    let enter;
    const entered = new Promise((resolve) => {
      enter = resolve;
      this.#waiting.push(enter);
    });
    await unlessAborted(entered, signal, () => this.#waiting.splice(this.#waiting.indexOf(enter), 1));
  }

  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** Settles as the promise does, or at once with the signal's reason when it is aborted. `leave` is called in that case. */
function unlessAborted(promise, signal, leave = () => {}) {
  return new Promise((resolve, reject) => {
    const end = () => {
      leave();
      reject(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', end));
  });
}

/** The tasks of each signal. A signal has one listener for all of them: Node.js warns where one has many. */
const tasksOf = new WeakMap();

/** Aborts the task with the signal, until the function that it returns is called. The error is as piscina's. */
function follow(signal, task) {
  if (signal === undefined) return () => {};
  const abort = (one) =>
    one.abort(Object.assign(new DOMException('the task was aborted', 'AbortError'), { cause: signal.reason }));
  if (signal.aborted) abort(task);
  if (!tasksOf.has(signal)) {
    tasksOf.set(signal, new Set());
    signal.addEventListener('abort', () => tasksOf.get(signal).forEach(abort), { once: true });
  }
  tasksOf.get(signal).add(task);
  return () => tasksOf.get(signal).delete(task);
}

function checkCounts(counts) {
  for (const [name, { value, least }] of Object.entries(counts)) {
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`${name} is ${value}, wanted a whole number from ${least}`);
  }
}

export class ModelPool {
  #pool;
  /** Room for tasks, whether they run or not. */
  #room;
  /** Workers that have no task. */
  #idle;
  #attempts;
  /** The milliseconds that a worker takes until it has opened the model. */
  #start;
  #closed = false;
  /** The work of each task, which may outlive the caller's promise, and the controller that aborts it. */
  #tasks = new Map();
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
   * @param options.maxQueue - how many tasks may wait for a worker. Default: twice the threads
   * @param options.attempts - how often a task is tried whose worker dies. Default: 3
   * @param options.runtime - options of `load` for each worker, such as `limits` and `maximumMemory`
   * @param options.resourceLimits - those of a `Worker` of node:worker_threads
   * @param options.filename - the worker's file
   * @throws OnnxError when the model cannot run
   * @throws RangeError for wrong numbers of threads, tasks or attempts
   */
  static async open(file, options = {}) {
    const began = performance.now();
    const pool = new ModelPool(file, options);
    const { signal } = new AbortController();
    const describe = async () => {
      const model = await pool.#retried({ name: 'describe', signal });
      pool.#start ??= performance.now() - began;
      return model;
    };
    try {
      // A worker takes one task at a time, so each of these goes to a worker of its own.
      const [model] = await Promise.all(Array.from({ length: pool.#pool.options.maxThreads }, describe));
      Object.assign(pool, model);
      return pool;
    } catch (error) {
      await pool.#pool.destroy();
      throw error;
    }
  }

  /** For `open`. */
  constructor(file, options) {
    const { module, threads = availableParallelism(), maxQueue = 2 * threads, attempts = 3 } = options;
    checkCounts({
      threads: { value: threads, least: 1 },
      maxQueue: { value: maxQueue, least: 0 },
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
    this.capacity = threads + maxQueue;
    this.#room = new Semaphore(this.capacity);
    this.#idle = new Semaphore(threads);
    this.#attempts = attempts;
    this.#pool.on('error', (error) => {
      // Piscina starts no other worker in the place of one that failed while it started.
      if (this.#pool.threads.length === threads) return;
      this.#broken ??= error;
      this.#pool.destroy();
    });
  }

  /**
   * Runs the model in one of the workers.
   *
   * @param makeFeeds - makes the inputs by name, as messages: `{ x: tensor.toMessage() }`. Their buffers move to the worker and are
   * empty here. It gets a signal that is aborted with the task. It is called again for each further attempt. It may return a promise
   * @param options.signal - ends the task, whether its input is made, it waits or it runs. The caller is answered at once. A worker
   * that runs the task may end it in the time that a start of a worker takes; then it is replaced
   * @returns the outputs by name: `{ type, dims, data }`
   * @throws PoolFullError at once when there is no room for the task
   * @throws OnnxError as `Model.run` does; such a task is not tried again
   * @throws WorkerDiedError when the worker died in each attempt
   * @throws AbortError when the signal was aborted
   * @throws PoolClosedError when the pool was closed before the task, or its deadline before the end of the task
   */
  run(makeFeeds, { signal } = {}) {
    return this.#begin(makeFeeds, signal, () => {
      if (!this.#room.tryAcquire())
        throw new PoolFullError(`the pool holds ${this.capacity} tasks, which is all that it has room for`);
    });
  }

  #begin(makeFeeds, signal, enter) {
    const task = new AbortController();
    const unfollow = follow(signal, task);
    const work = this.#work(makeFeeds, task.signal, enter);
    this.#tasks.set(work, task);
    const forget = () => {
      unfollow();
      this.#tasks.delete(work);
    };
    work.then(forget, forget);
    return unlessAborted(work, task.signal);
  }

  /** Has its room until no worker runs the task any more. */
  async #work(makeFeeds, signal, enter) {
    if (this.#closed) throw new PoolClosedError('the pool was closed');
    signal.throwIfAborted();
    await enter(signal);
    try {
      return await this.#retried({ makeFeeds, signal });
    } finally {
      this.#room.release();
    }
  }

  /**
   * Runs the model for each item, and yields the outputs in the order of the items. It waits as long as the pool is full, and reads
   * no more items ahead than the pool has room for.
   *
   * @param items - an iterable, also an asynchronous one
   * @param makeFeeds - as in `run`, of an item and a signal
   * @param options.signal - ends all tasks, as in `run`
   */
  async *map(items, makeFeeds, { signal } = {}) {
    const results = [];
    try {
      for await (const item of items) {
        const make = (aborted) => makeFeeds(item, aborted);
        const result = this.#begin(make, signal, (aborted) => this.#room.acquire(aborted));
        result.catch(() => {}); // The caller gets the error when it awaits the result.
        results.push(result);
        if (results.length === this.capacity) yield await results.shift();
      }
      while (results.length > 0) yield await results.shift();
    } finally {
      await Promise.allSettled(results);
    }
  }

  /**
   * Ends the workers when all tasks are done.
   *
   * @param options.deadline - the milliseconds after which the remaining tasks are ended, with a `PoolClosedError`. Default: none
   */
  async close({ deadline } = {}) {
    this.#closed = true;
    const end = () => {
      for (const task of this.#tasks.values()) task.abort(new PoolClosedError('the pool was closed by its deadline'));
      this.#pool.destroy();
    };
    const timer = deadline === undefined ? undefined : setTimeout(end, deadline);
    await Promise.allSettled(this.#tasks.keys());
    clearTimeout(timer);
    await this.#pool.close();
  }

  async #retried(task) {
    for (let attempt = 1; ; attempt++) {
      if (this.#broken) throw this.#broken;
      try {
        return await this.#attempt(task);
      } catch (error) {
        task.signal.throwIfAborted();
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
    const feeds = await unlessAborted(makeFeeds?.(signal), signal);
    // Elements of strings have no buffer, and shared memory does not move. A buffer that inputs share moves once.
    const buffers = new Set(Object.values(feeds ?? {}).map((one) => one?.data?.buffer));
    const transferList = [...buffers].filter((one) => one instanceof ArrayBuffer);
    await this.#idle.acquire(signal);
    const kill = new AbortController(); // piscina replaces the worker
    let timer;
    const wait = () => {
      timer = setTimeout(() => kill.abort(), this.#start);
    };
    signal.addEventListener('abort', wait);
    try {
      const answer = await this.#pool.run(feeds, { name, transferList, signal: kill.signal }).catch((cause) => {
        if (cause.name === 'DataCloneError') throw cause;
        // A worker catches what its task throws, so this rejection is of a worker that died.
        throw new WorkerDiedError(`the worker died: ${cause.message}`, { cause });
      });
      if (answer.error) throw errorOf(answer.error);
      return answer.result;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', wait);
      this.#idle.release();
    }
  }
}

/** A message between threads keeps the name and the properties of no error but JavaScript's own. */
function errorOf({ code, message, ...place }) {
  return code ? new OnnxError(code, message, place) : new Error(message);
}
