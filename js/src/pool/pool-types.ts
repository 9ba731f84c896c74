import type { FeedLike } from '../model/feeds.js';
import type { RunEvent } from '../model/run-events.js';
import type { ValueInfo } from '../model/value-info.js';
import type { LoadOptions } from '../runtime/load.js';
import type {
  RemoteFile,
  RemoteModelOptions,
  RemoteRunOptions,
  RemoteTensor,
  WorkerLike,
} from '../worker/remote-types.js';

/** Options of {@link loadPool}: the options of {@link load}, for each worker, and options of the pool. */
export interface PoolOptions extends Omit<LoadOptions, 'onRun'> {
  /** As {@link LoadOptions.onRun}, of the models of the pool. It is called in this thread. */
  onRun?: ((event: RunEvent<PoolModel>) => void) | undefined;
  /** How many workers. Default: as many as the machine has processors. */
  size?: number | undefined;
  /** How many runs may wait for a worker. A run beyond them is refused at once with `LIMIT_EXCEEDED`. Default: `Infinity`. */
  maxQueue?: number | undefined;
  /**
   * Whether another worker takes the place of one that died or was ended, and opens its models again. A run whose worker died
   * goes to another one; three workers get it at most. Default: true. Without it, such a run is rejected with `DISPOSED`.
   */
  restart?: boolean | undefined;
  /**
   * The milliseconds after which a worker that has not answered a run is ended. The run is rejected with `LIMIT_EXCEEDED`. It also
   * holds for workers that hang, which `limits.milliseconds` cannot end. Default: `Infinity`.
   */
  deadline?: number | undefined;
  /** Makes a worker whose script imports `broadloom/worker`. Default: one that runs the script of this package. */
  worker?: (() => WorkerLike) | undefined;
  /** Gives up the start: the workers are ended, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Options of {@link Pool.loadModel}. */
export interface PoolModelOptions extends RemoteModelOptions {
  /**
   * Feeds of a run that each worker does before it takes others, also a worker that takes the place of another. A first run lays
   * out weights and plans memory, and engines compile what it calls.
   */
  warmUp?: { readonly [name: string]: FeedLike } | undefined;
}

/** Options of {@link Pool.run}. */
export interface PoolRunOptions<N extends string = string> extends Omit<RemoteRunOptions<N>, 'signal'> {
  /**
   * Gives the run up: the promise is rejected with the signal's reason at once. A run that waits is dropped. A worker that runs it
   * may end it, as long as the start of another worker would take; then it is ended and replaced.
   */
  signal?: AbortSignal | undefined;
  /** The milliseconds after which the run is given up, from the call on, with `LIMIT_EXCEEDED`. Default: `Infinity`. */
  timeout?: number | undefined;
}

/** A model that all workers of a pool have opened. Made by {@link Pool.loadModel}, and run by {@link Pool.run}. */
export interface PoolModel {
  /** The opset of ONNX's own operators; `null` when the model imports none. */
  readonly opset: number | null;
  /** The inputs that must be fed, as {@link Model.inputs}. */
  readonly inputs: readonly ValueInfo[];
  /** The outputs, in the file's order. */
  readonly outputs: readonly ValueInfo[];
  /** Faults of the file that were accepted, as {@link Model.warnings}. */
  readonly warnings: readonly string[];
  /** One line: the opset, and names, types and dims of inputs and outputs. */
  toString(): string;
  /** Frees the model in all workers after the runs that wait. A second call does nothing. */
  dispose(): void;
  /** Does what `dispose()` does, for `using`. */
  readonly [Symbol.dispose]: () => void;
}

/** A bound of durations, and how many are within it. */
export interface Bucket {
  /** The bound, in milliseconds. */
  readonly le: number;
  /** How many durations are at most as long. */
  readonly count: number;
}

/** How many durations were how long. */
export interface Histogram {
  /** How many. */
  readonly count: number;
  /** All of them together, in milliseconds. */
  readonly sum: number;
  /** The longest, in milliseconds. */
  readonly max: number;
  /** How many were at most `le` milliseconds; the bounds double. The last has the bound `Infinity`, and all. */
  readonly buckets: readonly Bucket[];
}

/** The state of a pool, and counts of runs since its start. */
export interface PoolStats {
  /** How many workers it is to have. */
  readonly size: number;
  /** How many workers have started and opened all models. */
  readonly ready: number;
  /** How many of these run a model. */
  readonly busy: number;
  /** How many runs wait for a worker. */
  readonly depth: number;
  /** Runs that gave a result. */
  readonly done: number;
  /** Runs that were rejected with an error that is not counted below. */
  readonly failed: number;
  /** Runs that were refused since `maxQueue` others waited. */
  readonly refused: number;
  /** Runs that their signal gave up. */
  readonly aborts: number;
  /** Runs that `timeout` or `deadline` gave up. */
  readonly timeouts: number;
  /** Runs that went to another worker since theirs had died. */
  readonly retries: number;
  /** Workers that took the place of others. */
  readonly restarts: number;
  /** From the call of a run until a worker got it. */
  readonly wait: Histogram;
  /** From there until the worker's answer. */
  readonly run: Histogram;
}

/** Options of {@link Pool.close}. */
export interface PoolCloseOptions {
  /** The milliseconds after which the workers are ended, also in the middle of a run. Default: 10,000. */
  deadline?: number | undefined;
}

/** A number of workers, each with a runtime and the same models. Made by {@link loadPool}. */
export interface Pool {
  /**
   * Opens an .onnx file in all workers, and in those that take their place.
   *
   * @param file - the content of the file. It is copied, unless `transfer` is set, and kept until the model is disposed of. A Blob is
   * read in each worker
   * @param options - as {@link RemoteRuntime.loadModel} takes them, and `warmUp`
   * @returns the model, when all workers that are there have opened it
   * @throws {@link OnnxError} as {@link RemoteRuntime.loadModel} does, and as {@link Model.run} does for `warmUp`
   */
  loadModel(file: RemoteFile, options?: PoolModelOptions): Promise<PoolModel>;
  /**
   * Runs a model in the next worker that is free. Runs begin in the order of the calls.
   *
   * @param model - of this pool
   * @param feeds - as in {@link Model.run}; they are copied before `run` returns, unless `transfer` is set
   * @param options - `outputs`, which chooses the values to compute; `signal`, `timeout` and `transfer`
   * @returns the outputs by name, as plain objects
   * @throws {@link OnnxError} as {@link Model.run} does; `LIMIT_EXCEEDED` whose `limit` is `maxQueue`, `timeout` or `deadline`;
   * `DISPOSED` when the pool or the model is closed, and when three workers died with the run
   */
  run<N extends string = string>(
    model: PoolModel,
    feeds?: { readonly [name: string]: FeedLike },
    options?: PoolRunOptions<N>,
  ): Promise<{ [name in N]: RemoteTensor }>;
  /** The state of the pool, and counts of runs since its start. */
  stats(): PoolStats;
  /**
   * Resolves when all workers have started and opened all models.
   *
   * @throws {@link OnnxError} `DISPOSED` when the pool is closed
   */
  ready(): Promise<void>;
  /**
   * Takes no more runs, and ends the workers when those that were called have ended.
   *
   * @param options - `deadline`, the milliseconds after which the workers are ended all the same: runs that are open are rejected
   * with `DISPOSED`. Default: 10,000
   */
  close(options?: PoolCloseOptions): Promise<void>;
  /** One line: how many workers are ready, and how many runs wait. */
  toString(): string;
  /** Does what `close()` does, for `await using`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}
