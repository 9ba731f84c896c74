/* The environment of onnxruntime-common. Interface and namespace have one name, as there. */
import type { LoadOptions } from '../runtime/load.js';

/** The types of the environment, as onnxruntime-common has them. */
export declare namespace Env {
  /** The address of a folder. It gets a warning: `env.broadloom.wasm` says where the module is. */
  type WasmPathPrefix = string;
  /** Addresses of onnxruntime-web's files. They get a warning: `env.broadloom.wasm` says where the module is. */
  interface WasmFilePaths {
    /** The address of the module. */
    wasm?: URL | string;
    /** The address of the JavaScript. */
    mjs?: URL | string;
  }
  /** Where onnxruntime-web's files are. */
  type WasmPrefixOrFilePaths = WasmPathPrefix | WasmFilePaths;
  /** Flags of onnxruntime-web's module. The guide "From onnxruntime-web" says which have a meaning here. */
  interface WebAssemblyFlags {
    /** Runs take one thread; more get a warning. */
    numThreads?: number;
    /** `false` gets a warning: the module has SIMD. */
    simd?: boolean | 'fixed' | 'relaxed';
    /** Has no effect. */
    trace?: boolean;
    /** Has no effect. */
    initTimeout?: number;
    /** Gets a warning: `env.broadloom.wasm` says where the module is. */
    wasmPaths?: WasmPrefixOrFilePaths;
    /** Gets a warning: `env.broadloom.wasm` takes the module. */
    wasmBinary?: ArrayBufferLike | Uint8Array;
    /** Whether models run in a worker, while the calling thread does something else. Counts for the first session. */
    proxy?: boolean;
  }
  /** Flags of onnxruntime-web's WebGL. They have no effect here. */
  interface WebGLFlags {
    /** Has no effect. */
    contextId?: 'webgl' | 'webgl2';
    /** Has no effect. */
    readonly context?: unknown;
    /** Has no effect. */
    matmulMaxBatchSize?: number;
    /** Has no effect. */
    textureCacheMode?: 'initializerOnly' | 'full';
    /** Has no effect. */
    pack?: boolean;
    /** Has no effect. */
    async?: boolean;
  }
  /** A tensor in a report of onnxruntime-web's WebGPU. Broadloom makes no such report. */
  interface WebGpuProfilingDataV1TensorMetadata {
    /** Sizes of the axes. */
    dims: readonly number[];
    /** Name of the element type. */
    dataType: string;
  }
  /** A report of onnxruntime-web's WebGPU. Broadloom makes none. */
  interface WebGpuProfilingDataV1 {
    /** The version of the report. */
    version: 1;
    /** The inputs of the kernel. */
    inputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    /** The outputs of the kernel. */
    outputsMetadata: readonly WebGpuProfilingDataV1TensorMetadata[];
    /** The number of the kernel. */
    kernelId: number;
    /** The operator of the kernel. */
    kernelType: string;
    /** The name of the kernel's node. */
    kernelName: string;
    /** The name of the program. */
    programName: string;
    /** When the kernel began, in nanoseconds. */
    startTime: number;
    /** When the kernel ended, in nanoseconds. */
    endTime: number;
  }
  /** A report of onnxruntime-web's WebGPU. Broadloom makes none. */
  type WebGpuProfilingData = WebGpuProfilingDataV1;
  /** Flags of onnxruntime-web's WebGPU. They have no effect here. */
  interface WebGpuFlags {
    /** Has no effect. */
    profilingMode?: 'off' | 'default';
    /** Has no effect. */
    profiling: {
      /** Has no effect. */
      mode?: 'off' | 'default';
      /** Is never called. */
      ondata?: (data: WebGpuProfilingData) => void;
    };
    /** Has no effect. */
    powerPreference?: 'low-power' | 'high-performance';
    /** Has no effect. */
    forceFallbackAdapter?: boolean;
    /** Has no effect. */
    adapter?: unknown;
    /** Has no effect. */
    device?: unknown;
    /** Has no effect. */
    validateInputContent?: boolean;
  }
}

/** Flags of all sessions. */
export interface Env {
  /** `error` and `fatal` keep warnings silent. Default: `warning`. */
  logLevel?: 'verbose' | 'info' | 'warning' | 'error' | 'fatal';
  /** Has no effect. */
  debug?: boolean;
  /** Has no effect. */
  trace?: boolean;
  /** The version of this package, and the version of onnxruntime-common whose interface it has. */
  readonly versions: {
    /** The version of onnxruntime-common whose interface this is. */
    readonly common: string;
    /** The version of this package. */
    readonly broadloom: string;
    /** Is not set. */
    readonly web?: string;
    /** Is not set. */
    readonly node?: string;
    /** Is not set. */
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
