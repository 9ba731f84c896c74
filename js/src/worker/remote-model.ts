import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { modelText } from '../basics/told.js';
import { tellerOf } from '../model/run-events.js';
import { type Connection, checkedSignal, checkedTransfer, type ModelCell } from './remote-connection.js';
import { copiedFeeds } from './remote-copies.js';
import type { Entry } from './remote-entry.js';
import type { LargeAttribute, Ran, SentModel } from './remote-protocol.js';
import type { RemoteInitializer, RemoteModel, RemoteNode, RemoteRunOptions, WorkerOptions } from './remote-types.js';

/** Makes the function `read` of a value in the worker. */
type Reader = (method: string, ...args: unknown[]) => () => Promise<never>;

/** Gives large attributes their `read`. */
function completeNodes(nodes: readonly RemoteNode[], reader: Reader): readonly RemoteNode[] {
  for (const { attributes, graphs } of nodes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (typeof value !== 'object' || !('large' in value)) continue;
      const { large, type, dims } = value as unknown as LargeAttribute;
      (attributes as { [name: string]: unknown })[name] = { type, dims, read: reader('readAttribute', large) };
    }
    for (const inner of Object.values(graphs ?? {})) completeNodes(inner, reader);
  }
  return nodes;
}

/** The answer to a question that is asked when it is first wanted. */
function once<R>(ask: () => Promise<R>): () => Promise<R> {
  let answer: Promise<R> | undefined;
  return () => {
    if (answer === undefined) {
      answer = ask();
      // JSON.stringify and spreads ask for what nobody waits for: its error ends no process.
      answer.catch(() => {});
    }
    return answer;
  };
}

/** The caller's side of a model in the worker. */
export function remoteModel(
  entry: Entry,
  connection: Connection,
  sent: SentModel,
  listener: WorkerOptions['onRun'],
): RemoteModel {
  const { OnnxError, checkedOptions, runOptions, takesAtMost } = entry;
  const { handle, opset, inputs, outputs } = sent;
  let warnings = Object.freeze(sent.warnings);
  const cell: ModelCell = { handle, isDisposed: false };
  connection.watch(cell);
  for (const value of [...inputs, ...outputs]) Object.freeze(value);
  const check = () => {
    if (cell.isDisposed) throw new OnnxError('DISPOSED', 'this model was disposed of');
  };
  const read = async (method: string, ...args: unknown[]) => {
    check();
    return connection.send<never>(method, [cell.handle, ...args]);
  };
  const reader: Reader =
    (method, ...args) =>
    async (...superfluous: unknown[]) => {
      takesAtMost(0, superfluous.length, 'read');
      return read(method, ...args);
    };
  const nodes = once(async () => completeNodes(await read('nodes'), reader));
  const metadata = once(() => read('metadata'));
  const initializers = once(async () => {
    const rows: readonly RemoteInitializer[] = await read('initializers');
    return rows.map((row, i) => ({ ...row, read: reader('readInitializer', i) }));
  });
  const ask = (method: string, name: string, feeds: object, options: RemoteRunOptions | undefined) => {
    check();
    const given = checkedOptions(`${name}: `, options, [...runOptions, 'signal', 'transfer']);
    const signal = checkedSignal(entry, name, given.signal);
    const checkCall = () => {
      check();
      connection.check(signal);
    };
    checkCall();
    const transfer = checkedTransfer(entry, name, given.transfer);
    const { value, buffers } = copiedFeeds(entry, feeds, transfer, checkCall);
    const onRun = tellerOf(listener, model as unknown as RemoteModel);
    const sending = { buffers, signal, onRun };
    const ran = connection.send<Ran>(method, [cell.handle, value, { outputs: given.outputs }], sending);
    return ran.then((answer) => {
      if (answer.warnings !== undefined) warnings = Object.freeze(answer.warnings);
      return answer.result as never;
    });
  };

  const model = {
    opset,
    inputs: Object.freeze(inputs),
    outputs: Object.freeze(outputs),
    get warnings() {
      return warnings;
    },
    get nodes() {
      return nodes();
    },
    get initializers() {
      return initializers();
    },
    get metadata() {
      return metadata();
    },
    async run(feeds: object = {}, options?: RemoteRunOptions) {
      takesAtMost(2, arguments.length, 'run');
      return ask('runModel', 'run', feeds, options);
    },
    async profile(feeds: object = {}, options?: RemoteRunOptions) {
      takesAtMost(2, arguments.length, 'profile');
      return ask('profile', 'profile', feeds, options);
    },
    toString() {
      return modelText(`RemoteModel (opset ${opset})`, inputs, outputs);
    },
    dispose() {
      takesAtMost(0, arguments.length, 'dispose');
      if (cell.isDisposed) return;
      cell.isDisposed = true;
      connection.drop(cell.handle);
    },
  };
  addDisposeSymbol(model, model.dispose);
  nameObjects(model, 'RemoteModel');
  return Object.freeze(model) as unknown as RemoteModel;
}
