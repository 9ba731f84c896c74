// The caller's side of a runtime in a worker. A file of its own, dist/remote.js, which the entry imports when it is wanted.

import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { show, tagOf } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';
import {
  Connection,
  checkedSignal,
  checkedTransfer,
  reasonOf,
  type Sending,
  startAdvice,
} from './remote-connection.js';
import { copied, fileOf } from './remote-copies.js';
import type { Entry } from './remote-entry.js';
import { remoteFiles } from './remote-files.js';
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

/** Starts the worker, and resolves when its runtime is there. */
export async function connect(entry: Entry, given: WorkerOptions | undefined): Promise<RemoteRuntime> {
  const { OnnxError, loadOptions } = entry;
  const options = entry.checkedOptions('loadInWorker: ', given, [...loadOptions, 'worker', 'signal']);
  const { worker, signal, wasm, ...numbers } = options;
  const checked = checkedSignal(entry, 'loadInWorker', signal);
  const source = await sendableWasm(wasm ?? entry.wasmForWorkers?.()).catch((cause) => {
    throw new OnnxError('INVALID_ARGUMENT', `loadInWorker: no wasm module${reasonOf(cause)}`, { cause });
  });
  // Refused while there is no worker that would stay.
  const args = copied(entry, numbers, 'loadInWorker: an option');
  if (checked?.aborted) throw checked.reason;
  const started = await makeWorker(entry, worker);
  const connection = new Connection(entry, started);
  try {
    await connection.send('load', [broadloomVersion, { ...(args.value as object), wasm: source ?? started.wasm }], {
      signal: checked,
    });
  } catch (error) {
    connection.end('the worker did not start');
    throw error;
  }
  return remoteRuntime(entry, connection);
}

async function makeWorker(entry: Entry, given: WorkerOptions['worker']): Promise<StartedWorker> {
  const { OnnxError, startWorker } = entry;
  let worker: unknown;
  try {
    if (given === undefined && startWorker === undefined) return await startWebWorker();
    worker = typeof given === 'function' ? given() : (given ?? (await startWorker?.()));
  } catch (cause) {
    throw new OnnxError('INVALID_ARGUMENT', `loadInWorker: no worker${reasonOf(cause)}: ${startAdvice}`, { cause });
  }
  const methods = worker as { [name: string]: unknown } | null | undefined;
  if (typeof methods?.postMessage === 'function' && typeof methods.terminate === 'function')
    return { worker: worker as WorkerLike };
  throw new OnnxError('INVALID_ARGUMENT', `loadInWorker: worker is ${show(worker)}, wanted a Worker`);
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

function remoteRuntime(entry: Entry, connection: Connection): RemoteRuntime {
  const { checkedOptions, modelOptions, simplifyOptions, takesAtMost } = entry;

  /** Takes what stays in this thread out of the options of a call. */
  const split = (method: string, options: object | undefined, known: readonly string[]) => {
    const all = [...known, 'signal', 'transfer'];
    const { signal, transfer, external, ...rest } = checkedOptions<RemoteSimplifyOptions>(`${method}: `, options, all);
    const giveFile = remoteFiles(entry, method, external);
    const sending: Sending = { signal: checkedSignal(entry, method, signal), giveFile };
    connection.check(sending.signal);
    return {
      sending,
      transfer: checkedTransfer(entry, method, transfer),
      rest: { ...rest, ...(giveFile && { external: true }) },
    };
  };

  /** Sends a call with a file. */
  const sendFile = <R>(method: string, file: unknown, given: object | undefined, known: readonly string[]) => {
    const { sending, transfer, rest } = split(method, given, known);
    const source = fileOf(entry, file, `${method}: the file is `);
    // Together: an option that is refused must not take the file's bytes away.
    const both = [arrayName(source) && source, rest];
    const check = () => connection.check(sending.signal);
    const { value, buffers } = copied(entry, both, `${method}: an option`, transfer, check);
    const [bytes, options] = value as unknown[];
    return connection.send<R>(method, [bytes ?? source, options], { ...sending, buffers });
  };

  const runtime = {
    async loadModel(file: unknown, options?: RemoteModelOptions) {
      takesAtMost(2, arguments.length, 'loadModel');
      const sent = await sendFile<SentModel>('loadModel', file, options, modelOptions);
      return remoteModel(entry, connection, sent);
    },
    async simplify(file: unknown, options?: RemoteSimplifyOptions) {
      takesAtMost(2, arguments.length, 'simplify');
      return sendFile('simplify', file, options, simplifyOptions);
    },
    async run(name: string, inputs: readonly unknown[] = [], attributes: object = {}, options?: object) {
      takesAtMost(4, arguments.length, 'run');
      const { sending, transfer, rest } = split('run', options, ['opset']);
      const check = () => connection.check(sending.signal);
      const { value, buffers } = copied(entry, [name, inputs, attributes, rest], 'an argument', transfer, check);
      return connection.send('run', value as unknown[], { ...sending, buffers });
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
