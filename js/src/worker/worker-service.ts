// The worker's side: a runtime whose calls come as messages.
import type { OnnxError } from '../basics/error.js';
import { tagOf } from '../basics/show.js';
import type { FileParts, PendingPart } from '../model/file-parts.js';
import { loadWithFiles, type PendingFiles } from '../model/load-with-files.js';
import type { Model } from '../model/model.js';
import type { RunFigures } from '../model/run-events.js';
import type { load as loadRuntime } from '../runtime/load.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Attributes } from '../tensor/types.js';
import type { Answer, GivenFile, Ran, Request, SentError, SentModel, WantedPart } from './remote-protocol.js';
import { attributeAt, initializersOf, nodesOf, plainOf } from './worker-descriptions.js';
import { bytesOfFile, simplifyFile } from './worker-files.js';

/** How a worker hears of messages, and answers. */
export interface Port {
  listen(listener: (message: unknown) => void): void;
  post(message: Answer, buffers: ArrayBuffer[]): void;
}

interface Call {
  /** The buffers that move with the result. */
  readonly buffers: ArrayBuffer[];
  /** Asks the other side for a file beside the model. */
  readonly getFile: PendingFiles;
}

type Feeds = Parameters<Model['run']>[0];
type Method = (call: Call, ...args: never[]) => unknown;

/** Answers the messages of `port`. `load` and `OnnxError` come from the package. */
export function serve(port: Port, load: typeof loadRuntime, errorClass: typeof OnnxError): void {
  const models = new Map<number, Model>();
  let count = 0;
  let runtime: Runtime | undefined;
  let figures: RunFigures | undefined; // of the last run
  let file: { resolve(value: unknown): void; reject(error: unknown): void } | undefined;

  const ops = () => runtime as Runtime;
  const modelOf = (handle: number) => models.get(handle) as Model;
  const ran = (handle: number, run: (model: Model) => unknown): Ran => {
    const model = modelOf(handle);
    const { warnings } = model;
    const result = run(model);
    return { result, ...(model.warnings !== warnings && { warnings: model.warnings }) };
  };

  const methods: { readonly [name: string]: Method } = {
    async load(_call, version: string, options: { readonly [name: string]: unknown }) {
      if (version !== broadloomVersion)
        throw new errorClass(
          'INVALID_ARGUMENT',
          `the worker's script is of version ${broadloomVersion}, and this JavaScript of ${version}`,
        );
      const { onRun: isWatched, ...given } = options;
      const onRun = ({ nodes, microseconds, bytes }: RunFigures) => {
        figures = { nodes, microseconds, bytes };
      };
      const all = isWatched === true ? { ...given, onRun } : given;
      const isGiven = Object.values(all).some((value) => value !== undefined);
      runtime = await load(isGiven ? all : undefined);
    },
    async loadModel({ getFile }, given: Uint8Array | Blob, { external, ...options }: { external?: true }) {
      const bytes = await bytesOfFile('loadModel', given, errorClass);
      const model = external ? await loadWithFiles(ops(), bytes, options, getFile) : ops().loadModel(bytes, options);
      models.set(++count, model);
      const { opset, inputs, outputs, warnings } = model;
      return { handle: count, opset, inputs, outputs, warnings } satisfies SentModel;
    },
    simplify: ({ buffers, getFile }, given: Uint8Array | Blob, options: { external?: true }) =>
      simplifyFile(ops(), given, options, getFile, buffers),
    run: ({ buffers }, name: string, inputs: [], attributes: Attributes, options: object) =>
      ops().scope(() => plainOf(ops().run(name, inputs, attributes, options), buffers)),
    memory: () => ops().memory(),
    runModel: ({ buffers }, handle: number, feeds: Feeds, options: object | undefined): Ran =>
      ran(handle, (model) => ops().scope(() => plainOf(model.run(feeds, options), buffers))),
    profile: (_call, handle: number, feeds: Feeds, options: object | undefined): Ran =>
      ran(handle, (model) => model.profile(feeds, options)),
    nodes: (_call, handle: number) => nodesOf(modelOf(handle).nodes),
    metadata: (_call, handle: number) => modelOf(handle).metadata,
    initializers: (_call, handle: number) => initializersOf(modelOf(handle)),
    readInitializer: ({ buffers }, handle: number, i: number) =>
      ops().scope(() => plainOf(modelOf(handle).initializers[i]?.read(), buffers)),
    readAttribute: (_call, handle: number, path: readonly (string | number)[]) =>
      attributeAt(modelOf(handle).nodes, path),
    disposeModel(_call, handle: number) {
      modelOf(handle).dispose();
      models.delete(handle);
    },
  };

  const answer = async ({ broadloom, method, args }: Request) => {
    const buffers: ArrayBuffer[] = [];
    const ask = (wanted: WantedPart) =>
      new Promise<unknown>((resolve, reject) => {
        file = { resolve, reject };
        port.post({ broadloom, wanted }, []);
      });
    const getFile = async (location: string): Promise<FileParts<PendingPart> | undefined> => {
      const size = (await ask({ location })) as number | undefined;
      const read = (offset: number, length: number) => ask({ location, offset, length }) as Promise<Uint8Array>;
      return size === undefined ? undefined : { size, read };
    };
    try {
      const work = methods[method] as (call: Call, ...args: readonly unknown[]) => unknown;
      figures = undefined;
      const value = await work({ buffers, getFile }, ...args);
      port.post({ broadloom, value, run: figures }, buffers);
    } catch (error) {
      sendError(port, { broadloom, run: figures }, error);
    }
  };

  port.listen((message) => {
    const { broadloom, ...rest } = (message ?? {}) as Request | GivenFile;
    if (typeof broadloom !== 'number') return;
    if ('method' in rest) void answer({ broadloom, ...rest });
    else if ('failed' in rest) file?.reject(new Error('the file was not given'));
    else file?.resolve((rest as { file?: unknown }).file);
  });
}

/** Sends an error with its cause, or without it where it cannot be sent. */
function sendError(port: Port, call: Pick<Answer, 'broadloom' | 'run'>, error: unknown): void {
  const post = (sent: SentError) => port.post({ ...call, error: sent }, []);
  if ((error as Error | null)?.name !== 'OnnxError') {
    const other = tagOf(error) === 'Error' ? error : new Error(String(error));
    post({ other });
    return;
  }
  const { code, message, operator, opset, node, limit, cause } = error as OnnxError;
  const sent = { code, message, operator, opset, node, limit };
  try {
    post({ ...sent, cause });
  } catch {
    post({ ...sent, cause: undefined });
  }
}
