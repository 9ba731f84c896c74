/**
 * Broadloom as a backend of the onnxruntime that a program has: `executionProviders: ['broadloom', 'wasm']`.
 *
 * @module broadloom/ort
 */

import { show } from '../basics/show.js';
import { createHandler, type GivenTensor, type TensorClass } from '../onnxruntime/handler.js';
import { Host } from '../onnxruntime/host.js';
import { checkSessionOptions } from '../onnxruntime/options.js';
import type { InferenceSession } from '../onnxruntime/session.js';
import { warnOnce } from '../onnxruntime/warnings.js';
import { type LoadOptions, OnnxError } from './index.js';

/** The arguments and results of a backend, in the words of onnxruntime-common. */
type Feeds = Readonly<Record<string, GivenTensor>>;
type Fetches = Readonly<Record<string, GivenTensor | null>>;
type Provider = string | { readonly name: string };
type Options = Omit<InferenceSession.SessionOptions, 'executionProviders'> & {
  readonly executionProviders?: readonly Provider[];
};

interface SessionHandler {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly unknown[];
  readonly outputMetadata: readonly unknown[];
  startProfiling(): void;
  endProfiling(): void;
  run(feeds: Feeds, fetches: Fetches, options: InferenceSession.RunOptions): Promise<Record<string, unknown>>;
  dispose(): Promise<void>;
}

interface Session extends Omit<SessionHandler, 'dispose'> {
  release(): Promise<void>;
}

/** The parts of onnxruntime-web, onnxruntime-node or onnxruntime-common that are used, of any version: `never` stands for its types. */
export interface OrtLike {
  /** Adds a backend to those that sessions choose from. */
  registerBackend(name: string, backend: never, priority: number): void;
  /** The class of results. */
  readonly Tensor: new (
    type: never,
    data: never,
    dims?: never,
  ) => unknown;
  /** Makes sessions of other backends. */
  readonly InferenceSession: {
    /** Reads a model. */
    create(model: never, options?: never): Promise<unknown>;
  };
}

/** Options of {@link register}. */
export interface RegisterOptions {
  /**
   * Bytes of the largest model that runs here when another provider follows `broadloom` in the list; larger models are left to
   * that provider. Weights in other files count. Default: 64 MiB.
   */
  maximumBytes?: number | undefined;
  /** Options of `load` for the runtime of all sessions: where the module is, limits. */
  load?: LoadOptions | undefined;
}

const ownName = 'broadloom';
const nameOf = (provider: Provider) => (typeof provider === 'string' ? provider : provider.name);

/**
 * The providers after this one in the user's list. onnxruntime-common hands backends a proxy of the options, whose list has this
 * provider alone; the property itself has the user's list.
 */
function otherProviders(options: Options): readonly Provider[] {
  const list: unknown = Object.getOwnPropertyDescriptor(options, 'executionProviders')?.value;
  if (!Array.isArray(list)) return [];
  const at = (list as Provider[]).findIndex((provider) => nameOf(provider) === ownName);
  return (list as Provider[]).slice(at + 1);
}

/** The interface of this backend over a session of another one. */
function handlerOf(session: Session): SessionHandler {
  const { inputNames, outputNames, inputMetadata, outputMetadata } = session;
  return {
    ...{ inputNames, outputNames, inputMetadata, outputMetadata },
    startProfiling: () => session.startProfiling(),
    endProfiling: () => session.endProfiling(),
    run: (feeds, fetches, options) => session.run(feeds, fetches, options),
    dispose: () => session.release(),
  };
}

/** The object that has `registerBackend`: a CommonJS module that was imported has it in `default`. */
function backendsOf(ort: unknown): OrtLike {
  for (const one of [ort, (ort as { default?: unknown } | undefined)?.default] as Partial<OrtLike>[])
    if (typeof one?.registerBackend === 'function' && one.Tensor !== undefined && one.InferenceSession !== undefined)
      return one as OrtLike;
  throw new OnnxError(
    'INVALID_ARGUMENT',
    `register: ${show(ort)} is not onnxruntime-web, onnxruntime-node or onnxruntime-common: import * as ort from one of them`,
  );
}

/** The backend in one registry: what onnxruntime-common makes sessions by. */
class Backend {
  readonly #Tensor: TensorClass;
  readonly #sessions: OrtLike['InferenceSession'];
  #host = new Host(() => undefined);
  #maximumBytes = 0;

  constructor(Tensor: TensorClass, sessions: OrtLike['InferenceSession']) {
    this.#Tensor = Tensor;
    this.#sessions = sessions;
  }

  /** Takes the options for the sessions that are made from now on. */
  use({ maximumBytes = 64 * 2 ** 20, load }: RegisterOptions): void {
    this.#maximumBytes = maximumBytes;
    this.#host = new Host(() => load);
  }

  /** Loads nothing: a backend whose `init` has failed is never asked again. */
  async init(): Promise<void> {}

  async createInferenceSessionHandler(model: string | Uint8Array, options: Options = {}): Promise<SessionHandler> {
    const others = otherProviders(options);
    const leave = async () => {
      const session = await this.#sessions.create(model as never, { ...options, executionProviders: others } as never);
      return handlerOf(session as Session);
    };
    const { executionProviders: _, ...rest } = options;
    const place = others.length > 0 ? { maximumBytes: this.#maximumBytes } : {};
    let isLoaded = false;
    try {
      isLoaded = await this.#host.withRuntime(() => true);
      const handler = await createHandler(this.#host, this.#Tensor, model, rest, place);
      checkSessionOptions(rest);
      return handler;
    } catch (error) {
      const { code, message } = error as OnnxError;
      if (others.length === 0 || (isLoaded && code === 'INVALID_ARGUMENT')) throw error;
      if (!isLoaded) warnOnce(`models run elsewhere: ${message}`, rest);
      return leave().catch((theirs) => {
        // Where they fail, too, or are not there, the program can see why the model did not run here.
        if (theirs instanceof Error) theirs.cause ??= error;
        throw theirs;
      });
    }
  }
}

function checkOptions(options: unknown): asserts options is RegisterOptions {
  const refuse = (text: string) => new OnnxError('INVALID_ARGUMENT', `register: ${text}`);
  const known = ['maximumBytes', 'load'];
  if (typeof options !== 'object' || options === null)
    throw refuse(`options are ${show(options)}, wanted an object such as { maximumBytes: ... }`);
  const other = Object.keys(options).find((name) => !known.includes(name));
  if (other !== undefined) throw refuse(`no option '${other}'; known: ${known.join(', ')}`);
  const { maximumBytes = 0 } = options as { maximumBytes?: unknown };
  if (typeof maximumBytes !== 'number' || !(maximumBytes >= 0))
    throw refuse(`maximumBytes is ${show(maximumBytes)}, wanted a number from 0`);
}

/**
 * The property of a class of tensors with its backend. Packages that share a copy of onnxruntime-common share its registry, which
 * replaces no backend; copies of this package, as hot reloads make them, share it, too.
 */
const ownBackend = Symbol.for('broadloom/ort');

/**
 * Adds the execution provider `broadloom` to an onnxruntime. Sessions name it: `executionProviders: ['broadloom', 'wasm']`. A
 * model that cannot run here, or is large, is left to the providers after it; if there are none, `create` is refused with the
 * list of operators. Results are tensors of that onnxruntime. A second call replaces the options.
 *
 * @param ort - onnxruntime-web, onnxruntime-node or onnxruntime-common, as the program imports it
 * @param options - which models are large, and options of the runtime
 * @throws `OnnxError` `INVALID_ARGUMENT` for an object that is none of them, and for wrong options
 *
 * @example
 * ```js
 * import * as ort from 'onnxruntime-web';
 * import { register } from 'broadloom/ort';
 *
 * register(ort);
 * const session = await ort.InferenceSession.create('model.onnx', { executionProviders: ['broadloom', 'wasm'] });
 * ```
 */
export function register(
  ort:
    | OrtLike
    | {
        /** The exports of a module of CommonJS. */
        readonly default: OrtLike;
      },
  options: RegisterOptions = {},
): void {
  checkOptions(options);
  const { registerBackend, Tensor, InferenceSession } = backendsOf(ort);
  const holder = Tensor as unknown as TensorClass & { [ownBackend]?: Backend };
  const known = holder[ownBackend];
  const backend = known ?? new Backend(holder, InferenceSession);
  backend.use(options);
  if (known === undefined) registerBackend(ownName, backend as never, -1);
  holder[ownBackend] = backend;
}
