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

/** The attribute of [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant): exactly one of these. */
export type ConstantAttributes<T extends DataType = DataType> = OnlyOne<{
  /** The tensor itself, of any type. */
  value: TensorLike<T>;
  /** Gives the dense tensor; from opset 11. */
  sparse_value: SparseTensorLike<T>;
  /** Gives a float32 scalar; from opset 12, as all below. */
  value_float: number;
  /** Gives float32 with one axis. */
  value_floats: readonly number[];
  /** Gives an int64 scalar. */
  value_int: number | bigint;
  /** Gives int64 with one axis. */
  value_ints: readonly (number | bigint)[];
  /** Gives a string scalar. */
  value_string: string;
  /** Gives strings with one axis. */
  value_strings: readonly string[];
}>;

/** What {@link Runtime.memory} tells. */
export interface MemoryUse {
  /** Tensors that were made and not yet disposed of. */
  readonly liveTensors: number;
  /** Bytes of all tensors, those that models hold included. Tensors that share bytes count once. */
  readonly bytesInUse: number;
  /** Bytes of the wasm memory. It grows when needed and never shrinks. */
  readonly heapBytes: number;
}

/**
 * ONNX operators over one WebAssembly memory. Made by {@link load} or {@link loadSync}. All calls are synchronous.
 *
 * @group Classes
 */
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
   * @param data - a typed array in ONNX's own layout (as {@link Tensor.data} has it), or a list of values
   * @param dims - sizes of the axes; `[]` for a scalar
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE` for a type that ONNX does not have; `INVALID_ARGUMENT` for dims that are no
   * sizes, a count of elements that is not theirs, another array than the type's, or a value that the type cannot hold;
   * `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * ops.tensor('float32', [1, 2, 3], [3, 1]); // float32 [3, 1]
   * ops.tensor('int64', [7n], []); // int64 []
   * // Values; a Uint8Array holds packed bytes.
   * ops.tensor('int4', [-8, 7, 1], [3]); // int4 [3]
   * ops.tensor('int4', Uint8Array.of(0x78, 0x01), [3]); // int4 [3] [-8  7  1]
   * ```
   */
  tensor<T extends DataType>(type: T, data: ElementsOf<T>, dims: readonly number[]): Tensor<T> {
    makeTensor(this.#context, checkedDtype(type), dims, data);
    return this.#takeOne<T>();
  }

  /**
   * Makes a tensor of zeros (or empty strings), to be filled in place through {@link Tensor.data}.
   *
   * @param type - the element type
   * @param dims - sizes of the axes; `[]` for a scalar
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE`, `INVALID_ARGUMENT`, `OUT_OF_MEMORY`
   */
  empty<T extends DataType>(type: T, dims: readonly number[]): Tensor<T> {
    makeEmpty(this.#context, checkedDtype(type), dims);
    return this.#takeOne<T>();
  }

  /**
   * [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant): the tensor that the one given attribute
   * holds. `value_float(s)` gives float32, `value_int(s)` int64, `value_string(s)` string, each as a scalar or with one axis;
   * `sparse_value` gives the dense tensor.
   *
   * @param attributes - exactly one attribute, with its value
   * @param options - `opset`, which picks the operator's version
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for none or two of them, and for one that the opset's version does not have;
   * `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.constant({ value_floats: [1, 2] }); // float32 [2]
   * ```
   */
  constant<T extends DataType>(
    attributes: { value: TensorLike<T> } & ConstantAttributes<T>,
    options?: OperatorOptions,
  ): Tensor<T>;
  /** [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of `sparse_value`: the dense tensor. Errors are those of `value`. */
  constant<T extends DataType>(
    attributes: { sparse_value: SparseTensorLike<T> } & ConstantAttributes<T>,
    options?: OperatorOptions,
  ): Tensor<T>;
  /** [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of floats: float32, a scalar or with one axis. Errors are those of `value`. */
  constant(
    attributes: ({ value_float: number } | { value_floats: readonly number[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'float32'>;
  /** [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of integers: int64, a scalar or with one axis. Errors are those of `value`. */
  constant(
    attributes: ({ value_int: number | bigint } | { value_ints: readonly (number | bigint)[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'int64'>;
  /** [Constant](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Constant) of strings: a scalar or with one axis. Errors are those of `value`. */
  constant(
    attributes: ({ value_string: string } | { value_strings: readonly string[] }) & ConstantAttributes,
    options?: OperatorOptions,
  ): Tensor<'string'>;
  constant(attributes: ConstantAttributes, options?: OperatorOptions): Tensor {
    return this.#one('Constant', [], attributes as Attributes, options);
  }

  /**
   * [ConstantOfShape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#ConstantOfShape): one element in every
   * place of a shape. O(1) until {@link Tensor.data} is read.
   *
   * @param shape - the sizes, none negative; none at all make a scalar
   * @param attributes - `value`: a tensor of one element (default: float32 zero)
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor of the value's type
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for a negative size, for more than 2^53 - 1 elements, and for a value of
   * another count than one; `UNSUPPORTED_TYPE` for a value of string or complex type, or of one that the opset's version does
   * not take; `UNKNOWN_OPERATOR` below opset 9; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * ops.constantOfShape([2, 3], { value: ops.tensor('int32', [7], [1]) }); // int32 [2, 3] [[7 7 7] [7 7 7]]
   * ```
   */
  constantOfShape<T extends DataType = 'float32'>(
    shape: ShapeLike,
    attributes?: { value?: TensorLike<T> | undefined },
    options?: OperatorOptions,
  ): Tensor<T> {
    return this.#one('ConstantOfShape', [shape], attributes as Attributes | undefined, options);
  }

  /**
   * [Shape](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Shape): the dims of a tensor, or a part of them.
   *
   * @param input - a tensor of any type; its elements are not read
   * @param attributes - from axis `start` (default: 0) to before axis `end` (default: to the last); negative ones count from
   * the end, and both are clamped to the axes that there are; from opset 15
   * @param options - `opset`, which picks the operator's version
   * @returns an int64 tensor with one axis
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * y.dims; // [2, 3, 6]
   * ops.shape(y, { start: 1, end: -1 }); // int64 [1] [3]
   * ```
   */
  shape(
    input: TensorLike,
    attributes?: { start?: number | bigint | undefined; end?: number | bigint | undefined },
    options?: OperatorOptions,
  ): Tensor<'int64'> {
    return this.#one('Shape', [input], attributes, options);
  }

  /**
   * [Expand](https://github.com/onnx/onnx/blob/main/docs/Operators.md#Expand): a tensor broadcast with a shape, as NumPy
   * broadcasts two arrays: sizes are aligned at the last axis, and each side stretches where its size is 1. So a 1 in the
   * shape keeps the input's size, and the shape may be shorter than the input's dims. O(1) until {@link Tensor.data} is read.
   *
   * @param input - the tensor to be stretched
   * @param shape - the sizes to broadcast with, none negative
   * @param options - `opset`, which picks the operator's version
   * @returns a tensor of the input's type
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for sizes that differ where neither is 1, for negative ones, and for more
   * than 2^53 - 1 elements; `UNSUPPORTED_TYPE` for float8 and 4- and 2-bit types, which ONNX's Expand does not take;
   * `UNKNOWN_OPERATOR` below opset 8; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
   * ops.expand(x, [2, 1, 6]); // float32 [2, 3, 6]
   * ```
   */
  expand<T extends DataType>(input: TensorLike<T>, shape: ShapeLike, options?: OperatorOptions): Tensor<T> {
    return this.#one('Expand', [input, shape], undefined, options);
  }

  /**
   * Runs any operator by its ONNX name.
   *
   * @param name - ONNX's name of the operator: `Expand`
   * @param inputs - tensors; a list of integers stands for an int64 tensor with one axis, null for an input left out
   * @param attributes - the operator's attributes, by ONNX's names
   * @param options - `opset`, which picks the operator's version
   * @returns the outputs, in the operator's order
   * @throws {@link OnnxError} `UNKNOWN_OPERATOR`, `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const [y] = ops.run('Expand', [x, [3, 4]], {}, { opset: 8 }); // float32 [3, 4]
   * ```
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
   * @param name - ONNX's name of the operator
   * @param inputs - as {@link Runtime.run} takes them
   * @param attributes - the operator's attributes, by ONNX's names
   * @param options - `opset`, which picks the operator's version
   * @returns the contents of the files, by their paths
   * @throws {@link OnnxError} as {@link Runtime.run} does
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
   * @param bytes - the content of the file; it is copied
   * @param options - `allowUnsupported` reads also models that Broadloom cannot run, to be looked at
   * @throws {@link OnnxError} `INVALID_MODEL` with the place in the file; `UNKNOWN_OPERATOR`, `UNSUPPORTED_TYPE` for what
   * Broadloom cannot run; `INVALID_ARGUMENT` for what is no Uint8Array; `OUT_OF_MEMORY`
   */
  loadModel(bytes: Uint8Array, options?: ModelOptions): Model {
    const { memory } = this.#context;
    const size = memory.file(checkedFile('loadModel', bytes));
    memory.check(memory.glue.readModelFile(size, options?.allowUnsupported ? 1 : 0));
    return new Model(this.#context, this.#models);
  }

  /**
   * Reads a tensor file (TensorProto, .pb).
   *
   * @param bytes - the content of the file; it is copied
   * @throws {@link OnnxError} `INVALID_MODEL` with the place in the file; `INVALID_ARGUMENT` for what is no Uint8Array;
   * `OUT_OF_MEMORY`
   */
  readTensor(bytes: Uint8Array): Tensor {
    const { memory } = this.#context;
    memory.check(memory.glue.readTensorFile(memory.file(checkedFile('readTensor', bytes))));
    return this.#takeOne();
  }

  /**
   * Writes a tensor file (TensorProto, .pb), without a name.
   *
   * @param tensor - a tensor, or anything with its three fields
   * @returns the content of the file, which belongs to JavaScript
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`; for what is no tensor of a runtime, as {@link Runtime.tensor} does
   */
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
   * arrays and objects). Scopes may lie in one another.
   *
   * @param work - is called at once; must not return a promise
   * @returns what `work` returned
   * @throws {@link OnnxError} `INVALID_ARGUMENT` when `work` returns a promise; and whatever `work` throws: then all tensors
   * that it made are freed
   *
   * @example
   * ```ts
   * const y = ops.scope(() => {
   *   const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
   *   return ops.expand(x, [3, 4]);
   * }); // float32 [3, 4]
   * ```
   */
  scope<R>(work: () => R): R {
    return this.#context.runScope(work);
  }

  /** Tells what is alive: how many tensors, their bytes, and the size of the heap. */
  memory(): MemoryUse {
    const { memory } = this.#context;
    memory.check(memory.glue.memoryUse());
    return { liveTensors: memory.take(), bytesInUse: memory.take(), heapBytes: memory.heapBytes };
  }

  /** Lists the operators with all their versions: attributes, inputs, outputs, types. */
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
