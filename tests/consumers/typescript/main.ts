// Uses every export of the package. It is compiled, but not run.
import {
  type AttributeRow,
  type Attributes,
  type AttributeValue,
  type ConstantAttributes,
  type DataType,
  type DataTypeMap,
  type DataTypeRow,
  dataTypes,
  type ElementsOf,
  type ErrorCode,
  type LoadOptions,
  load,
  loadSync,
  type MemoryUse,
  type Model,
  type ModelNode,
  type ModelOptions,
  type ModelValue,
  type NodeModelFiles,
  OnnxError,
  type Operator,
  type OperatorInput,
  type OperatorOptions,
  type OperatorVersion,
  type ParameterRow,
  type Runtime,
  type ShapeLike,
  type SparseTensorLike,
  type Tensor,
  type TensorLike,
  type TypeInfo,
  type ValueInfo,
  type WasmSource,
} from 'broadloom';
import wasm from 'broadloom/broadloom.wasm';
import * as inline from 'broadloom/inline';
import { InferenceSession, Tensor as OrtTensor, type TypedTensor } from 'broadloom/onnxruntime';
import { type OrtLike, type RegisterOptions, register } from 'broadloom/ort';

const source: WasmSource = wasm;
const options: LoadOptions = { wasm: source, opset: 21 };

export async function shapes(): Promise<bigint[]> {
  const ops: Runtime = await load(options);
  using x = ops.tensor('float32', [1, 2, 3], [3, 1]);
  using y: Tensor<'float32'> = ops.expand(x, [3, 2]);
  const elements: Float32Array = y.data;
  using shape: Tensor<'int64'> = ops.shape(y);
  return elements.length > 0 ? [...shape.data] : [];
}

export function outputs(model: Model, feeds: { [name: string]: TensorLike }): string[] {
  model.inputs satisfies readonly ValueInfo[];
  return Object.entries(model.run(feeds)).map(([name, tensor]) => `${name}: ${tensor.type satisfies DataType}`);
}

export function code(error: unknown): ErrorCode | undefined {
  return error instanceof OnnxError ? error.code : undefined;
}

export function compiled(bytes: Uint8Array): MemoryUse {
  return loadSync(bytes, { initialMemory: 2 ** 20 }).memory();
}

export async function absolute(model: Uint8Array): Promise<TypedTensor<'float32'>> {
  const session: InferenceSession = await InferenceSession.create(model, { executionProviders: ['broadloom'] });
  const results: InferenceSession.ReturnType = await session.run({ x: new OrtTensor('float32', [-1, 2], [2]) });
  return results.y as TypedTensor<'float32'>;
}

export function addBackend(ort: OrtLike, maximumBytes: number): void {
  register(ort, { maximumBytes } satisfies RegisterOptions);
}

export const same: typeof load = inline.load;
export const rows: readonly DataTypeRow[] = dataTypes;
export type Elements = ElementsOf<'int4'> | DataTypeMap['string'];
export type Rows = [Operator, OperatorVersion, AttributeRow, ParameterRow];
export type Looked = [ModelNode, ModelOptions, ModelValue, NodeModelFiles, TypeInfo];
export type Arguments = [
  OperatorInput,
  Attributes,
  AttributeValue,
  ConstantAttributes,
  SparseTensorLike,
  ShapeLike,
  OperatorOptions,
];
