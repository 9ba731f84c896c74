/* The sessions and the environment of onnxruntime-common. Constant, interface and namespace have one name, as there. */
import type { LoadOptions } from '../load.js';
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

export declare namespace InferenceSession {
  type OnnxValueMapType = { readonly [name: string]: OnnxValue };
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

  interface ExecutionProviderOption {
    readonly name: string;
  }
  interface CpuExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'cpu';
    useArena?: boolean;
  }
  interface CudaExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'cuda';
    deviceId?: number;
  }
  interface DmlExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'dml';
    deviceId?: number;
  }
  interface TensorRtExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'tensorrt';
    deviceId?: number;
  }
  interface WebAssemblyExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'wasm';
  }
  interface WebGLExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'webgl';
  }
  interface XnnpackExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'xnnpack';
  }
  interface WebGpuExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'webgpu';
    readonly [option: string]: unknown;
  }
  interface WebNNExecutionProviderName extends ExecutionProviderOption {
    readonly name: 'webnn';
  }
  interface WebNNContextOptions {
    deviceType?: 'cpu' | 'gpu' | 'npu';
    numThreads?: number;
    powerPreference?: 'default' | 'low-power' | 'high-performance';
  }
  interface WebNNOptionsWithoutMLContext extends WebNNExecutionProviderName, WebNNContextOptions {
    context?: never;
  }
  interface WebNNOptionsWithMLContext
    extends WebNNExecutionProviderName,
      Omit<WebNNContextOptions, 'deviceType'>,
      Required<Pick<WebNNContextOptions, 'deviceType'>> {
    context: unknown;
  }
  interface WebNNOptionsWebGpu extends WebNNExecutionProviderName {
    context: unknown;
    gpuDevice: unknown;
  }
  type WebNNExecutionProviderOption = WebNNOptionsWithoutMLContext | WebNNOptionsWithMLContext | WebNNOptionsWebGpu;
  interface QnnExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'qnn';
    backendType?: string;
    backendPath?: string;
    enableFp16Precision?: boolean;
  }
  interface CoreMLExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'coreml';
    coreMlFlags?: number;
    useCPUOnly?: boolean;
    useCPUAndGPU?: boolean;
    enableOnSubgraph?: boolean;
    onlyEnableDeviceWithANE?: boolean;
  }
  interface NnapiExecutionProviderOption extends ExecutionProviderOption {
    readonly name: 'nnapi';
    useFP16?: boolean;
    useNCHW?: boolean;
    cpuDisabled?: boolean;
    cpuOnly?: boolean;
  }
  interface ExecutionProviderOptionMap {
    coreml: CoreMLExecutionProviderOption;
    cpu: CpuExecutionProviderOption;
    cuda: CudaExecutionProviderOption;
    dml: DmlExecutionProviderOption;
    nnapi: NnapiExecutionProviderOption;
    tensorrt: TensorRtExecutionProviderOption;
    wasm: WebAssemblyExecutionProviderOption;
    webgl: WebGLExecutionProviderOption;
    webgpu: WebGpuExecutionProviderOption;
    webnn: WebNNExecutionProviderOption;
    qnn: QnnExecutionProviderOption;
    xnnpack: XnnpackExecutionProviderOption;
  }
  type ExecutionProviderName = keyof ExecutionProviderOptionMap;
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

  interface ValueMetadataBase {
    /** The name of the input or output. */
    readonly name: string;
  }
  /** Of an input or output of another kind, such as a sequence. */
  interface NonTensorValueMetadata extends ValueMetadataBase {
    readonly isTensor: false;
  }
  /** Of an input or output that is a tensor. */
  interface TensorValueMetadata extends ValueMetadataBase {
    readonly isTensor: true;
    /** The element type. */
    readonly type: Tensor.Type;
    /** The sizes: a number, a name, or `''` for one that is not known. Empty also where the model declares no rank. */
    readonly shape: ReadonlyArray<number | string>;
  }
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
  /** The same for some of the outputs, or into tensors that exist. */
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
  /** The same for the content of a file. */
  create(buffer: ArrayBufferLike, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
  /** The same for a part of a buffer. */
  create(
    buffer: ArrayBufferLike,
    byteOffset: number,
    byteLength?: number,
    options?: InferenceSession.SessionOptions,
  ): Promise<InferenceSession>;
  /** The same for the content of a file. */
  create(buffer: Uint8Array, options?: InferenceSession.SessionOptions): Promise<InferenceSession>;
}

export const InferenceSession: InferenceSessionFactory = Session as unknown as InferenceSessionFactory;

export declare namespace Env {
  type WasmPathPrefix = string;
  interface WasmFilePaths {
    wasm?: URL | string;
    mjs?: URL | string;
  }
  type WasmPrefixOrFilePaths = WasmPathPrefix | WasmFilePaths;
  /** Flags of onnxruntime-web's module. The guide "From onnxruntime-web" says which have a meaning here. */
  interface WebAssemblyFlags {
    /** Runs take one thread; more get a warning. */
    numThreads?: number;
    /** `false` gets a warning: the module has SIMD. */
    simd?: boolean | 'fixed' | 'relaxed';
    trace?: boolean;
    initTimeout?: number;
    /** Gets a warning: `env.broadloom.wasm` says where the module is. */
    wasmPaths?: WasmPrefixOrFilePaths;
    /** Gets a warning: `env.broadloom.wasm` takes the module. */
    wasmBinary?: ArrayBufferLike | Uint8Array;
    /** Whether models run in a worker, while the calling thread does something else. Counts for the first session. */
    proxy?: boolean;
  }
  interface WebGLFlags {
    contextId?: 'webgl' | 'webgl2';
    readonly context?: unknown;
    matmulMaxBatchSize?: number;
    textureCacheMode?: 'initializerOnly' | 'full';
    pack?: boolean;
    async?: boolean;
  }
  interface WebGpuProfilingDataV1TensorMetadata {
    dims: readonly number[];
    dataType: string;
  }
  interface WebGpuProfilingDataV1 {
    version: 1;
    inputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    outputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    kernelId: number;
    kernelType: string;
    kernelName: string;
    programName: string;
    startTime: number;
    endTime: number;
  }
  type WebGpuProfilingData = WebGpuProfilingDataV1;
  interface WebGpuFlags {
    profilingMode?: 'off' | 'default';
    profiling: { mode?: 'off' | 'default'; ondata?: (data: WebGpuProfilingData) => void };
    powerPreference?: 'low-power' | 'high-performance';
    forceFallbackAdapter?: boolean;
    adapter?: unknown;
    device?: unknown;
    validateInputContent?: boolean;
  }
}

/** Flags of all sessions. */
export interface Env {
  /** `error` and `fatal` keep warnings silent. Default: `warning`. */
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  debug?: boolean;
  trace?: boolean;
  /** The version of this package, and that of onnxruntime-common whose interface it has. */
  readonly versions: {
    readonly common: string;
    readonly broadloom: string;
    readonly web?: string;
    readonly node?: string;
    readonly 'react-native'?: string;
  };
  /** Flags of onnxruntime-web's module. */
  readonly wasm: Env.WebAssemblyFlags;
  /** Without effect. */
  readonly webgl: Env.WebGLFlags;
  /** Without effect. */
  readonly webgpu: Env.WebGpuFlags;
  /** Options of {@link load} for the runtime of all sessions: where the module is, limits. Counts for the first session. */
  broadloom?: LoadOptions;
  [name: string]: unknown;
}
