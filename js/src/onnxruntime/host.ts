import {
  type LoadOptions,
  load,
  loadInWorker,
  type OnnxError,
  type RemoteRuntime,
  type Runtime,
  type WorkerOptions,
} from '../entries/index.js';

/** The runtime of sessions, and the worker of those that run in one. Either is loaded when it is first wanted. */
export class Host {
  readonly #options: () => LoadOptions | undefined;
  #runtime: Promise<Runtime> | undefined;
  #worker: Promise<RemoteRuntime> | undefined;

  /** @param options - gives the options of {@link load}; without any, the runtime is the one that all callers share */
  constructor(options: () => LoadOptions | undefined) {
    this.#options = options;
  }

  #load(): Promise<Runtime> {
    const options = this.#options();
    if (options === undefined) return load();
    this.#runtime ??= load(options).catch((error) => {
      this.#runtime = undefined;
      throw error;
    });
    return this.#runtime;
  }

  /** Calls with the runtime. One that an error in WebAssembly has ended is replaced. */
  async withRuntime<R>(use: (ops: Runtime) => R): Promise<R> {
    const ops = await this.#load();
    try {
      return use(ops);
    } catch (error) {
      if ((error as Partial<OnnxError>).code !== 'DISPOSED') throw error;
      this.#runtime = undefined;
      return use(await this.#load());
    }
  }

  /** Calls with the worker. One that has ended is replaced. */
  async withWorker<R>(use: (remote: RemoteRuntime) => Promise<R>): Promise<R> {
    const worker = this.#startedWorker();
    try {
      return await use(await worker);
    } catch (error) {
      if ((error as Partial<OnnxError>).code !== 'DISPOSED') throw error;
      if (this.#worker === worker) this.#worker = undefined;
      return use(await this.#startedWorker());
    }
  }

  #startedWorker(): Promise<RemoteRuntime> {
    this.#worker ??= loadInWorker(this.#options() as WorkerOptions).catch((error) => {
      this.#worker = undefined;
      throw error;
    });
    return this.#worker;
  }
}
