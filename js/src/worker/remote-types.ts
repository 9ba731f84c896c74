import type { MemoryUse } from '../calls/memory-use.js';
import type { OperatorInput } from '../calls/operands.js';
import type { NodeAttribute } from '../model/attributes.js';
import type { ModelInitializer, ModelMetadata } from '../model/contents.js';
import type { FeedLike } from '../model/feeds.js';
import type { FileParts } from '../model/file-parts.js';
import type { NodeProfile } from '../model/model.js';
import type { ModelNode } from '../model/nodes.js';
import type { ModelOptions, RunOptions } from '../model/options.js';
import type { RunEvent } from '../model/run-events.js';
import type { ValueInfo } from '../model/value-info.js';
import type { LoadOptions } from '../runtime/load.js';
import type { AttributesOf, OperatorName } from '../runtime/operator-names.js';
import type { SimplifiedBlob, SimplifiedBytes, SimplifyOptions } from '../simplify/types.js';
import type { TensorMessage } from '../tensor/messages.js';
import type { AttributesIn, DataType, OperatorOptions } from '../tensor/types.js';

/** A worker of browsers, Bun or Deno, or of Node's `worker_threads`. */
export interface WorkerLike {
  /** Sends a message; the buffers that are listed move with it. */
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  /** Ends the worker. */
  terminate(): unknown;
}

/** Options of {@link loadInWorker}: the options of {@link load}, and options of the worker. */
export interface WorkerOptions extends Omit<LoadOptions, 'onRun'> {
  /** As {@link LoadOptions.onRun}, of the models in the worker. It is called in this thread. */
  onRun?: ((event: RunEvent<RemoteModel>) => void) | undefined;
  /**
   * A worker whose script imports `broadloom/worker`, or a function that makes it. Default: one that runs the script of this
   * package, which lies beside its JavaScript.
   */
  worker?: WorkerLike | (() => WorkerLike) | undefined;
  /** Gives up loading: the worker is ended, and the promise is rejected with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Options of all calls of a {@link RemoteRuntime} and its models. */
export interface RemoteOptions {
  /**
   * Stops the call. A call that waits for its turn is dropped. To stop a call that runs, the worker is ended: all its models are
   * lost, and all its other calls are rejected with `DISPOSED`, also the calls of other callers. In both cases the promise is
   * rejected with the signal's reason. If other calls must survive, give each call its own worker, or use a pool of workers (the
   * guide on many requests).
   */
  signal?: AbortSignal | undefined;
}

/** Whether buffers move to the worker, for calls that take large data. */
export interface TransferOptions extends RemoteOptions {
  /**
   * Whether the buffers of typed arrays move to the worker instead of being copied: afterwards they are empty here. A buffer
   * moves as a whole, even if an array shows only a part of it. Those that cannot move, such as a runtime's memory, are copied.
   * Default: false.
   */
  transfer?: boolean | undefined;
}

/** The content of a file. A Blob or File is read in the worker. */
export type RemoteFile = Uint8Array | ArrayBuffer | Blob;

/** A file beside a model: its content, or what reads parts of it. Only the parts that are needed go to the worker. */
export type RemoteNeighbour = RemoteFile | FileParts<Uint8Array | PromiseLike<Uint8Array>>;

/**
 * Files beside a model, by the locations that the model names; or a function that gives them. It is called with each location
 * once, and returns the file, or undefined for a missing file, or a promise of either.
 */
export type RemoteFiles =
  | ((location: string) => RemoteNeighbour | undefined | PromiseLike<RemoteNeighbour | undefined>)
  | ReadonlyMap<string, RemoteNeighbour>
  | { readonly [location: string]: RemoteNeighbour };

/** Options of {@link RemoteRuntime.loadModel}. */
export interface RemoteModelOptions extends Omit<ModelOptions, 'external'>, TransferOptions {
  /** The files in which initializers have their elements. */
  external?: RemoteFiles | undefined;
}

/** Options of {@link RemoteModel.run} and {@link RemoteModel.profile}. */
export interface RemoteRunOptions<N extends string = string> extends RunOptions<N>, TransferOptions {}

/** Options of {@link RemoteRuntime.simplify}. */
export interface RemoteSimplifyOptions extends Omit<SimplifyOptions, 'external'>, TransferOptions {
  /** The files in which initializers have their elements. */
  external?: RemoteFiles | undefined;
}

/** Options of {@link RemoteRuntime.run}. */
export interface RemoteOperatorOptions extends OperatorOptions, TransferOptions {}

/** A tensor of a result: `type`, `dims` and `data`, a plain object. */
export type RemoteTensor = { [T in DataType]: TensorMessage<T> }[DataType];

/**
 * An attribute that is too large to be sent with the description of its node: a tensor of more than 256 elements, or a long
 * list.
 */
export interface RemoteAttribute {
  /** The element type of a tensor; `null` for a list. */
  readonly type: DataType | null;
  /** Sizes of the axes of a tensor; `null` for a list. */
  readonly dims: readonly number[] | null;
  /** The value, as {@link ModelNode.attributes} has it. */
  read(): Promise<NodeAttribute>;
}

/** A node, as {@link Model.nodes} has it. Large attributes are read when they are asked for. */
export interface RemoteNode extends Omit<ModelNode, 'attributes' | 'graphs'> {
  /** The attributes that the file gives, by ONNX's names. */
  readonly attributes: { readonly [name: string]: NodeAttribute | RemoteAttribute };
  /** The nodes of the graphs that the node has, by the names of the attributes. Absent when it has none. */
  readonly graphs?: { readonly [attribute: string]: readonly RemoteNode[] };
}

/** An initializer, as {@link Model.initializers} has it. */
export interface RemoteInitializer extends Omit<ModelInitializer, 'read'> {
  /**
   * A copy of the tensor.
   *
   * @throws {@link OnnxError} `INVALID_MODEL` for elements in another file that was not given; `DISPOSED`, `OUT_OF_MEMORY`
   */
  read(): Promise<RemoteTensor>;
}

/**
 * A {@link Model} in a worker. Made by {@link RemoteRuntime.loadModel}. It has the properties of the model: short ones are there
 * at once, and long ones are promises, which ask the worker once.
 */
export interface RemoteModel {
  /** The opset of ONNX's own operators; `null` when the model imports none. */
  readonly opset: number | null;
  /** The inputs that must be fed, as {@link Model.inputs}. */
  readonly inputs: readonly ValueInfo[];
  /** The outputs, in the file's order. */
  readonly outputs: readonly ValueInfo[];
  /** Faults of the file that were accepted, as {@link Model.warnings}. */
  readonly warnings: readonly string[];
  /** All nodes in the file's order, as {@link Model.nodes}. */
  readonly nodes: Promise<readonly RemoteNode[]>;
  /** The initializers of all graphs, as {@link Model.initializers}. */
  readonly initializers: Promise<readonly RemoteInitializer[]>;
  /** Who wrote the file, the versions that it needs, its functions and texts. */
  readonly metadata: Promise<ModelMetadata>;
  /**
   * Runs the graph. Runs of one worker wait for each other, in the order of the calls.
   *
   * @param feeds - as in {@link Model.run}; they are copied before `run` returns, unless `transfer` is set
   * @param options - `outputs`, which chooses the values to compute; `signal`, which stops the run; `transfer`
   * @returns the outputs by name, as plain objects. Every operator, `fromMessage` and another run take them
   * @throws {@link OnnxError} as {@link Model.run} does; `DISPOSED` when the worker was ended
   */
  run<N extends string = string>(
    feeds?: { readonly [name: string]: FeedLike },
    options?: RemoteRunOptions<N>,
  ): Promise<{ [name in N]: RemoteTensor }>;
  /**
   * Runs the graph twice, and says where the time of the second run went, as {@link Model.profile} does.
   *
   * @param feeds - as in {@link RemoteModel.run}
   * @param options - as in {@link RemoteModel.run}
   * @throws {@link OnnxError} as {@link RemoteModel.run} does
   */
  profile(feeds?: { readonly [name: string]: FeedLike }, options?: RemoteRunOptions): Promise<NodeProfile[]>;
  /** One line: the opset, and names, types and dims of inputs and outputs. */
  toString(): string;
  /** Frees the model after the runs that wait. A second call does nothing. */
  dispose(): void;
  /** Does what `dispose()` does, for `using`. */
  readonly [Symbol.dispose]: () => void;
}

/**
 * A {@link Runtime} in a worker. Made by {@link loadInWorker}. Calls are answered one after the other, in their order, while the
 * caller's thread does something else.
 */
export interface RemoteRuntime {
  /**
   * Reads and checks an .onnx file in the worker.
   *
   * @param file - the content of the file; it is copied, unless `transfer` is set. A Blob or File is read in the worker: its
   * content never enters the memory of this thread
   * @param options - as {@link Runtime.loadModel} takes them, `signal`, and `transfer`
   * @throws {@link OnnxError} as {@link Runtime.loadModel} does; `INVALID_ARGUMENT` for a Blob that cannot be read
   */
  loadModel(file: RemoteFile, options?: RemoteModelOptions): Promise<RemoteModel>;
  /**
   * Makes a model file smaller without changing what it computes, as {@link Runtime.simplify} does.
   *
   * @param file - the content of an .onnx file; a Blob is read in the worker, where it is needed
   * @param options - as {@link Runtime.simplify} takes them, `signal`, and `transfer`
   * @throws {@link OnnxError} as {@link Runtime.simplify} does
   */
  simplify(file: Uint8Array | ArrayBuffer, options?: RemoteSimplifyOptions): Promise<SimplifiedBytes>;
  /** Simplifies the file in a Blob. The result is a Blob, too. */
  simplify(file: Blob, options?: RemoteSimplifyOptions): Promise<SimplifiedBlob>;
  /** Simplifies a file that is bytes or a Blob. */
  simplify(file: RemoteFile, options?: RemoteSimplifyOptions): Promise<SimplifiedBytes | SimplifiedBlob>;
  /**
   * Runs any operator by its ONNX name, as {@link Runtime.run} does.
   *
   * @param name - ONNX's name of the operator
   * @param inputs - tensors, numbers, lists; null for an input left out
   * @param attributes - the operator's attributes, by ONNX's names: see {@link OperatorAttributes}
   * @param options - `opset`, `signal`, and `transfer`
   * @returns the outputs, in the operator's order
   * @throws {@link OnnxError} as {@link Runtime.run} does
   */
  run<N extends OperatorName, A extends AttributesIn<A>>(
    name: N,
    inputs?: readonly OperatorInput[],
    attributes?: AttributesOf<N, A>,
    options?: RemoteOperatorOptions,
  ): Promise<RemoteTensor[]>;
  /**
   * Tells what is alive in the worker's runtime.
   *
   * @param options - `signal`
   */
  memory(options?: RemoteOptions): Promise<MemoryUse>;
  /** The name of the class: its state is in the worker. */
  toString(): string;
  /**
   * Ends the worker at once, also in the middle of a run. All promises that are open, and all later calls, are rejected with
   * `DISPOSED`. A second call does nothing.
   */
  terminate(): void;
  /** Does what `terminate()` does, for `using`. */
  readonly [Symbol.dispose]: () => void;
}
