// The caller's side of a runtime in a worker.

import { permissionAdvice } from '../basics/permission.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { show, tagOf } from '../basics/show.js';
import { reasonOfAbort } from './aborts.js';
import { Connection, checkedSignal, reasonOf, type Starter, startAdvice } from './remote-connection.js';
import { copied } from './remote-copies.js';
import type { Entry } from './remote-entry.js';
import { copiedFile, split } from './remote-files.js';
import { remoteModel } from './remote-model.js';
import type { SentModel } from './remote-protocol.js';
import type {
  RemoteModelOptions,
  RemoteOptions,
  RemoteRuntime,
  RemoteSimplifyOptions,
  WorkerLike,
  WorkerOptions,
} from './remote-types.js';
import { type StartedWorker, startWebWorker } from './remote-worker.js';

/** Starts the worker of `loadInWorker`, and resolves when its runtime is there. */
export async function connect(entry: Entry, given: WorkerOptions | undefined): Promise<RemoteRuntime> {
  const method = 'loadInWorker';
  const options = entry.checkedOptions(`${method}: `, given, [...entry.loadOptions, 'worker', 'signal']);
  const { worker, signal, wasm, onRun, ...rest } = options;
  const checked = checkedSignal(entry, method, signal);
  const source = await sendableWasm(wasm ?? entry.wasmForWorkers?.()).catch((cause) => {
    throw new entry.OnnxError('INVALID_ARGUMENT', `${method}: no wasm module${reasonOf(cause)}`, { cause });
  });
  // Refused while there is no worker that would stay.
  const watched = checkedOnRun(entry, method, onRun);
  const { value } = copied(entry, { ...rest, ...watched }, `${method}: an option`);
  const connection = await startConnection(entry, method, {
    worker,
    signal: checked,
    options: { ...(value as object), wasm: source },
  });
  return remoteRuntime(entry, connection, onRun);
}

/** The option `onRun` as the worker gets it. */
export function checkedOnRun({ OnnxError }: Entry, method: Starter, onRun: unknown): { onRun?: true } {
  if (onRun === undefined) return {};
  if (typeof onRun === 'function') return { onRun: true };
  throw new OnnxError('INVALID_ARGUMENT', `${method}: onRun is ${show(onRun)}, wanted a function`);
}

/** A worker, and the options of its runtime. */
export interface Start {
  readonly worker: WorkerOptions['worker'];
  readonly signal?: AbortSignal | undefined;
  /** Options of `load` in a form that a message can have. */
  readonly options: { readonly wasm: unknown };
}

/** Starts a worker for `method`, and resolves when its runtime is there. */
export async function startConnection(
  entry: Entry,
  method: Starter,
  { worker, signal, options }: Start,
): Promise<Connection> {
  if (signal?.aborted) throw reasonOfAbort(signal);
  const started = await makeWorker(entry, method, worker);
  const connection = new Connection(entry, method, started);
  try {
    const wasm = options.wasm ?? started.wasm;
    await connection.send('load', [broadloomVersion, { ...options, wasm }], { signal });
  } catch (error) {
    connection.end('the worker did not start');
    throw error;
  }
  return connection;
}

/** Workers that were given: a second connection would take answers of the first for its own. */
const used = new WeakSet<object>();

async function makeWorker(entry: Entry, method: Starter, given: WorkerOptions['worker']): Promise<StartedWorker> {
  const { OnnxError, startWorker } = entry;
  let worker: unknown;
  try {
    if (given === undefined && startWorker === undefined) return await startWebWorker();
    worker = typeof given === 'function' ? given() : (given ?? (await startWorker?.()));
  } catch (cause) {
    const advice = permissionAdvice(cause) ?? startAdvice;
    throw new OnnxError('INVALID_ARGUMENT', `${method}: no worker${reasonOf(cause)}: ${advice}`, { cause });
  }
  const methods = worker as { [name: string]: unknown } | null | undefined;
  if (typeof methods?.postMessage !== 'function' || typeof methods.terminate !== 'function')
    throw new OnnxError('INVALID_ARGUMENT', `${method}: worker is ${show(worker)}, wanted a Worker`);
  if (used.has(methods))
    throw new OnnxError('INVALID_ARGUMENT', `${method}: worker is one that was given before, wanted another one`);
  used.add(methods);
  return { worker: worker as WorkerLike };
}

/** The source of the module in a form that a message can have. A relative address is relative to the page, not to the script. */
async function sendableWasm(given: WorkerOptions['wasm']): Promise<unknown> {
  const wasm = await given;
  if (tagOf(wasm) === 'Response') return (wasm as Response).arrayBuffer();
  if (typeof wasm !== 'string' && tagOf(wasm) !== 'URL') return wasm;
  const { document, location } = globalThis as Partial<typeof globalThis>;
  const base = document?.baseURI ?? location?.href;
  return base === undefined ? String(wasm) : new URL(wasm as string, base).href;
}

function remoteRuntime(entry: Entry, connection: Connection, onRun: WorkerOptions['onRun']): RemoteRuntime {
  const { checkedOptions, modelOptions, simplifyOptions, takesAtMost } = entry;
  const check = (signal: AbortSignal | undefined) => connection.check(signal);

  /** Sends a call with a file. */
  const sendFile = <R>(method: string, file: unknown, given: object | undefined, known: readonly string[]) => {
    const { args, buffers, giveFile, signal } = copiedFile(entry, method, { file, given, known, check });
    return connection.send<R>(method, args, { buffers, giveFile, signal });
  };

  const runtime = {
    async loadModel(file: unknown, options?: RemoteModelOptions) {
      takesAtMost(2, arguments.length, 'loadModel');
      const sent = await sendFile<SentModel>('loadModel', file, options, modelOptions);
      return remoteModel(entry, connection, sent, onRun);
    },
    async simplify(file: unknown, options?: RemoteSimplifyOptions) {
      takesAtMost(2, arguments.length, 'simplify');
      return sendFile('simplify', file, options, simplifyOptions);
    },
    async run(name: string, inputs: readonly unknown[] = [], attributes: object = {}, options?: object) {
      takesAtMost(4, arguments.length, 'run');
      const { signal, transfer, rest } = split(entry, 'run', options, ['opset']);
      check(signal);
      const values = [name, inputs, attributes, rest];
      const { value, buffers } = copied(entry, values, 'an argument', transfer, () => check(signal));
      return connection.send('run', value as unknown[], { buffers, signal });
    },
    async memory(options?: RemoteOptions) {
      takesAtMost(1, arguments.length, 'memory');
      const { signal } = checkedOptions('memory: ', options, ['signal']);
      return connection.send('memory', [], { signal: checkedSignal(entry, 'memory', signal) });
    },
    toString() {
      return 'RemoteRuntime';
    },
    terminate() {
      takesAtMost(0, arguments.length, 'terminate');
      connection.end('the worker was ended by terminate()');
    },
  };
  addDisposeSymbol(runtime, runtime.terminate);
  nameObjects(runtime, 'RemoteRuntime');
  return Object.freeze(runtime) as unknown as RemoteRuntime;
}
