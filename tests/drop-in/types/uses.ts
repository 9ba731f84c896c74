// Compile-only: uses of onnxruntime-common that its documentation has. The same file is compiled against broadloom/onnxruntime.
// Lines below @ts-expect-error must not compile with either.
import * as ort from 'onnxruntime-common';
import {
  type Env,
  type ExternalDataFileType,
  env,
  InferenceSession,
  type OnnxValue,
  Tensor,
  type TensorFromImageDataOptions,
  type TypedTensor,
} from 'onnxruntime-common';

// Tensors, by the constructors' overloads.
export const floats: TypedTensor<'float32'> = new Tensor('float32', Float32Array.of(1, 2), [2]);
export const data: Float32Array = floats.data;
export const inferred: TypedTensor<'int64'> = new Tensor(BigInt64Array.of(1n));
export const wide: TypedTensor<'uint64'> = new Tensor('uint64', [1, 2]);
export const flags: TypedTensor<'bool'> = new Tensor([true, false], [2]);
export const texts: TypedTensor<'string'> = new Tensor('string', ['a'] as const);
export const clamped: TypedTensor<'uint8'> = new Tensor(new Uint8ClampedArray(4), [4]);
export const reshaped: TypedTensor<'float32'> = floats.reshape([1, 2]);
export const downloaded: Promise<Float32Array> = floats.getData(true);
export const location: Tensor.DataLocation = floats.location;
export const any: Tensor = floats;
export const kind: Tensor.Type = any.type;
// @ts-expect-error no such type
new Tensor('float', [1, 2]);

// A program that keeps something for each type has all of them.
export const sizes: Record<Tensor.Type, number> = {
  float32: 4,
  uint8: 1,
  int8: 1,
  uint16: 2,
  int16: 2,
  int32: 4,
  int64: 8,
  string: 0,
  bool: 1,
  float16: 2,
  float64: 8,
  uint32: 4,
  uint64: 8,
  uint4: 0.5,
  int4: 0.5,
};

// Sessions.
export async function run(model: ArrayBuffer): Promise<Float32Array> {
  const options: InferenceSession.SessionOptions = {
    executionProviders: ['wasm', { name: 'webgpu', preferredLayout: 'NHWC' }, { name: 'cpu', useArena: true }],
    graphOptimizationLevel: 'all',
    freeDimensionOverrides: { batch: 1 },
    enableCpuMemArena: true,
    externalData: ['weights.bin', { path: 'w', data: new Uint8Array(4) }],
    logSeverityLevel: 3,
    extra: { session: { disable_prepacking: '1' } },
  };
  const session: InferenceSession = await InferenceSession.create(model, 0, 10, options);
  await InferenceSession.create('./model.onnx');
  await InferenceSession.create(new Uint8Array(model), { executionProviders: ['wasm'] });
  const feeds: InferenceSession.FeedsType = { [session.inputNames[0] as string]: floats };
  const results: InferenceSession.ReturnType = await session.run(feeds);
  await session.run(feeds, ['y']);
  await session.run(feeds, { y: null, z: floats }, { tag: 'a' });
  const runOptions: InferenceSession.RunOptions = { logVerbosityLevel: 0, terminate: false };
  const map: InferenceSession.OnnxValueMapType = await session.run(feeds, runOptions);
  for (const metadata of session.inputMetadata) {
    if (metadata.isTensor) {
      const shape: ReadonlyArray<number | string> = metadata.shape;
      const type: Tensor.Type = metadata.type;
      void [shape, type];
    }
    // @ts-expect-error only tensors have a type
    void metadata.type;
  }
  session.startProfiling();
  session.endProfiling();
  await session.release();
  const value: OnnxValue | undefined = map.y;
  void value;
  return results.y?.data as Float32Array;
}

// Images.
export async function image(pixels: ImageData, bitmap: ImageBitmap, element: HTMLImageElement): Promise<ImageData> {
  const options: TensorFromImageDataOptions = {
    resizedWidth: 224,
    resizedHeight: 224,
    tensorFormat: 'BGR',
    tensorLayout: 'NHWC',
    dataType: 'uint8',
    norm: { mean: [1, 2, 3], bias: 0 },
  };
  await Tensor.fromImage(pixels, options);
  await Tensor.fromImage(bitmap, { norm: { mean: 128 } });
  await Tensor.fromImage('image.png', { width: 5 });
  const tensor = await Tensor.fromImage(element);
  const address: string = tensor.toDataURL({ format: 'RGB' });
  void address;
  return tensor.toImageData({ tensorLayout: 'NCHW', norm: { bias: [1, 2, 3, 4] } });
}

// The environment.
env.logLevel = 'error';
env.wasm.numThreads = 1;
env.wasm.wasmPaths = { wasm: '/broadloom.wasm' };
const names: string[] = [];
env.webgpu.profiling = { mode: 'default', ondata: ({ kernelName }: Env.WebGpuProfilingData) => names.push(kernelName) };
env.webgpu.profiling.ondata = (data) => names.push(data.programName);
export const version: string = env.versions.common;
export const flagsOfWasm: Env.WebAssemblyFlags = env.wasm;
// @ts-expect-error no such level
env.logLevel = 'loud';

export const file: ExternalDataFileType = { path: 'a', data: new Blob([]) };
export const same: typeof Tensor = ort.Tensor;
