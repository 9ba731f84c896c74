import type { OnnxError } from '../basics/error.js';
import { type Connection, type GiveFile, reasonOf, type Sending } from '../worker/remote-connection.js';
import type { Ran, SentModel } from '../worker/remote-protocol.js';
import { after } from './milliseconds.js';

/** A model as the pool keeps it, so that each worker can open it. */
export interface KeptModel {
  /** The arguments of the worker's `loadModel`. */
  readonly args: readonly unknown[];
  readonly giveFile: GiveFile | undefined;
  /** Feeds of the first run. */
  readonly warmUp: unknown;
}

/** Starts a worker, unless its signal ends that. */
export type Start = (signal: AbortSignal) => Promise<Connection>;

/** The pool, as its places see it. */
export interface Crew {
  /** Starts a worker. */
  start(): Promise<Connection>;
  /** Models that each worker opens before it is ready. */
  readonly models: Iterable<KeptModel>;
  /** A worker is ready. */
  joined(member: Member): void;
  /** A worker has opened a model, or not. */
  freed(): void;
  /** A worker that was ready has ended, or one did not start. */
  left(member: Member, error: unknown): void;
}

/** A place of a pool, where one worker after another is. */
export class Member {
  readonly #crew: Crew;
  #connection: Connection | undefined;
  #opened = new Map<KeptModel, Promise<SentModel>>();
  /** The models that the worker is opening, each with a way to give it up. */
  #opening = new Map<KeptModel, AbortController>();
  #isStopped = false;
  /** Whether its worker has opened the models. */
  isReady = false;
  /** Whether its worker has a run. */
  isRunning = false;
  /** Whether its last worker had a run when it ended. */
  diedInRun = false;
  /** How long the last start took, in milliseconds. */
  startTime = 0;
  /** Starts that failed since the last one that did not. */
  failures = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  /** Whether its worker has a run, or opens a model. */
  get isBusy(): boolean {
    return this.isRunning || this.#opening.size > 0;
  }

  /** Starts a worker and opens the models, and tells the crew how that ended. */
  async start(): Promise<void> {
    const began = performance.now();
    this.#opened = new Map();
    this.#opening = new Map();
    let connection: Connection | undefined;
    try {
      connection = await this.#crew.start();
      this.#connection = connection;
      connection.onEnd = (error) => this.#left(error);
      if (this.#isStopped) return this.stop();
      // Models may come while the others are opened. The runs of one that cannot be opened again say why, and others go on.
      for (const model of this.#crew.models)
        await this.open(model).catch((error) => {
          if (this.#connection !== connection) throw error;
        });
      this.startTime = performance.now() - began;
      this.failures = 0;
      this.isReady = true;
    } catch (error) {
      this.failures++;
      if (connection === undefined) this.#crew.left(this, error);
      else connection.end(`the worker did not open the models of the pool${reasonOf(error)}`, error);
      return;
    }
    this.#crew.joined(this);
  }

  /** Opens a model in the worker, if it has not done so. */
  open(model: KeptModel): Promise<SentModel> {
    const [opened, opening] = [this.#opened, this.#opening];
    const before = opened.get(model);
    if (before !== undefined) return before;
    const controller = new AbortController();
    const sent = this.#open(model, this.#connection as Connection, controller.signal);
    opened.set(model, sent);
    opening.set(model, controller);
    const freed = () => {
      opening.delete(model);
      this.#crew.freed();
    };
    sent.catch(() => opened.delete(model)).then(freed);
    return sent;
  }

  async #open({ args, giveFile, warmUp }: KeptModel, connection: Connection, signal: AbortSignal): Promise<SentModel> {
    const sent = await connection.send<SentModel>('loadModel', args, { giveFile, signal });
    if (warmUp === undefined) return sent;
    try {
      await connection.send('runModel', [sent.handle, warmUp, undefined], { signal });
    } catch (error) {
      connection.drop(sent.handle);
      throw error;
    }
    return sent;
  }

  /** Runs a model in the worker. Buffers that are listed move there; the other feeds are copied. */
  async run({ handle }: SentModel, args: readonly unknown[], sending: Sending): Promise<never> {
    const { result } = await (this.#connection as Connection).send<Ran>('runModel', [handle, ...args], sending);
    return result as never;
  }

  /** Frees a model in the worker, or gives it up. */
  close(model: KeptModel): void {
    const connection = this.#connection;
    const opened = this.#opened.get(model);
    this.#opened.delete(model);
    // The call waits behind a run, or the worker has it: then it pays to wait for its end as long as another worker would start.
    const controller = this.#opening.get(model);
    if (controller !== undefined) after(this.isRunning ? 0 : this.startTime, () => controller.abort());
    opened?.then(
      ({ handle }) => connection?.drop(handle),
      () => {},
    );
  }

  /** Ends the worker. */
  end(why: string, cause?: unknown): void {
    this.#connection?.end(why, cause);
  }

  /** Ends the worker, and one that is being started. */
  stop(): void {
    this.#isStopped = true;
    this.end('the pool was closed');
  }

  #left(error: OnnxError): void {
    this.isReady = false;
    this.diedInRun = this.isRunning;
    this.#connection = undefined;
    this.#crew.left(this, error);
  }
}
