// Compile-only: what broadloom/onnxruntime has beyond onnxruntime-common (tests/drop-in/types has the rest), and broadloom/ort.
import defaultExport, { env, InferenceSession, type OtherTensor, Tensor } from 'broadloom/onnxruntime';
import { register } from 'broadloom/ort';

export const other: OtherTensor<'bfloat16'> = new Tensor('bfloat16', new Uint16Array(1), [1]);
export const bits: Uint16Array = other.data;
export const parts: OtherTensor<'complex64'> = new Tensor('complex64', new Float32Array(2)).reshape([1, 1]);
// @ts-expect-error complex numbers are pairs of float32
new Tensor('complex64', new Float64Array(2));

export const session: InferenceSession = await InferenceSession.create('model.onnx');
await session.run({ x: other });
env.broadloom = { wasm: '/broadloom.wasm', limits: { milliseconds: 100 } };
export const version: string = env.versions.broadloom;
export const same: typeof InferenceSession = defaultExport.InferenceSession;
export const typed = (session: defaultExport.InferenceSession, x: defaultExport.Tensor) => session.run({ x });

// broadloom/ort takes an onnxruntime, such as this one has no backends of.
declare const onnxruntime: {
  registerBackend(name: string, backend: { init(name: string): Promise<void> }, priority: number): void;
  Tensor: new (type: 'float32', data: Float32Array, dims?: readonly number[]) => object;
  InferenceSession: { create(model: string, options?: object): Promise<object> };
};
register(onnxruntime, { maximumBytes: 1e6, load: { limits: { milliseconds: 50 } } });
// @ts-expect-error it has no registry
register({ env, InferenceSession, Tensor });
