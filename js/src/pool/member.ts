import type { OnnxError } from '../basics/error.js';
import { type Connection, type GiveFile, reasonOf, type Sending } from '../worker/remote-connection.js';
import type { Ran, SentModel } from '../worker/remote-protocol.js';

/** A model as the pool keeps it, so that each worker can open it. */
export interface KeptModel {
  /** The arguments of the worker's `loadModel`. */
  readonly args: readonly unknown[];
  readonly giveFile: GiveFile | undefined;
  /** Feeds of the first run. */
  readonly warmUp: unknown;
}

/** The pool, as its places see it. */
export interface Crew {
  /** Starts a worker. */
  start(): Promise<Connection>;
  /** Models that each worker opens before it is ready. */
  readonly models: Iterable<KeptModel>;
  /** A worker is ready. */
  joined(member: Member): void;
  /** A worker that was ready has ended, or one did not start. */
  left(member: Member, error: unknown): void;
}

/** A place of a pool, where one worker after another is. */
export class Member {
  readonly #crew: Crew;
  #connection: Connection | undefined;
  #opened = new Map<KeptModel, Promise<SentModel>>();
  #isStopped = false;
  /** Whether its worker has opened the models. */
  isReady = false;
  /** Whether its worker has a run. */
  isBusy = false;
  /** How long the last start took, in milliseconds. */
  startTime = 0;
  /** Starts that failed since the last one that did not. */
  failures = 0;

  constructor(crew: Crew) {
    this.#crew = crew;
  }

  /** Starts a worker and opens the models, and tells the crew how that ended. */
  async start(): Promise<void> {
    const began = performance.now();
    this.#opened = new Map();
    let connection: Connection | undefined;
    try {
      connection = await this.#crew.start();
      this.#connection = connection;
      if (this.#isStopped) this.end('the pool was closed');
      connection.onEnd = (error) => this.#left(error);
      // Models may come while the others are opened.
      for (const model of this.#crew.models) await this.open(model);
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
    const opened = this.#opened.get(model) ?? this.#open(model, this.#connection as Connection);
    this.#opened.set(model, opened);
    opened.catch(() => this.#opened.delete(model));
    return opened;
  }

  async #open({ args, giveFile, warmUp }: KeptModel, connection: Connection): Promise<SentModel> {
    const sent = await connection.send<SentModel>('loadModel', args, { giveFile });
    if (warmUp === undefined) return sent;
    try {
      await connection.send('runModel', [sent.handle, warmUp, undefined]);
    } catch (error) {
      connection.drop(sent.handle);
      throw error;
    }
    return sent;
  }

  /** Runs a model in the worker. Buffers that are listed move there; the other feeds are copied. */
  async run(model: KeptModel, args: readonly unknown[], sending: Sending): Promise<never> {
    const connection = this.#connection as Connection;
    const { handle } = await this.open(model);
    const { result } = await connection.send<Ran>('runModel', [handle, ...args], sending);
    return result as never;
  }

  /** Frees a model in the worker. */
  close(model: KeptModel): void {
    const connection = this.#connection;
    const opened = this.#opened.get(model);
    this.#opened.delete(model);
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
    this.#connection = undefined;
    this.#crew.left(this, error);
  }
}
