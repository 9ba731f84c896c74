// Compile-only: the operators' methods. Lines below @ts-expect-error must not compile.
import type {
  AnyTensor,
  DataType,
  Model,
  ModelNode,
  ModelOptions,
  ModelValue,
  NodeModelFiles,
  NodeProfile,
  OnnxError,
  Operator,
  Runtime,
  Tensor,
  TensorLike,
  TypeInfo,
  ValueInfo,
} from 'broadloom';
import { load, loadSync } from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;
declare const int8: Tensor<'int8'>;
declare const any: Tensor;
declare const f32: TensorLike<'float32'>;

// Expand keeps the type, of tensors and of anything like one.
const expanded = ops.expand(int8, [2, 3]);
holds<Same<typeof expanded, Tensor<'int8'>>>();
const fromLike = ops.expand(f32, [2]);
holds<Same<typeof fromLike, Tensor<'float32'>>>();
const fromLiteral = ops.expand({ type: 'string', dims: [1], data: ['a'] }, [2]);
holds<Same<typeof fromLiteral, Tensor<'string'>>>();
const fromAny = ops.expand(any, [2]);
holds<Same<typeof fromAny, Tensor>>();
// @ts-expect-error: elements must be of the type
ops.expand({ type: 'int8', dims: [1], data: ['a'] }, [2]);
// @ts-expect-error: the shape is missing
ops.expand(int8);
// @ts-expect-error: a list is not a tensor
ops.expand([1, 2], [2]);

// Shapes.
ops.expand(int8, [2n, 3]);
ops.expand(int8, [2, 3] as const);
ops.expand(int8, BigInt64Array.of(2n));
ops.expand(int8, Int32Array.of(2));
ops.expand(int8, ops.shape(int8));
ops.expand(int8, { type: 'int64', dims: [1], data: [2] });
// @ts-expect-error: a shape must be int64
ops.expand(int8, { type: 'int32', dims: [1], data: [2] });
ops.expand(int8, 2);
ops.expand(int8, 2n);
// @ts-expect-error: a boolean is not a shape
ops.expand(int8, true);
// @ts-expect-error: strings are not sizes
ops.expand(int8, ['2']);
// @ts-expect-error: floats are not sizes
ops.expand(int8, Float32Array.of(2));

// Shape returns int64.
const dims = ops.shape(any, { start: 1, end: -1n }, { opset: 15 });
holds<Same<typeof dims, Tensor<'int64'>>>();
// @ts-expect-error: no such attribute
ops.shape(any, { begin: 1 });
// @ts-expect-error: start must be a number
ops.shape(any, { start: '1' });
// @ts-expect-error: no such option
ops.shape(any, {}, { version: 15 });

// ConstantOfShape returns the type of its value; float32 without one.
const zeros = ops.constantOfShape([2]);
holds<Same<typeof zeros, Tensor<'float32'>>>();
const alsoZeros = ops.constantOfShape([2], {}, { opset: 9 });
holds<Same<typeof alsoZeros, Tensor<'float32'>>>();
const sevens = ops.constantOfShape([2], { value: { type: 'int4', dims: [1], data: [7] } });
holds<Same<typeof sevens, Tensor<'int4'>>>();
const filled = ops.constantOfShape(ops.shape(any), { value: int8 });
holds<Same<typeof filled, Tensor<'int8'>>>();
// @ts-expect-error: a number is not a tensor
ops.constantOfShape([2], { value: 7 });

// Constant: each attribute has its type.
const value = ops.constant({ value: int8 });
holds<Same<typeof value, Tensor<'int8'>>>();
const literal = ops.constant({ value: { type: 'uint2', dims: [1], data: [3] } });
holds<Same<typeof literal, Tensor<'uint2'>>>();
const sparse = ops.constant({
  sparse_value: { values: f32, indices: { type: 'int64', dims: [1], data: [0] }, dims: [2] },
});
holds<Same<typeof sparse, Tensor<'float32'>>>();
holds<Same<typeof float, Tensor<'float32'>>>();
const float = ops.constant({ value_float: 1 });
holds<Same<typeof floats, Tensor<'float32'>>>();
const floats = ops.constant({ value_floats: [1, 2] });
holds<Same<typeof int, Tensor<'int64'>>>();
const int = ops.constant({ value_int: 1n });
holds<Same<typeof ints, Tensor<'int64'>>>();
const ints = ops.constant({ value_ints: [1, 2n] });
holds<Same<typeof string, Tensor<'string'>>>();
const string = ops.constant({ value_string: 'a' }, { opset: 12 });
holds<Same<typeof strings, Tensor<'string'>>>();
const strings = ops.constant({ value_strings: ['a'] });
// @ts-expect-error: two values
ops.constant({ value_int: 1, value_float: 2 });
// @ts-expect-error: no value
ops.constant({});
// @ts-expect-error: no attributes
ops.constant();
// @ts-expect-error: a string is not a float
ops.constant({ value_float: '1' });
// @ts-expect-error: bigints are not floats
ops.constant({ value_floats: [1n] });
// @ts-expect-error: no such attribute
ops.constant({ value_bool: true });
// @ts-expect-error: indices are int64
ops.constant({ sparse_value: { values: f32, indices: { type: 'int32', dims: [1], data: [0] }, dims: [2] } });

// Any operator by its name.
const outputs = ops.run('Identity', [any, null, undefined, [1, 2]], {}, { opset: 8 });
holds<Same<typeof outputs, AnyTensor[]>>();
outputs satisfies Tensor[];
// @ts-expect-error: inputs are a list
ops.run('Identity', any);
// @ts-expect-error: Identity has no attributes
ops.run('Identity', [any], { flag: true });
// @ts-expect-error: no attribute is a function
ops.run('Identity', [any], { flag: () => true });

// A tensor of onnxruntime-common fits: its type is a union of names, its data an array, and it has more fields.
declare const foreign: {
  readonly type: 'float32';
  readonly dims: readonly number[];
  readonly data: Float32Array;
  readonly size: number;
  readonly location: 'cpu';
  getData(): Promise<Float32Array>;
  dispose(): void;
};
const ofForeign = ops.expand(foreign, [2]);
holds<Same<typeof ofForeign, Tensor<'float32'>>>();
ops.shape(foreign);
ops.constant({ value: foreign });
foreign satisfies TensorLike;
declare const wrong: { type: 'float32'; dims: readonly number[]; data: Float64Array };
// @ts-expect-error: its data is not of its type
ops.expand(wrong, [2]);

// Models.
export function run(model: Model): void {
  model.inputs satisfies readonly ValueInfo[];
  const results = model.run({ x: int8, y: foreign });
  results satisfies { [name: string]: Tensor };
  model.run({ x: 1, y: [[1n, 2]], z: 'a', flag: true, samples: Float32Array.of(1), ids: [Int32Array.of(1)] });
  // @ts-expect-error: a function is neither a tensor nor a value
  model.run({ x: () => 1 });
  // @ts-expect-error: inputs are read-only
  model.inputs = [];
}
// @ts-expect-error: models are bytes
ops.loadModel('model.onnx');

// Models that are only inspected.
const looked = ops.loadModel(new Uint8Array(), { allowUnsupported: true });
looked satisfies Model;
holds<Same<(typeof looked)['nodes'], readonly ModelNode[]>>();
holds<Same<ModelNode['version'], number | null>>();
holds<Same<ModelNode['outputs'], readonly ModelValue[]>>();
holds<Same<ModelValue['inferred'], TypeInfo | null>>();
holds<Same<TypeInfo['type'], DataType | null>>();
ops.loadModel(new Uint8Array(), {} satisfies ModelOptions);
ops.loadModel(new Uint8Array(), { optimize: false });
// @ts-expect-error: optimize is a boolean
ops.loadModel(new Uint8Array(), { optimize: 1 });
holds<Same<ReturnType<(typeof looked)['profile']>, NodeProfile[]>>();
// @ts-expect-error: nodes are read-only
looked.nodes = [];
// @ts-expect-error: no such option
ops.loadModel(new Uint8Array(), { strict: true });

// Calls as files.
const files = ops.nodeModel('Shape', [int8], { start: 1 }, { opset: 15 });
files satisfies NodeModelFiles;
holds<Same<(typeof files)['model.onnx'], Uint8Array<ArrayBuffer>>>();
holds<Same<(typeof files)['test_data_set_0/input_0.pb'], Uint8Array<ArrayBuffer>>>();
ops.nodeModel('Constant') satisfies NodeModelFiles;
// @ts-expect-error: files are read-only
files['model.onnx'] = new Uint8Array();
// @ts-expect-error: inputs are a list
ops.nodeModel('Shape', int8);

// The rest of a runtime.
ops.operators() satisfies Operator[];
ops.memory() satisfies { liveTensors: number; bytesInUse: number; planBytes: number; heapBytes: number };
ops.writeTensor(foreign) satisfies Uint8Array;
ops.readTensor(new Uint8Array(1)) satisfies Tensor;
holds<Same<typeof scoped, { readonly a: Tensor<'int8'> }>>();
const scoped = ops.scope((): { readonly a: Tensor<'int8'> } => ({ a: ops.empty('int8', [1]) }));

// Loading.
load() satisfies Promise<Runtime>;
load({
  wasm: new URL('file:///broadloom.wasm'),
  opset: 13,
  initialMemory: 1,
  maximumMemory: 2,
}) satisfies Promise<Runtime>;
load({ wasm: fetch('/broadloom.wasm') }) satisfies Promise<Runtime>;
loadSync(new Uint8Array(1), { opset: 13 }) satisfies Runtime;
// @ts-expect-error: no such option
load({ threads: 4 });

export function place(error: OnnxError): string | undefined {
  // @ts-expect-error: no such code
  if (error.code === 'NO_SUCH_CODE') return undefined;
  // @ts-expect-error: code is read-only
  error.code = 'DISPOSED';
  return `${error.operator} ${error.opset satisfies number | undefined} ${error.node}`;
}

// Methods are generated for all operators: inputs by position, attributes by ONNX's names.
declare const i64: Tensor<'int64'>;
const joined = ops.concat([int8, int8], { axis: 0 });
holds<Same<typeof joined, Tensor<'int8'>>>();
// @ts-expect-error: axis is required
ops.concat([int8, int8]);
// @ts-expect-error: inputs must be a list
ops.concat(int8, { axis: 0 });
const sum = ops.add(f32, f32);
holds<Same<typeof sum, Tensor<'float32'>>>();
// @ts-expect-error: Add does not accept strings
ops.add({ type: 'string', dims: [], data: ['a'] }, { type: 'string', dims: [], data: ['b'] });
const compared = ops.less(f32, f32);
holds<Same<typeof compared, Tensor<'bool'>>>();
const parts = ops.split(int8, [1, 2], { axis: 1 });
holds<Same<typeof parts, Tensor<'int8'>[]>>();
const [values, places] = ops.topK(f32, [2]);
holds<Same<typeof values, Tensor<'float32'>>>();
holds<Same<typeof places, Tensor<'int64'>>>();

// Optional inputs before the attributes may be omitted or null.
ops.reduceSum(f32, { keepdims: 0 });
ops.reduceSum(f32, [0, 1], { keepdims: 0 });
ops.slice(int8, [0], [2], null, [2]);
ops.slice(int8, i64, i64);
ops.pad(int8, [1, 1], { mode: 'edge' });
// @ts-expect-error: no such mode
ops.pad(int8, [1, 1], { mode: 'mirror' });

// Cast returns the type that `to` names.
const cast = ops.cast(int8, { to: 'float16' });
holds<Same<typeof cast, Tensor<'float16'>>>();
const numbered = ops.cast(any, { to: 1 });
holds<Same<typeof numbered, Tensor>>();
// @ts-expect-error: no such type
ops.cast(int8, { to: 'float17' });
const alike = ops.castLike(int8, f32);
holds<Same<typeof alike, Tensor<'float32'>>>();
ops.tile(int8, [2, 2]);
ops.tile(int8, i64);
