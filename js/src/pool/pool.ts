import type { OnnxError } from '../basics/error.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { show } from '../basics/show.js';
import { tellerOf } from '../model/run-events.js';
import { onAbort, reasonOfAbort, untilAborted } from '../worker/aborts.js';
import { checkedSignal, checkedTransfer } from '../worker/remote-connection.js';
import { copied, copiedFeeds } from '../worker/remote-copies.js';
import type { Entry } from '../worker/remote-entry.js';
import { copiedFile } from '../worker/remote-files.js';
import type { SentModel } from '../worker/remote-protocol.js';
import { Durations } from './histogram.js';
import { type Job, JobQueue, type PooledModel } from './jobs.js';
import { Member, type Start } from './member.js';
import { after, checkedMilliseconds } from './milliseconds.js';
import { Pauses } from './pauses.js';
import { poolModel } from './pool-model.js';
import type {
  Pool,
  PoolCloseOptions,
  PoolModel,
  PoolModelOptions,
  PoolOptions,
  PoolRunOptions,
  PoolStats,
} from './pool-types.js';

/** How many workers may die with one run, or with one model that is opened. */
const mostDeaths = 3;
/** How many starts of a worker may fail before the runs that wait are told so. */
const mostFailures = 5;
/** Milliseconds in which the runs of a pool that is closed may end. */
const usualDeadline = 10_000;

/** Numbers and flags of a pool. */
export interface Rules {
  readonly size: number;
  readonly maxQueue: number;
  readonly restart: boolean;
  /** In milliseconds, or `Infinity`. */
  readonly deadline: number;
  readonly onRun: PoolOptions['onRun'];
}

export class WorkerPool implements Pool {
  declare readonly [Symbol.asyncDispose]: () => Promise<void>;
  readonly #entry: Entry;
  readonly #rules: Rules;
  readonly #members: readonly Member[];
  readonly #queue = new JobQueue();
  readonly #models = new Set<PooledModel>();
  readonly #modelOf = new WeakMap<object, PooledModel>();
  readonly #unused = new FinalizationRegistry<PooledModel>((model) => this.#dispose(model));
  readonly #wait = new Durations();
  readonly #run = new Durations();
  readonly #counts = { done: 0, failed: 0, refused: 0, aborts: 0, timeouts: 0, retries: 0, restarts: 0 };
  #isOpen = false;
  #closing: Promise<void> | undefined;
  /** Why no run can be done any more. */
  #ended: unknown;
  /** Why workers that are missing do not come. */
  #lack: unknown;
  readonly #pauses = new Pauses();
  /** Ends the workers that are being started. */
  readonly #starting = new AbortController();
  /** Callers that wait for a change: of a worker, of a run, or of the pool. */
  #watchers: (() => void)[] = [];

  private constructor(entry: Entry, rules: Rules, start: Start) {
    this.#entry = entry;
    this.#rules = rules;
    const crew = {
      start: () => start(this.#starting.signal),
      models: this.#models,
      joined: () => this.#joined(),
      freed: () => this.#changed(),
      left: (member: Member, error: unknown) => this.#left(member, error),
    };
    this.#members = Array.from({ length: rules.size }, () => new Member(crew));
    // They are called without the pool, and through proxies of it.
    for (const name of ['loadModel', 'run', 'stats', 'ready', 'close'] as const)
      Object.defineProperty(this, name, { value: this[name].bind(this) });
  }

  /** Starts the workers, and resolves when all of them are there. A signal gives that up. */
  static async open(entry: Entry, rules: Rules, start: Start, signal: AbortSignal | undefined): Promise<Pool> {
    if (signal?.aborted) throw reasonOfAbort(signal);
    const pool = new WorkerPool(entry, rules, start);
    const ignore = onAbort(signal, () => pool.#end(reasonOfAbort(signal)));
    await Promise.all(pool.#members.map((member) => member.start()));
    ignore();
    if (pool.#ended !== undefined) throw pool.#ended;
    pool.#isOpen = true;
    return pool;
  }

  async loadModel(file: unknown, options?: PoolModelOptions): Promise<PoolModel> {
    const entry = this.#entry;
    entry.takesAtMost(2, arguments.length, 'loadModel');
    const known = [...entry.modelOptions, 'warmUp'];
    const { warmUp, ...given } = entry.checkedOptions('loadModel: ', options, [...known, 'signal', 'transfer']);
    const check = (signal?: AbortSignal) => this.#check(signal);
    const feeds = warmUp && copiedFeeds(entry, warmUp, false, check).value;
    const { args, giveFile, signal } = copiedFile(entry, 'loadModel', { file, given, known, isKept: true, check });
    const model: PooledModel = { args, giveFile, warmUp: feeds, runs: 0, isDisposed: false };
    try {
      const face = poolModel(entry, await untilAborted(signal, this.#open(model)), () => this.#dispose(model));
      this.#modelOf.set(face, model);
      this.#unused.register(face, model);
      return face;
    } catch (error) {
      this.#dispose(model);
      throw error;
    }
  }

  /** Opens a model in all workers that are there. One that ends workers is not given to those that take their places. */
  async #open(model: PooledModel): Promise<SentModel> {
    for (let deaths = 0; ; ) {
      if (model.isDisposed) throw new this.#entry.OnnxError('DISPOSED', 'this model was disposed of');
      const ready = this.#members.filter(({ isReady }) => isReady);
      const [deadly, failed]: [unknown[], unknown[]] = [[], []];
      const open = (member: Member) =>
        member.open(model).catch((error) => {
          if (member.isReady) failed.push(error);
          else if (!member.diedInRun) deadly.push(error);
        });
      const [opened] = (await Promise.all(ready.map(open))).filter((sent) => sent !== undefined);
      if (failed.length > 0) throw failed[0];
      if (opened !== undefined) {
        if (!model.isDisposed) this.#models.add(model);
        return opened;
      }
      if (deadly.length > 0 && ++deaths === mostDeaths) throw this.#died('loadModel', deaths, deadly[0]);
      this.#check();
      await this.#change();
      if (this.#lack !== undefined) throw this.#lack;
    }
  }

  #dispose(model: PooledModel): void {
    model.isDisposed = true;
    if (model.runs > 0) return; // the last of them comes here again
    this.#models.delete(model);
    for (const member of this.#members) member.close(model);
  }

  async run(face: PoolModel, feeds: object = {}, options?: PoolRunOptions): Promise<never> {
    const entry = this.#entry;
    entry.takesAtMost(3, arguments.length, 'run');
    const model = this.#modelOf.get(face);
    if (model === undefined) {
      const text = `run: model is ${show(face)}, wanted a model of this pool's loadModel`;
      throw new entry.OnnxError('INVALID_ARGUMENT', text);
    }
    const given = entry.checkedOptions('run: ', options, [...entry.runOptions, 'signal', 'timeout', 'transfer']);
    const signal = checkedSignal(entry, 'run', given.signal);
    const timeout = checkedMilliseconds(entry, 'run', 'timeout', given.timeout);
    const transfer = checkedTransfer(entry, 'run', given.transfer);
    const check = () => {
      this.#check(signal);
      if (model.isDisposed) throw new entry.OnnxError('DISPOSED', 'this model was disposed of');
      const { size } = this.#queue;
      if (size < this.#rules.maxQueue || this.#free() !== undefined) return;
      throw this.#exceeded('maxQueue', `${size} runs wait, as many as may`);
    };
    check();
    const outputs = copied(entry, given.outputs, 'run: outputs').value;
    const { value, buffers } = copiedFeeds(entry, feeds, transfer, check);
    const onRun = tellerOf(this.#rules.onRun, face);
    return new Promise<never>((resolve, reject) => {
      const started = { called: performance.now(), deaths: 0, isSettled: false, member: undefined, spare: () => {} };
      const job: Job = { model, feeds: value, buffers, outputs, onRun, resolve, reject, forget: () => {}, ...started };
      const ignore = onAbort(signal, () => this.#giveUp(job, 'aborts', reasonOfAbort(signal)));
      const stop = after(timeout, () => {
        this.#giveUp(job, 'timeouts', this.#exceeded('timeout', `the run took more than ${timeout} ms`));
      });
      job.forget = () => {
        ignore();
        stop();
      };
      model.runs++;
      this.#queue.add(job);
      this.#next();
      this.#hold();
    });
  }

  /** Gives the runs that wait to members that are free. */
  #next(): void {
    for (let member = this.#free(); member !== undefined; member = this.#free()) {
      const job = this.#queue.take();
      if (job === undefined) return;
      member.isRunning = true;
      void this.#give(job, member);
    }
  }

  #free(): Member | undefined {
    return this.#members.find(({ isReady, isBusy }) => isReady && !isBusy);
  }

  async #give(job: Job, member: Member): Promise<void> {
    const { deadline, restart } = this.#rules;
    const began = performance.now();
    if (job.deaths === 0) this.#wait.add(began - job.called);
    job.member = member;
    let stop = () => {};
    // A run that may go to another worker keeps its feeds.
    const buffers = restart && job.deaths < mostDeaths - 1 ? [] : job.buffers;
    try {
      const sent = await member.open(job.model);
      if (!job.isSettled) {
        stop = after(deadline, () => this.#overdue(job, member));
        const outputs = await member.run(sent, [job.feeds, { outputs: job.outputs }], { buffers, onRun: job.onRun });
        this.#settle(job, 'done', () => job.resolve(outputs));
      }
    } catch (error) {
      if (member.isReady) this.#settle(job, 'failed', () => job.reject(error));
      else this.#lost(job, error);
    }
    this.#run.add(performance.now() - began);
    stop();
    job.spare();
    job.member = undefined;
    member.isRunning = false;
    this.#changed();
  }

  #overdue(job: Job, member: Member): void {
    const text = `the worker has had the run for more than ${this.#rules.deadline} ms`;
    this.#settle(job, 'timeouts', () => job.reject(this.#exceeded('deadline', text)));
    member.end('it did not answer before the deadline');
  }

  /** The worker of a run has died. */
  #lost(job: Job, cause: unknown): void {
    if (job.isSettled) return;
    job.deaths++;
    if (this.#ended === undefined && this.#rules.restart && job.deaths < mostDeaths) {
      this.#counts.retries++;
      this.#queue.add(job);
      return;
    }
    const error = this.#ended ?? this.#died('run', job.deaths, cause);
    this.#settle(job, 'failed', () => job.reject(error));
  }

  /** The caller of a run does not wait for it any more. */
  #giveUp(job: Job, count: 'aborts' | 'timeouts', reason: unknown): void {
    this.#settle(job, count, () => job.reject(reason));
    const { member } = job;
    if (this.#queue.delete(job) || member === undefined) return;
    // It never pays to wait longer for the end of a run than another worker would take to start.
    job.spare = after(member.startTime, () => member.end('a run in it was given up'));
  }

  /** Tells the caller of a run its end, once. */
  #settle(job: Job, count: 'done' | 'failed' | 'aborts' | 'timeouts', tell: () => void): void {
    if (job.isSettled) return;
    job.isSettled = true;
    this.#counts[count]++;
    job.forget();
    tell();
    if (--job.model.runs === 0 && job.model.isDisposed) this.#dispose(job.model);
  }

  #joined(): void {
    if (this.#isOpen) this.#counts.restarts++;
    this.#lack = undefined;
    this.#changed();
  }

  #changed(): void {
    this.#next();
    this.#tell();
  }

  /** A worker has ended, or did not start. */
  #left(member: Member, error: unknown): void {
    if (!this.#isOpen) this.#end(error);
    const isAlone = !this.#members.some(({ isReady }) => isReady);
    if (this.#ended === undefined && this.#rules.restart) {
      if (member.failures >= mostFailures) {
        this.#lack = error;
        if (isAlone) this.#rejectWaiting(error);
      }
      this.#pauses.add(member.failures, () => this.#ended === undefined && void member.start());
      this.#hold();
    } else {
      this.#lack = this.#died('ready', 1, error);
      if (isAlone) this.#end(this.#died('the pool has ended', this.#rules.size, error));
    }
    this.#tell();
  }

  /** Somebody waits, or nobody any more. */
  #hold(): void {
    this.#pauses.hold(this.#queue.size > 0 || this.#watchers.length > 0);
  }

  #rejectWaiting(error: unknown): void {
    for (let job = this.#queue.take(); job !== undefined; job = this.#queue.take()) {
      const { reject } = job;
      this.#settle(job, 'failed', () => reject(error));
    }
  }

  stats(): PoolStats {
    this.#entry.takesAtMost(0, arguments.length, 'stats');
    const ready = this.#members.filter(({ isReady }) => isReady);
    return {
      size: this.#rules.size,
      ready: ready.length,
      busy: ready.filter(({ isBusy }) => isBusy).length,
      depth: this.#queue.size,
      ...this.#counts,
      wait: this.#wait.read(),
      run: this.#run.read(),
    };
  }

  async ready(): Promise<void> {
    this.#entry.takesAtMost(0, arguments.length, 'ready');
    for (this.#check(); !this.#members.every(({ isReady }) => isReady); this.#check()) {
      if (this.#lack !== undefined) throw this.#lack;
      await this.#change();
    }
  }

  async close(options?: PoolCloseOptions): Promise<void> {
    const entry = this.#entry;
    entry.takesAtMost(1, arguments.length, 'close');
    const given = entry.checkedOptions('close: ', options, ['deadline']);
    const deadline = checkedMilliseconds(entry, 'close', 'deadline', given.deadline, usualDeadline);
    const closed = () => this.#end(new entry.OnnxError('DISPOSED', 'this pool was closed'));
    this.#closing ??= this.#drained().then(closed);
    const stop = after(deadline, closed);
    await this.#closing;
    stop();
  }

  /** Resolves when no run is open. */
  async #drained(): Promise<void> {
    while (this.#ended === undefined && (this.#queue.size > 0 || this.#members.some(({ isBusy }) => isBusy)))
      await this.#change();
  }

  /** Ends all workers, and tells the runs that are open why. */
  #end(why: unknown): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#rejectWaiting(why);
    this.#starting.abort(why);
    for (const member of this.#members) member.stop();
    this.#tell();
  }

  toString(): string {
    const { ready, size, depth } = this.stats();
    return `Pool (${ready} of ${size} workers ready, ${depth} runs wait)`;
  }

  /** Fails where no call is taken. */
  #check(signal?: AbortSignal): void {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#closing !== undefined) throw new this.#entry.OnnxError('DISPOSED', 'this pool was closed');
    if (signal?.aborted) throw reasonOfAbort(signal);
  }

  #exceeded(limit: 'maxQueue' | 'timeout' | 'deadline', text: string): OnnxError {
    if (limit === 'maxQueue') this.#counts.refused++;
    return new this.#entry.OnnxError('LIMIT_EXCEEDED', `run: ${text} (${limit})`, { limit });
  }

  #died(method: string, deaths: number, cause: unknown): OnnxError {
    const who = deaths === 1 ? 'the worker has' : `${deaths} workers have`;
    return new this.#entry.OnnxError('DISPOSED', `${method}: ${who} died: ${(cause as Error).message}`, { cause });
  }

  /** Resolves with the next change. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#watchers.push(resolve);
      this.#hold();
    });
  }

  #tell(): void {
    for (const resolve of this.#watchers.splice(0)) resolve();
  }
}

nameObjects(WorkerPool.prototype, 'Pool');
addDisposeSymbol(
  WorkerPool.prototype,
  function (this: WorkerPool) {
    return this.close();
  },
  'asyncDispose',
);
