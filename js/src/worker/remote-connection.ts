import type { OnnxError } from '../basics/error.js';
import { show } from '../basics/show.js';
import { isBlob } from '../model/file-parts.js';
import type { RunFigures } from '../model/run-events.js';
import { onAbort, reasonOfAbort } from './aborts.js';
import type { Entry } from './remote-entry.js';
import type { Answer, GivenFile, Request, SentError, WantedPart } from './remote-protocol.js';
import type { WorkerLike } from './remote-types.js';
import type { StartedWorker } from './remote-worker.js';

/** The methods that only some workers have. Workers of Node and Bun keep a process alive, and `on` listens to them. */
interface Host extends WorkerLike {
  on?(event: string, listener: (value: unknown) => void): unknown;
  addEventListener?(event: string, listener: (event: MessageEvent & ErrorEvent) => void): void;
  ref?(): void;
  unref?(): void;
}

/** A value that was copied for the worker, and the buffers that move with it. */
export interface Copied {
  readonly value: unknown;
  readonly buffers: readonly ArrayBuffer[];
}

/** A model in the worker. All that reads from it holds this. */
export interface ModelCell {
  readonly handle: number;
  isDisposed: boolean;
}

/** Gives the size of a file beside a model, or a part of it. */
export type GiveFile = (wanted: WantedPart) => Promise<Copied>;

interface Call {
  readonly request: Request;
  readonly buffers: ArrayBuffer[];
  readonly giveFile: GiveFile | undefined;
  readonly onRun: OnRun | undefined;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** The error of the caller's own function that gives files. */
  failure?: { readonly error: unknown };
}

/** Is told the figures of a run, and its error. */
export type OnRun = (figures: RunFigures, error?: OnnxError) => void;

/** The parts of a call besides its arguments. */
export interface Sending {
  readonly buffers?: readonly ArrayBuffer[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly giveFile?: GiveFile | undefined;
  readonly onRun?: OnRun | undefined;
}

/** The function whose workers these are, as errors name it. */
export type Starter = 'loadInWorker' | 'loadPool';

/** For workers that do not start. */
export const startAdvice = 'pass { worker }, a Worker whose script imports broadloom/worker';

/** A worker and the calls that wait for it. The worker gets one at a time, so that the others can be taken back. */
export class Connection {
  readonly #entry: Entry;
  readonly #worker: Host;
  readonly #waiting: Call[] = [];
  #going: Call | undefined;
  #ended: OnnxError | undefined;
  #calls = 0;
  #isStarted = false;
  readonly #method: Starter;
  readonly #models = new FinalizationRegistry<number>((handle) => this.drop(handle));
  /** Called once, when the worker has ended. */
  onEnd: (error: OnnxError) => void = () => {};

  /** @param script - the address of the worker's script, where it is known */
  constructor(entry: Entry, method: Starter, { worker, script }: StartedWorker) {
    this.#entry = entry;
    this.#method = method;
    this.#worker = worker;
    const host: Host = worker;
    // Browsers do not say that a script is not there.
    const place = () => (this.#isStarted || script === undefined ? '' : `; its script is ${script}`);
    const failed = (cause: unknown) => this.end(`the worker failed${reasonOf(cause)}${place()}`, cause);
    if (typeof host.on === 'function') {
      host.on('message', (message) => this.#receive(message));
      host.on('error', failed);
      host.on('messageerror', failed);
      host.on('exit', (code) => this.end(`the worker has exited with code ${code}`));
      return;
    }
    host.addEventListener?.('message', ({ data }) => this.#receive(data));
    for (const event of ['error', 'messageerror'])
      host.addEventListener?.(event, (problem) => {
        problem.preventDefault(); // the promises tell it
        failed(problem);
      });
  }

  /** Fails where a call would not be sent: before it takes buffers away from the caller. */
  check(signal: AbortSignal | undefined): void {
    if (this.#ended !== undefined) throw this.#ended;
    if (signal?.aborted) throw reasonOfAbort(signal);
  }

  /** Sends a call when those before it were answered. */
  send<R>(
    method: string,
    args: readonly unknown[],
    { buffers = [], signal, giveFile, onRun }: Sending = {},
  ): Promise<R> {
    return new Promise<R>((resolve, reject) => {
      this.check(signal);
      const ignore = onAbort(signal, () => this.#stop(call, reasonOfAbort(signal)));
      const settled =
        <V>(settle: (value: V) => void) =>
        (value: V) => {
          ignore();
          settle(value);
        };
      const request = { broadloom: ++this.#calls, method, args };
      const call: Call = {
        request,
        buffers: [...buffers],
        giveFile,
        onRun,
        signal,
        resolve: settled(resolve),
        reject: settled(reject),
      };
      this.#waiting.push(call);
      this.#next();
    });
  }

  /** Frees a model when nobody refers to its cell. */
  watch(cell: ModelCell): void {
    this.#models.register(cell, cell.handle);
  }

  /** Frees a model after the calls that wait. Where the worker has ended, it is gone. */
  drop(handle: number): void {
    this.send('disposeModel', [handle]).catch(() => {});
  }

  /** Ends the worker. Open calls are rejected, and so is each later one. */
  end(why: string, cause?: unknown): void {
    if (this.#ended !== undefined) return;
    const { OnnxError } = this.#entry;
    // A pool starts another by itself.
    const advice = this.#method === 'loadInWorker' ? ': loadInWorker() starts another' : '';
    this.#ended = this.#isStarted
      ? new OnnxError('DISPOSED', `${why}${advice}`, { cause })
      : new OnnxError('INVALID_ARGUMENT', `${this.#method}: ${why}: ${startAdvice}`, { cause });
    this.#worker.terminate();
    const calls = [this.#going, ...this.#waiting.splice(0)];
    this.#going = undefined;
    for (const call of calls) call?.reject(call.signal?.aborted ? reasonOfAbort(call.signal) : this.#ended);
    this.onEnd(this.#ended);
  }

  #stop(call: Call, reason: unknown): void {
    call.reject(reason);
    if (call === this.#going) this.end('the worker was ended to stop a call in it');
    else this.#waiting.splice(this.#waiting.indexOf(call), 1);
  }

  #next(): void {
    if (this.#going !== undefined) return;
    const call = this.#waiting.shift();
    // A process may end when nobody waits.
    if (call === undefined) {
      this.#worker.unref?.();
      return;
    }
    this.#going = call;
    this.#worker.ref?.();
    this.#post(call.request, call.buffers).catch((cause) => {
      if (this.#going !== call) return;
      this.#going = undefined;
      call.reject(this.#refused(call.request.method, cause));
      this.#next();
    });
  }

  /** Posts a message. Node refuses Blobs of files: those are read before. */
  async #post(message: Request, buffers: readonly ArrayBuffer[]): Promise<void> {
    const going = this.#going;
    try {
      this.#worker.postMessage(message, [...buffers]);
    } catch (error) {
      const read = await withReadBlobs(message);
      if (read === undefined) throw error;
      if (this.#going === going) this.#worker.postMessage(read, [...buffers]);
    }
  }

  #receive(message: unknown): void {
    const call = this.#going;
    const answer = message as Answer | null | undefined;
    if (call === undefined || answer?.broadloom !== call.request.broadloom) return;
    if ('wanted' in answer) {
      void this.#giveFile(call, answer.wanted);
      return;
    }
    if ('error' in answer && isEnd(answer.error)) {
      const { cause } = answer.error;
      this.end(`the runtime in the worker has ended by an error in WebAssembly${reasonOf(cause)}`, cause);
      return;
    }
    this.#going = undefined;
    this.#isStarted ||= 'value' in answer;
    const error = 'value' in answer ? undefined : this.#errorOf(answer.error);
    if (answer.run !== undefined) call.onRun?.(answer.run, error as OnnxError | undefined);
    if ('value' in answer) call.resolve(answer.value as never);
    else call.reject(call.failure === undefined ? error : call.failure.error);
    this.#next();
  }

  async #giveFile(call: Call, wanted: WantedPart): Promise<void> {
    const { broadloom } = call.request;
    try {
      const { value, buffers } = (await call.giveFile?.(wanted)) ?? { value: undefined, buffers: [] };
      if (this.#going === call) this.#worker.postMessage({ broadloom, file: value } satisfies GivenFile, [...buffers]);
    } catch (error) {
      call.failure = { error };
      if (this.#going === call) this.#worker.postMessage({ broadloom, failed: true } satisfies GivenFile, []);
    }
  }

  #errorOf(sent: SentError): unknown {
    if ('other' in sent) return sent.other;
    const { code, message, ...place } = sent;
    return new this.#entry.OnnxError(code, message, place);
  }

  #refused(method: string, cause: unknown): OnnxError {
    const { OnnxError } = this.#entry;
    const isRead = (cause as Error).name === 'NotReadableError';
    const what = isRead ? 'the file cannot be read' : 'the worker cannot be given this';
    return new OnnxError('INVALID_ARGUMENT', `${method}: ${what}${reasonOf(cause)}`, { cause });
  }
}

/** Whether an error of the worker says that its runtime has ended: what was disposed of is not asked for. */
function isEnd(error: SentError): error is Exclude<SentError, { readonly other: unknown }> {
  return 'code' in error && error.code === 'DISPOSED';
}

/** The message with Blobs in memory in the place of others; undefined when it has none. */
async function withReadBlobs(message: Request): Promise<object | undefined> {
  const read = async (value: unknown) => (isBlob(value) ? new Blob([await value.arrayBuffer()]) : value);
  return message.args.some(isBlob) ? { ...message, args: await Promise.all(message.args.map(read)) } : undefined;
}

/** The text in parentheses, to follow another text. */
export function reasonOf(cause: unknown): string {
  const { message } = (cause ?? {}) as { message?: unknown };
  return typeof message === 'string' && message !== '' ? ` (${message})` : '';
}

/** The signal of a call. */
export function checkedSignal({ OnnxError }: Entry, method: string, signal: unknown): AbortSignal | undefined {
  if (signal === undefined || typeof (signal as AbortSignal | null)?.addEventListener === 'function')
    return signal as AbortSignal | undefined;
  throw new OnnxError('INVALID_ARGUMENT', `${method}: signal is ${show(signal)}, wanted an AbortSignal`);
}

/** Whether the buffers of a call move to the worker. */
export function checkedTransfer({ OnnxError }: Entry, method: string, transfer: unknown): boolean {
  if (transfer === undefined || typeof transfer === 'boolean') return transfer === true;
  throw new OnnxError('INVALID_ARGUMENT', `${method}: transfer is ${show(transfer)}, wanted true or false`);
}
