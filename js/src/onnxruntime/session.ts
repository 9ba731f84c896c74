/* The sessions of onnxruntime-common. Constant, interface and namespace have one name, as there. */
import { Session } from './session-class.js';
import type { OtherTensor, Tensor } from './tensor.js';

/** A value that is fed or returned. */
export type OnnxValue = Tensor;
/** Where the elements of a value are. */
export type OnnxValueDataLocation = Tensor.DataLocation;

/** The address of a file, or its path where the host has files. */
export type FileUrlOrPath = string;
/** The content of a file. */
export type FileBlob = Blob;
/** The content of a file. */
export type FileData = Uint8Array | ArrayBufferLike;
/** A file: its address, its path or its content. */
export type FileType = FileUrlOrPath | URL | FileBlob | FileData;
/** A file in which initializers have their elements. */
export interface ExternalDataFileDescription {
  /** The file. */
  data: FileType;
  /** The path by which the model names it. */
  path: string;
}
/** A file in which initializers have their elements; a string is its address and the path by which the model names it. */
export type ExternalDataFileType = ExternalDataFileDescription | FileUrlOrPath;

/** Options about the file of a model. */
export interface OnnxModelOptions {
  /** The files in which initializers have their elements. */
  externalData?: readonly ExternalDataFileType[];
}

/** The types of sessions, as onnxruntime-common has them; the constant makes sessions. */
export declare namespace InferenceSession {
  /** Values by name. */
  type OnnxValueMapType = { readonly [name: string]: OnnxValue };
  /** Values by name; null for one that is to be made. */
  type NullableOnnxValueMapType = { readonly [name: string]: OnnxValue | null };

  /** A tensor for every input, by name. */
  type FeedsType = { readonly [name: string]: OnnxValue | OtherTensor };
  /**
   * The outputs to compute: their names, or an object with these names as keys. A tensor there gets the elements, and must have
   * the type and the dims of the output.
   */
  type FetchesType = readonly string[] | NullableOnnxValueMapType;
  /** The outputs by name. */
  type ReturnType = OnnxValueMapType;

  /** Options of `InferenceSession.create`. The guide "From onnxruntime-web" says which have a meaning here. */
  interface SessionOptions extends OnnxModelOptions {
    /** `wasm`, `cpu` and `broadloom` are all the same here; others get a warning. */
    executionProviders?: readonly ExecutionProviderConfig[];
    /** Runs take one thread; more get a warning. */
    intraOpNumThreads?: number;
    /** Runs take one thread; more get a warning. */
    interOpNumThreads?: number;
    /** Fixes sizes by the names that inputs give them: `{ batch: 1 }`. */
    freeDimensionOverrides?: { readonly [dimensionName: string]: number };
    /** `disabled` runs node by node. All others are the same. */
    graphOptimizationLevel?: 'disabled' | 'basic' | 'extended' | 'layout' | 'all';
    /** `false` gets a warning. */
    enableCpuMemArena?: boolean;
    /** `false` gets a warning. */
    enableMemPattern?: boolean;
    /** `parallel` gets a warning. */
    executionMode?: 'sequential' | 'parallel';
    /** Gets a warning: `broadloom simplify` writes such a file. */
    optimizedModelFilePath?: string;
    /** Profiles runs from the first one on, as `startProfiling()` does. */
    enableProfiling?: boolean;
    /** Gets a warning. */
    profileFilePrefix?: string;
    /** Stands before warnings about this session. */
    logId?: string;
    /** Above 2 there are no warnings. */
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    /** Nothing is logged but warnings. */
    logVerbosityLevel?: number;
    /** All outputs are on the CPU; other places get a warning. */
    preferredOutputLocation?: OnnxValueDataLocation | { readonly [outputName: string]: OnnxValueDataLocation };
    /** `true` gets a warning. */
    enableGraphCapture?: boolean;
    /** Gets a warning. */
    extra?: Record<string, unknown>;
  }

  /** An execution provider with options. They have no effect here. */
  interface ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: string;
  }
  /** Options of the execution provider `cpu`, where models run. */
  interface CpuExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'cpu';
    /** Has no effect. */
    useArena?: boolean;
  }
  /** Options of the execution provider `cuda`. It gets a warning: models run in WebAssembly. */
  interface CudaExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'cuda';
    /** Has no effect. */
    deviceId?: number;
  }
  /** Options of the execution provider `dml`. It gets a warning: models run in WebAssembly. */
  interface DmlExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'dml';
    /** Has no effect. */
    deviceId?: number;
  }
  /** Options of the execution provider `tensorrt`. It gets a warning: models run in WebAssembly. */
  interface TensorRtExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'tensorrt';
    /** Has no effect. */
    deviceId?: number;
  }
  /** Options of the execution provider `wasm`, where models run. */
  interface WebAssemblyExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'wasm';
  }
  /** Options of the execution provider `webgl`. It gets a warning: models run in WebAssembly. */
  interface WebGLExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'webgl';
  }
  /** Options of the execution provider `xnnpack`. It gets a warning: models run in WebAssembly. */
  interface XnnpackExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'xnnpack';
  }
  /** Options of the execution provider `webgpu`. It gets a warning: models run in WebAssembly. */
  interface WebGpuExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'webgpu';
    readonly [option: string]: unknown;
  }
  /** The execution provider `webnn`. It gets a warning: models run in WebAssembly. */
  interface WebNNExecutionProviderName extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'webnn';
  }
  /** Options of the execution provider `webnn`. They have no effect here. */
  interface WebNNContextOptions {
    /** Has no effect. */
    deviceType?: 'cpu' | 'gpu' | 'npu';
    /** Has no effect. */
    numThreads?: number;
    /** Has no effect. */
    powerPreference?: 'default' | 'low-power' | 'high-performance';
  }
  /** Options of the execution provider `webnn`. They have no effect here. */
  interface WebNNOptionsWithoutMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    /** Has no effect. */
    context?: never;
  }
  /** Options of the execution provider `webnn`. They have no effect here. */
  interface WebNNOptionsWithMLContext
    extends WebNNExecutionProviderName,
      Omit<WebNNContextOptions, 'deviceType'>,
      Required<Pick<WebNNContextOptions, 'deviceType'>> {
    /** Has no effect. */
    context: unknown;
  }
  /** Options of the execution provider `webnn`. They have no effect here. */
  interface WebNNOptionsWebGpu extends WebNNExecutionProviderName {
    /** Has no effect. */
    context: unknown;
    /** Has no effect. */
    gpuDevice: unknown;
  }
  /** Options of the execution provider `webnn`. It gets a warning: models run in WebAssembly. */
  type WebNNExecutionProviderOption = WebNNOptionsWithoutMLContext | WebNNOptionsWithMLContext | WebNNOptionsWebGpu;
  /** Options of the execution provider `qnn`. It gets a warning: models run in WebAssembly. */
  interface QnnExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'qnn';
    /** Has no effect. */
    backendType?: string;
    /** Has no effect. */
    backendPath?: string;
    /** Has no effect. */
    enableFp16Precision?: boolean;
  }
  /** Options of the execution provider `coreml`. It gets a warning: models run in WebAssembly. */
  interface CoreMLExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'coreml';
    /** Has no effect. */
    coreMlFlags?: number;
    /** Has no effect. */
    useCPUOnly?: boolean;
    /** Has no effect. */
    useCPUAndGPU?: boolean;
    /** Has no effect. */
    enableOnSubgraph?: boolean;
    /** Has no effect. */
    onlyEnableDeviceWithANE?: boolean;
  }
  /** Options of the execution provider `nnapi`. It gets a warning: models run in WebAssembly. */
  interface NnapiExecutionProviderOption extends ExecutionProviderOption {
    /** The name of the execution provider. */
    readonly name: 'nnapi';
    /** Has no effect. */
    useFP16?: boolean;
    /** Has no effect. */
    useNCHW?: boolean;
    /** Has no effect. */
    cpuDisabled?: boolean;
    /** Has no effect. */
    cpuOnly?: boolean;
  }
  /** The execution providers of onnxruntime, with their options. */
  interface ExecutionProviderOptionMap {
    /** Options of `coreml`. */
    coreml: CoreMLExecutionProviderOption;
    /** Options of `cpu`. */
    cpu: CpuExecutionProviderOption;
    /** Options of `cuda`. */
    cuda: CudaExecutionProviderOption;
    /** Options of `dml`. */
    dml: DmlExecutionProviderOption;
    /** Options of `nnapi`. */
    nnapi: NnapiExecutionProviderOption;
    /** Options of `tensorrt`. */
    tensorrt: TensorRtExecutionProviderOption;
    /** Options of `wasm`. */
    wasm: WebAssemblyExecutionProviderOption;
    /** Options of `webgl`. */
    webgl: WebGLExecutionProviderOption;
    /** Options of `webgpu`. */
    webgpu: WebGpuExecutionProviderOption;
    /** Options of `webnn`. */
    webnn: WebNNExecutionProviderOption;
    /** Options of `qnn`. */
    qnn: QnnExecutionProviderOption;
    /** Options of `xnnpack`. */
    xnnpack: XnnpackExecutionProviderOption;
  }
  /** The name of an execution provider of onnxruntime. */
  type ExecutionProviderName = keyof ExecutionProviderOptionMap;
  /** An execution provider: its name, or its name with options. */
  type ExecutionProviderConfig =
    | ExecutionProviderOptionMap[ExecutionProviderName]
    | ExecutionProviderOption
    | ExecutionProviderName
    | string;

  /** Options of `run`. */
  interface RunOptions {
    /** Above 2 there are no warnings. */
    logSeverityLevel?: 0 | 1 | 2 | 3 | 4;
    /** Nothing is logged but warnings. */
    logVerbosityLevel?: number;
    /** A run that begins with `true` is refused. */
    terminate?: boolean;
    /** Has no effect. */
    tag?: string;
    /** Gets a warning. */
    extra?: Record<string, unknown>;
  }

  /** The facts that are known of every input and output. */
  interface ValueMetadataBase {
    /** The name of the input or output. */
    readonly name: string;
  }
  /** The facts of an input or output of another kind, such as a sequence. */
  interface NonTensorValueMetadata extends ValueMetadataBase {
    /** Tells it from a tensor. */
    readonly isTensor: false;
  }
  /** The facts of an input or output that is a tensor. */
  interface TensorValueMetadata extends ValueMetadataBase {
    /** Tells it from a value of another kind. */
    readonly isTensor: true;
    /** The element type. */
    readonly type: Tensor.Type;
    /** The sizes: a number, a name, or `''` for one that is not known. Empty also where the model declares no rank. */
    readonly shape: ReadonlyArray<number | string>;
  }
  /** The facts that are known of an input or output. */
  type ValueMetadata = NonTensorValueMetadata | TensorValueMetadata;
}

/** A model that was read. Made by `InferenceSession.create`. */
export interface InferenceSession {
  /**
   * Runs the model. The calling thread does nothing else until the run is over, unless `env.wasm.proxy` was set.
   *
   * @param feeds - a tensor for every input, by name
   * @param options - options of the run
   * @returns the outputs by name
   * @throws {@link OnnxError} as {@link Model.run} does; `TypeError` for arguments that are none
   */
  run(feeds: InferenceSession.FeedsType, options?: InferenceSession.RunOptions): Promise<InferenceSession.ReturnType>;
  /** Runs the model for some of the outputs, or writes outputs into tensors that exist. */
  run(
    feeds: InferenceSession.FeedsType,
    fetches: InferenceSession.FetchesType,
    options?: InferenceSession.RunOptions,
  ): Promise<InferenceSession.ReturnType>;
  /** Frees the model. */
  release(): Promise<void>;
  /** From now on runs say where their time goes. */
  startProfiling(): void;
  /** Prints where the time of the runs since `startProfiling()` went: a table of the nodes that took most. */
  endProfiling(): void;
  /** The inputs that must be fed, in the file's order. */
  readonly inputNames: readonly string[];
  /** The outputs, in the file's order. */
  readonly outputNames: readonly string[];
  /** The declared types and sizes of the inputs. */
  readonly inputMetadata: readonly InferenceSession.ValueMetadata[];
  /** The declared types and sizes of the outputs. */
  readonly outputMetadata: readonly InferenceSession.ValueMetadata[];
}

/** Makes sessions. */
export interface InferenceSessionFactory {
  /**
   * Reads and checks a model.
   *
   * @param uri - the address of an .onnx file, as a text or a URL, or its path where the host has files; then files beside it are found, too
   * @param options - options of the session
   * @throws {@link OnnxError} as {@link Runtime.loadModel} does; `TypeError` for arguments that are none
   */
  create(uri: string | URL, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  /** Reads the content of a file. */
  create(buffer: ArrayBufferLike, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  /** Reads a part of a buffer. */
  create(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: InferenceSession.SessionOptions,
  ): Promise<InferenceSession>;
  /** Reads the content of a file. */
  create(buffer: Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
}

/** The types of sessions, as onnxruntime-common has them; the constant makes sessions. */
export const InferenceSession: InferenceSessionFactory = Session as unknown as InferenceSessionFactory;
