import { callOperator, checkedOpset, type OperatorInput } from './call.js';
import { Context } from './context.js';
import { checkedDtype, freeAll, handleOf, makeEmpty, makeTensor } from './elements.js';
import { invalidArgument } from './error.js';
import { type Memory, show } from './memory.js';
import { Model, type ModelOptions } from './model.js';
import { type NodeModelFiles, writeNodeModel } from './node-model.js';
import { type Operator, readOperators } from './operators.js';
import type { Tensor } from './tensor.js';
import type {
  Attributes,
  DataType,
  ElementsOf,
  OperatorOptions,
  ShapeLike,
  SparseTensorLike,
  TensorLike,
} from './types.js';

/** The newest opset whose operator versions are known. Later opsets may be asked for: they use the same versions. */
const newestOpset = 25;

type OnlyOne<T> = { [K in keyof T]: { [J in K]: T[J] } & { [J in Exclude<keyof T, K>]?: undefined } }[keyof T];

/** The attribute of Constant: exactly one. */
export type ConstantAttributes<T extends DataType = DataType> = OnlyOne<{
  value: TensorLike<T>;
  sparse_value: SparseTensorLike<T>;
  value_float: number;
  value_floats: readonly number[];
  value_int: number | bigint;
  value_ints: readonly (number | bigint)[];
  value_string: string;
  value_strings: readonly string[];
}>;

/** What `Runtime.memory` tells. */
export interface MemoryUse {
  /** Tensors that were made and not yet disposed of. */
  readonly liveTensors: number;
  /** Bytes of all tensors, those that models hold included. Tensors that share bytes count once. */
  readonly bytesInUse: number;
  /** Size of the wasm memory. It grows when needed and never shrinks. */
  readonly heapBytes: number;
}

/** ONNX operators over one WebAssembly memory. Made by `load` or `loadSync`. All calls are synchronous. */
export class Runtime {
  readonly #context: Context;
  readonly #models: FinalizationRegistry<{ handle: number }>;

  /** @internal */
  constructor(memory: Memory, opset: number | undefined) {
    this.#context = new Context(memory, opset === undefined ? newestOpset : checkedOpset(opset));
    this.#models = new FinalizationRegistry(({ handle }) => {
      if (handle !== 0) memory.glue.disposeModel(handle);
    });
  }

  /**
   * Makes a tensor of copied elements.
   *
   * @param type - the element type
   * @param dims - sizes of the axes; `[]` for a scalar
   * @param data - a typed array in ONNX's own layout (as `Tensor.data` has it), or a list of values
   */
  tensor<T extends DataType>(type: T, dims: readonly number[], data: ElementsOf<T>): Tensor<T> {
    makeTensor(this.#context, checkedDtype(type), dims, data);
    return this.#takeOne<T>();
  }

  /** Makes a tensor of zeros (or empty strings), to be filled in place through `data`. */
  empty<T extends DataType>(type: T, dims: readonly number[]): Tensor<T> {
    makeEmpty(this.#context, checkedDtype(type), dims);
    return this.#takeOne<T>();
  }

  /**
   * Constant: the tensor that the one given attribute holds. `value_float(s)` gives float32, `value_int(s)` int64,
   * `value_string(s)` string, each as a scalar or with one axis; `sparse_value` gives the dense tensor.
   */
  constant<T extends DataType>(
    attributes: { value: TensorLike<T> } & ConstantAttributes<T>,
    options?: OperatorOptions,
  ): Tensor<T>;
  constant<T extends DataType>(
    attributes: { sparse_value: SparseTensorLike<T> } & ConstantAttributes<T>,
    options?: OperatorOptions,
  ): Tensor<T>;
  constant(
    attributes: ({ value_float: number } | { value_floats: readonly number[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'float32'>;
  constant(
    attributes: ({ value_int: number | bigint } | { value_ints: readonly (number | bigint)[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'int64'>;
  constant(
    attributes: ({ value_string: string } | { value_strings: readonly string[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'string'>;
  constant(attributes: ConstantAttributes, options?: OperatorOptions): Tensor {
    return this.#one('Constant', [], attributes as Attributes, options);
  }

  /** ConstantOfShape: the one element of `value` (default: float32 zero) in every place of `shape`. O(1) until `data` is read. */
  constantOfShape<T extends DataType = 'float32'>(
    shape: ShapeLike,
    attributes?: { value?: TensorLike<T> | undefined },
    options?: OperatorOptions,
  ): Tensor<T> {
    return this.#one('ConstantOfShape', [shape], attributes as Attributes | undefined, options);
  }

  /** Shape: the dims of `input` from axis `start` (default 0) to before `end` (default: all). Negative ones count from the end; both clamp. */
  shape(
    input: TensorLike,
    attributes?: { start?: number | bigint | undefined; end?: number | bigint | undefined },
    options?: OperatorOptions,
  ): Tensor<'int64'> {
    return this.#one('Shape', [input], attributes, options);
  }

  /** Expand: `input` broadcast with `shape`, each stretching the other where its size is 1. O(1) until `data` is read. */
  expand<T extends DataType>(input: TensorLike<T>, shape: ShapeLike, options?: OperatorOptions): Tensor<T> {
    return this.#one('Expand', [input, shape], undefined, options);
  }

  /**
   * Runs any operator by its ONNX name.
   *
   * @param inputs - tensors; a list of integers stands for an int64 tensor with one axis, null for an input left out
   * @throws OnnxError `UNKNOWN_OPERATOR`, `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   */
  run(
    name: string,
    inputs: readonly OperatorInput[] = [],
    attributes?: Attributes,
    options?: OperatorOptions,
  ): Tensor[] {
    callOperator(this.#context, name, copyOf(name, inputs), attributes, options);
    return this.#context.takeTensors();
  }

  /**
   * Runs an operator as `run` does, and writes the call as files: a model of one node, the inputs that are not left out,
   * and the outputs. Values have the names that ONNX's schema gives them. Nothing of the call stays in memory.
   *
   * @throws OnnxError as `run` does
   */
  nodeModel(
    name: string,
    inputs: readonly OperatorInput[] = [],
    attributes?: Attributes,
    options?: OperatorOptions,
  ): NodeModelFiles {
    return writeNodeModel(this.#context, name, copyOf(name, inputs), attributes, options);
  }

  /**
   * Reads and checks an .onnx file (ModelProto).
   *
   * @param options - `allowUnsupported` reads also models that Broadloom cannot run, to be looked at
   * @throws OnnxError `INVALID_MODEL` with the place in the file, `UNKNOWN_OPERATOR`, `UNSUPPORTED_TYPE`
   */
  loadModel(bytes: Uint8Array, options?: ModelOptions): Model {
    const { memory } = this.#context;
    const size = memory.file(checkedFile('loadModel', bytes));
    memory.check(memory.glue.readModelFile(size, options?.allowUnsupported ? 1 : 0));
    return new Model(this.#context, this.#models);
  }

  /** Reads a tensor file (TensorProto, .pb). */
  readTensor(bytes: Uint8Array): Tensor {
    const { memory } = this.#context;
    memory.check(memory.glue.readTensorFile(memory.file(checkedFile('readTensor', bytes))));
    return this.#takeOne();
  }

  /** Writes a tensor file (TensorProto, .pb). */
  writeTensor(tensor: TensorLike): Uint8Array {
    const { memory } = this.#context;
    const temporaries: number[] = [];
    try {
      memory.check(memory.glue.writeTensorFile(handleOf(this.#context, tensor, temporaries)));
      return this.scope(() => this.#takeOne<'uint8'>().toArray());
    } finally {
      freeAll(this.#context, temporaries);
    }
  }

  /**
   * Runs `work` and then frees all tensors that were made in it but the returned ones (the value itself, or in returned
   * arrays and objects). `work` must be synchronous.
   */
  scope<R>(work: () => R): R {
    return this.#context.runScope(work);
  }

  /** Tensors alive, bytes in use, size of the heap. */
  memory(): MemoryUse {
    const { memory } = this.#context;
    memory.check(memory.glue.memoryUse());
    return { liveTensors: memory.take(), bytesInUse: memory.take(), heapBytes: memory.heapBytes };
  }

  /** The operators with all their versions: attributes, inputs, outputs, types. */
  operators(): Operator[] {
    return readOperators(this.#context.memory);
  }

  #one<T extends DataType>(
    name: string,
    inputs: OperatorInput[],
    attributes: Attributes | undefined,
    options: OperatorOptions | undefined,
  ): Tensor<T> {
    callOperator(this.#context, name, inputs, attributes, options);
    return this.#takeOne<T>();
  }

  #takeOne<T extends DataType>(): Tensor<T> {
    return this.#context.takeOne() as Tensor as Tensor<T>;
  }
}

/** A list of the call's own. */
function copyOf(name: string, inputs: readonly OperatorInput[]): OperatorInput[] {
  if (!Array.isArray(inputs)) throw invalidArgument(`${name}: inputs are ${show(inputs)}, wanted a list`);
  return [...inputs];
}

function checkedFile(method: string, bytes: unknown): Uint8Array {
  if (ArrayBuffer.isView(bytes) && (bytes as Uint8Array)[Symbol.toStringTag] === 'Uint8Array')
    return bytes as Uint8Array;
  throw invalidArgument(`${method}: bytes are ${show(bytes)}, wanted a Uint8Array`);
}
