// Compile-only: uses of tensors other than calls of operators. Lines below @ts-expect-error must not compile.
import {
  type AnyTensor,
  type Attributes,
  type ConstantAttributes,
  type ExpandType,
  type FillType,
  load,
  Model,
  type OperatorInput,
  Runtime,
  type ShapeLike,
  type SimplifiedBlob,
  type SimplifiedBytes,
  Tensor,
  type TensorLike,
  type TensorMessage,
} from 'broadloom';
import { holds, type Same } from './helpers.js';

declare const ops: Runtime;
declare const any: Tensor;
declare const int8: Tensor<'int8'>;

// Copies have their own buffers, which the web's APIs accept.
new Blob([int8.toArray(), ops.writeTensor(int8), ops.nodeModel('Constant')['model.onnx']]);
new Response(int8.toArray());
new Response(ops.writeTensor(int8));
crypto.subtle.digest('SHA-256', ops.tensor('float16', [1], [1]).toArray());
holds<Same<ReturnType<Tensor<'float32'>['toArray']>, Float32Array<ArrayBuffer>>>();
holds<Same<ReturnType<Tensor<'string'>['toArray']>, string[]>>();
holds<Same<ReturnType<Runtime['writeTensor']>, Uint8Array<ArrayBuffer>>>();

// Messages and JSON, in both directions.
const message = int8.toMessage();
structuredClone(message, { transfer: [message.data.buffer] });
message satisfies TensorMessage<'int8'>;
message satisfies TensorLike<'int8'>;
holds<Same<typeof again, Tensor<'int8'>>>();
const again = ops.fromMessage(message);
ops.fromMessage(JSON.parse('') as { type: 'int8'; dims: number[]; data: (number | string)[] }) satisfies Tensor<'int8'>;
ops.fromMessage(int8.toJSON()) satisfies Tensor<'int8'>;

// Without a value, the result is float32.
// @ts-expect-error: not int8
export const notInt8: Tensor<'int8'> = ops.constantOfShape([2]);
declare const perhaps: { value?: Tensor<'int8'> };
holds<Same<typeof either, Tensor<'int8' | 'float32'>>>();
const either = ops.constantOfShape([2], perhaps);

// Calls that never run do not compile. A type that is not known at compile time does.
// @ts-expect-error: ConstantOfShape does not accept strings
ops.constantOfShape([2], { value: ops.tensor('string', ['a'], [1]) });
// @ts-expect-error: ConstantOfShape does not accept complex numbers
ops.constantOfShape([2], { value: { type: 'complex64', dims: [1], data: [1, 2] } });
ops.constantOfShape([2], { value: any });
// @ts-expect-error: Expand does not take packed types
ops.expand(ops.tensor('int4', [1], [1]), [2]);
// @ts-expect-error: nor float8
ops.expand({ type: 'float8e5m2', dims: [1], data: [1] }, [2]);
ops.expand(any, [2]);
ops.expand(ops.tensor('bfloat16', [1], [1]), [2]);
// @ts-expect-error: a scope ends when its function returns
ops.scope(async () => int8);
declare const thenable: PromiseLike<number>;
// @ts-expect-error: a thenable of another library counts as a promise
ops.scope(() => thenable);
holds<Same<typeof scoped, Tensor<'int8'>>>();
const scoped = ops.scope(() => int8);
ops.scope(() => {});

// Any attribute of Constant fits constant.
declare const chosen: ConstantAttributes;
holds<Same<typeof constant, AnyTensor>>();
const constant = ops.constant(chosen);
declare const typed: ConstantAttributes<'int4'>;
ops.constant(typed) satisfies Tensor;

// Typed arrays are accepted as lists.
for (const shape of [
  Int8Array.of(1),
  Uint8Array.of(1),
  Uint8ClampedArray.of(1),
  Int16Array.of(1),
  Uint16Array.of(1),
  Int32Array.of(1),
  Uint32Array.of(1),
  BigInt64Array.of(1n),
  BigUint64Array.of(1n),
]) {
  shape satisfies ShapeLike;
  shape satisfies OperatorInput;
  ops.expand(int8, shape);
  ops.empty('int8', shape);
  ops.tensor('int8', [1], shape);
  ops.constant({ value_ints: shape });
  ops.constant({ sparse_value: { values: int8, dims: shape, indices: null } });
  ops.run('Transpose', [{ type: 'int8', dims: shape, data: [1] }], { perm: shape });
  ops.run('Shape'.slice(0), [int8], { list: shape });
}
ops.constant({ value_floats: Float64Array.of(1) }) satisfies Tensor<'float32'>;
// @ts-expect-error: floats are not sizes
ops.constantOfShape(Float64Array.of(1));
// @ts-expect-error: nor are the bytes of a DataView
ops.constantOfShape(new DataView(new ArrayBuffer(8)));
// @ts-expect-error: bigints are not floats
ops.constant({ value_floats: BigInt64Array.of(1n) });

// Classes, to test with instanceof.
export function told(value: unknown): string {
  if (value instanceof Tensor) return value.type;
  if (value instanceof Model) return `${value.opset}`;
  if (value instanceof Runtime) return `${value.memory().liveTensors}`;
  return '';
}
// @ts-expect-error: only a runtime makes models
new Model();
// @ts-expect-error: only load makes runtimes
new Runtime();
load() satisfies Promise<Runtime>;

// A union that narrows data by type.
export function sum(tensor: AnyTensor): bigint {
  if (tensor.type === 'int64') return tensor.data.reduce((total, value) => total + value, 0n);
  if (tensor.type === 'string') return BigInt(tensor.data.join('').length);
  // @ts-expect-error: not narrowed
  tensor.data satisfies Float32Array;
  return tensor.type === 'float32' ? BigInt(tensor.data.findIndex((value) => value > 0)) : 0n;
}
const [first] = ops.run('Identity', [int8]);
if (first?.type === 'float16') first.data satisfies Uint16Array;
sum(int8);
ops.readTensor(new Uint8Array()) satisfies AnyTensor;
declare const model: Model;
model.run({ x: int8 }) satisfies { [name: string]: AnyTensor };
model.run({ x: int8 }, { outputs: ['h', 'y'] }) satisfies { h: AnyTensor; y: AnyTensor };
model.run({ x: int8 }, { outputs: ['h', 'y'] as string[] }) satisfies { [name: string]: AnyTensor };
model.profile({ x: int8 }, { outputs: ['h'] });
model.initializers[0]?.read() satisfies AnyTensor | undefined;
model.metadata.opsets satisfies readonly { domain: string; version: number }[];
const axis = model.nodes[0]?.attributes.axis;
if (typeof axis === 'object' && 'data' in axis) axis.data.length satisfies number;
// @ts-expect-error: it may be anything
axis satisfies number;
// @ts-expect-error: a description
model.metadata.producerName = 'me';
// @ts-expect-error: not asked for
model.run({}, { outputs: ['h'] }).y;
// @ts-expect-error: a list of names
model.run({}, { outputs: 'h' });
// @ts-expect-error: an argument too many
model.run({}, {}, 3);
declare const one: AnyTensor;
one satisfies Tensor;
one satisfies TensorLike;
ops.shape(one);
ops.identity(one) satisfies Tensor;

// Identity.
holds<Same<typeof same, Tensor<'int8'>>>();
const same = ops.identity(int8);
ops.identity(any, { opset: 14 }) satisfies Tensor;
// @ts-expect-error: a list has no element type
ops.identity([1, 2]);

// Attributes may be declared by an interface.
interface ShapeAttributes {
  start: number;
  end?: bigint;
}
declare const range: ShapeAttributes;
ops.run('Shape', [any], range);
ops.nodeModel('Shape', [any], range);
declare const given: Attributes;
ops.run('Shape', [any], given);
interface Wrong {
  start: () => number;
}
declare const wrong: Wrong;
// @ts-expect-error: no attribute is a function
ops.run('Shape', [any], wrong);

// Generic code over the types that an operator accepts.
export function wrap<T extends 'float32' | 'int32'>(tensor: Tensor<T>): Tensor<T> {
  return ops.expand(tensor, [3]);
}
export function wide<T extends ExpandType>(tensor: TensorLike<T>): Tensor<T> {
  return ops.expand(tensor, [3]);
}
export function fill<T extends 'float32' | 'int8'>(value: Tensor<T>): Tensor<T> {
  return ops.constantOfShape([2], { value });
}
export class Layer<T extends FillType> {
  constructor(private readonly weights: Tensor<T>) {}
  run(): Tensor<T> {
    return ops.constantOfShape([2], { value: this.weights });
  }
}
export function tidy<R extends Tensor | Tensor[]>(work: () => R): R {
  return ops.scope(work);
}
ops.scope((): unknown => 1);
export function simplified(file: Uint8Array | Blob): SimplifiedBytes | Promise<SimplifiedBlob> {
  return ops.simplify(file);
}
declare const mixed: Tensor<'int4' | 'int8'>;
ops.expand(mixed, [2]) satisfies Tensor<'int4' | 'int8'>;
ops.constantOfShape([2], mixed.size > 1 ? { value: int8 } : undefined) satisfies Tensor<'int8' | 'float32'>;
// @ts-expect-error: a module is an object
load({ wasm: 5 });
