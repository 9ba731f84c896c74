import { invalidArgument, notItself } from '../basics/error.js';
import { checkedFile } from '../basics/file-bytes.js';
import { finalize } from '../basics/finalizers.js';
import { nameObjects } from '../basics/prototypes.js';
import { takesAtMost, tooMany } from '../basics/superfluous.js';
import { textOf } from '../basics/told.js';
import { callOperator, checkedOpset } from '../calls/call.js';
import { type CallOptions, Context } from '../calls/context.js';
import { Memory } from '../calls/memory.js';
import { type MemoryUse, readMemoryUse } from '../calls/memory-use.js';
import type { OperatorInput } from '../calls/operands.js';
import { type Operator, readOperators } from '../calls/operators.js';
import { type ImageMethods, imageMethods } from '../image/methods.js';
import { loadModel } from '../model/load-model.js';
import type { Model } from '../model/model.js';
import { type NodeModelFiles, writeNodeModel } from '../model/node-model.js';
import type { ModelOptions } from '../model/options.js';
import { simplifyFile } from '../simplify/simplify-file.js';
import type { SimplifiedBlob, SimplifiedBytes, SimplifyOptions } from '../simplify/types.js';
import { type SoundMethods, soundMethods } from '../sound/methods.js';
import { checkedDtype, isTensorLike, makeEmpty, makeTensor, noTensor, readLiteral } from '../tensor/elements.js';
import { fromPlain, type TensorJson } from '../tensor/messages.js';
import { elementsOf, flatten, type ItemOf, type NestedLike } from '../tensor/nested.js';
import type { AnyTensor, Tensor } from '../tensor/tensor.js';
import { writeTensorFile } from '../tensor/tensor-file.js';
import type {
  Attributes,
  AttributesIn,
  DataType,
  DimsLike,
  ElementsOf,
  NumberOf,
  OperatorOptions,
  TensorLike,
} from '../tensor/types.js';
import { type ConstantOperators, rangeMethod } from './constants.js';
import type { AttributesOf, OperatorName } from './operator-names.js';
import { operatorMethods, type TypedOperators } from './operators.generated.js';
import { copyOf } from './typed.js';

/** A value that cannot be awaited. */
type Settled =
  | {
      /** Not a promise. */
      then?: undefined;
      /** Every object has one. */
      constructor: unknown;
    }
  | undefined
  | null;

/** Makes a runtime; only `load` does. @internal */
export let newRuntime: (memory: Memory, options: CallOptions) => Runtime;

let contextOf: (runtime: Runtime) => Context;

// The methods that are added below: they and this interface are generated together.
/** The methods of operators, images and sounds. */
export interface Runtime extends TypedOperators, ConstantOperators, ImageMethods, SoundMethods {}

/**
 * ONNX operators over one WebAssembly memory. Made by {@link load} or {@link loadSync}. All calls are synchronous.
 *
 * @group Classes
 */
export class Runtime {
  readonly #context: Context;
  readonly #models: FinalizationRegistry<{ handle: number }>;

  private constructor(memory: Memory, { opset, onRun }: CallOptions = {}) {
    if (!(memory instanceof Memory)) throw invalidArgument('a runtime is made by load: const ops = await load()');
    this.#context = new Context(memory, opset === undefined ? memory.glue.newestOpset() : checkedOpset(opset), onRun);
    this.#models = new FinalizationRegistry(({ handle }) => {
      if (handle !== 0) finalize(() => memory.glue.disposeModel(handle));
    });
  }

  static {
    newRuntime = (memory, options) => new this(memory, options);
    contextOf = (runtime) => {
      if (typeof runtime === 'object' && runtime !== null && #context in runtime) return runtime.#context;
      throw notItself('runtime', runtime);
    };
  }

  /**
   * Makes a tensor of copied elements.
   *
   * @param type - the element type
   * @param data - a typed array in ONNX's own layout (as {@link Tensor.data} has it), or a list of values. Without dims, also
   * lists within lists, or one value; with dims `[]`, also one value
   * @param dims - sizes of the axes, at most 255; `[]` for a scalar. Without them, the lists tell: one axis for each level
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE` for a type that ONNX does not have; `INVALID_ARGUMENT` for dims that are no
   * sizes, a count of elements that is not theirs, another array than the type's, or a value that the type cannot hold;
   * `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * ops.tensor('float32', [1, 2, 3], [3, 1]); // float32 [3, 1]
   * ops.tensor('float32', [[1, 2], [3, 4]]); // float32 [2, 2]
   * ops.tensor('int64', 7n); // int64 []
   * // Values; a Uint8Array holds packed bytes.
   * ops.tensor('int4', [-8, 7, 1], [3]); // int4 [3]
   * ops.tensor('int4', Uint8Array.of(0x78, 0x01), [3]); // int4 [3] [-8  7  1]
   * ```
   */
  tensor<T extends DataType>(type: T, data: ElementsOf<T> | NumberOf<T> | ItemOf<T>, dims: DimsLike): Tensor<T>;
  /**
   * Makes a tensor of lists within lists, which tell the dims, or of one value.
   *
   * @param type - the element type
   * @param data - lists of values within lists of equal lengths; one value for a scalar; or a list or typed array for one axis
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE` for a type that ONNX does not have; `INVALID_ARGUMENT` for lists of several
   * lengths, and for a value that the type cannot hold; `OUT_OF_MEMORY`
   */
  tensor<T extends DataType>(type: T, data: ElementsOf<T> | NestedLike<NumberOf<T> | ItemOf<T>>): Tensor<T>;
  tensor(type: DataType, data: unknown, dims?: DimsLike): Tensor {
    takesAtMost(3, arguments.length, 'tensor');
    const context = contextOf(this);
    const { memory } = context;
    const given = dims === undefined ? flatten(data, checkedDtype(type)) : { data: elementsOf(data, dims), dims };
    makeTensor(context, readLiteral(memory, type, given.dims, given.data));
    return takeOne(context);
  }

  /**
   * Makes a tensor of zeros (or empty strings), to be filled in place through {@link Tensor.data}.
   *
   * @param type - the element type
   * @param dims - sizes of the axes; `[]` for a scalar
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE`, `INVALID_ARGUMENT`, `OUT_OF_MEMORY`
   */
  empty<T extends DataType>(type: T, dims: DimsLike): Tensor<T> {
    takesAtMost(2, arguments.length, 'empty');
    const context = contextOf(this);
    makeEmpty(context, type, dims);
    return takeOne(context);
  }

  /**
   * Makes a tensor of what {@link Tensor.toMessage} gave, or of what `JSON.parse` reads of a tensor's JSON.
   *
   * @param message - `type`, `dims` and `data`; as {@link Runtime.tensor} takes them, and besides, in lists, strings that
   * stand for numbers as {@link Tensor.toJSON} writes them
   * @throws {@link OnnxError} as {@link Runtime.tensor} does
   *
   * @example
   * ```ts
   * const copy = ops.fromMessage(structuredClone(x.toMessage())); // float32 [3, 1]
   * ops.fromMessage(JSON.parse(JSON.stringify(x))); // float32 [3, 1]
   * ```
   */
  fromMessage<T extends DataType>(message: TensorLike<T> | TensorJson<T>): Tensor<T> {
    takesAtMost(1, arguments.length, 'fromMessage');
    const context = contextOf(this);
    if (!isTensorLike(message)) throw noTensor('fromMessage: the message is ', message);
    const { type, dims, data } = message;
    makeTensor(context, readLiteral(context.memory, type, dims, data, fromPlain));
    return takeOne(context);
  }

  /**
   * Runs any operator by its ONNX name.
   *
   * @param name - ONNX's name of the operator: `Expand`
   * @param inputs - tensors; a list of integers stands for an int64 tensor with one axis, null for an input left out
   * @param attributes - the operator's attributes, by ONNX's names: those of all its versions, see {@link OperatorAttributes}
   * @param options - `opset`, which picks the operator's version
   * @returns the outputs, in the operator's order
   * @throws {@link OnnxError} `UNKNOWN_OPERATOR`, `INVALID_ARGUMENT`, `UNSUPPORTED_TYPE`, `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const [y] = ops.run('Expand', [x, [3, 4]], {}, { opset: 8 }); // float32 [3, 4]
   * ```
   */
  run<N extends OperatorName, A extends AttributesIn<A>>(
    name: N,
    inputs: readonly OperatorInput[] = [],
    attributes?: AttributesOf<N, A>,
    options?: OperatorOptions,
  ): AnyTensor[] {
    takesAtMost(4, arguments.length, 'run');
    return callSeveral(this, name, copyOf(name, inputs), attributes, options);
  }

  /**
   * Runs an operator as `run` does, and writes the call as files: a model of one node, the inputs that are not left out,
   * and the outputs. Values have the names that ONNX's schema gives them. Nothing of the call stays in memory.
   *
   * @param name - ONNX's name of the operator
   * @param inputs - as {@link Runtime.run} takes them
   * @param attributes - the operator's attributes, by ONNX's names
   * @param options - `opset`, which picks the operator's version, and becomes the model's opset. Without it, the model has the
   * oldest opset that picks the version of the call: most runtimes can read that
   * @returns the contents of the files, by their paths
   * @throws {@link OnnxError} as {@link Runtime.run} does
   */
  nodeModel<N extends OperatorName, A extends AttributesIn<A>>(
    name: N,
    inputs: readonly OperatorInput[] = [],
    attributes?: AttributesOf<N, A>,
    options?: OperatorOptions,
  ): NodeModelFiles {
    takesAtMost(4, arguments.length, 'nodeModel');
    const context = contextOf(this);
    return writeNodeModel(context, name, copyOf(name, inputs), attributes as Attributes | undefined, options);
  }

  /**
   * Reads and checks an .onnx file (ModelProto).
   *
   * @param bytes - the content of the file; it is copied
   * @param options - `allowUnsupported` reads also models that Broadloom cannot run, to be looked at; `external` gives the
   * files in which initializers have their elements
   * @throws {@link OnnxError} `INVALID_MODEL` with the place in the file; `UNKNOWN_OPERATOR`, `UNSUPPORTED_TYPE` for what
   * Broadloom cannot run; `INVALID_ARGUMENT` for what is no Uint8Array; `OUT_OF_MEMORY`
   */
  loadModel(bytes: Uint8Array, options?: ModelOptions): Model {
    takesAtMost(2, arguments.length, 'loadModel');
    return loadModel(contextOf(this), this.#models, bytes, options);
  }

  /**
   * Makes a model file smaller without changing what it computes: constant values are computed, known shapes replace the nodes
   * that compute them, Ifs are decided, functions are inlined, and nodes that do nothing or repeat others are dropped. Results
   * keep every bit. Operators that Broadloom does not have stay as they are.
   *
   * Large weights never enter the runtime's memory: only the needed parts of a `Blob` are read.
   *
   * @param file - the content of an .onnx file; neither it nor the tensors in the options are changed
   * @param options - sizes and inputs to fix, outputs to keep, limits
   * @returns the file, which was read again and checked, and a report. Files with external data keep their references
   * @throws {@link OnnxError} `INVALID_MODEL` with the place in the file; `INVALID_ARGUMENT` for options that do not fit the
   * model; `OUT_OF_MEMORY`. For a `Blob`, the promise is rejected with it
   *
   * @example
   * ```ts
   * const file = ops.nodeModel('Shape', [x])['model.onnx'];
   * // The sizes of x are fixed: a Constant is left.
   * const { bytes, report } = ops.simplify(file);
   * report.after.operators; // {Constant: 1}
   * ```
   */
  simplify(file: Uint8Array, options?: SimplifyOptions): SimplifiedBytes;
  /**
   * Makes a model file smaller that is too large for memory, or still on a disk: only what is needed is read.
   *
   * @param file - the .onnx file; neither it nor the tensors in the options are changed
   * @param options - sizes and inputs to fix, outputs to keep, limits
   * @returns a promise of the file and a report. It is rejected with the errors of the call for a Uint8Array
   * @throws {@link OnnxError} `INVALID_MODEL`, `INVALID_ARGUMENT`, `OUT_OF_MEMORY`, as rejections
   */
  simplify(file: Blob, options?: SimplifyOptions): Promise<SimplifiedBlob>;
  /**
   * Makes a model file smaller: bytes at once, a Blob by a promise.
   *
   * @param file - the content of an .onnx file, or a Blob of it
   * @param options - sizes and inputs to fix, outputs to keep, limits
   * @throws {@link OnnxError} `INVALID_MODEL`, `INVALID_ARGUMENT`, `OUT_OF_MEMORY`. For a Blob, the promise is rejected with it
   */
  simplify(file: Uint8Array | Blob, options?: SimplifyOptions): SimplifiedBytes | Promise<SimplifiedBlob>;
  simplify(file: Uint8Array | Blob, options?: SimplifyOptions): SimplifiedBytes | Promise<SimplifiedBlob> {
    takesAtMost(2, arguments.length, 'simplify');
    return simplifyFile(contextOf(this), this, file, options);
  }

  /**
   * Reads a tensor file (TensorProto, .pb).
   *
   * @param bytes - the content of the file; it is copied
   * @throws {@link OnnxError} `INVALID_MODEL` with the place in the file; `INVALID_ARGUMENT` for what is no Uint8Array;
   * `OUT_OF_MEMORY`
   */
  readTensor(bytes: Uint8Array): AnyTensor {
    takesAtMost(1, arguments.length, 'readTensor');
    const context = contextOf(this);
    const { memory } = context;
    memory.check(memory.glue.readTensorFile(memory.file(checkedFile('readTensor', bytes), true)));
    return context.takeOne() as AnyTensor;
  }

  /**
   * Writes a tensor file (TensorProto, .pb), without a name.
   *
   * @param tensor - a tensor, or anything with its three fields
   * @returns the content of the file, which belongs to JavaScript
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, `DISPOSED`; for a value that is not a tensor of a runtime, as {@link Runtime.tensor} does
   */
  writeTensor(tensor: TensorLike): Uint8Array<ArrayBuffer> {
    takesAtMost(1, arguments.length, 'writeTensor');
    return writeTensorFile(contextOf(this), tensor);
  }

  /**
   * Runs `work` and then frees all tensors that were made in it but the returned ones (the value itself, or in returned
   * arrays, objects, maps and sets). Scopes may lie in one another.
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
  scope<R extends Settled>(work: () => R): R;
  /**
   * Runs `work` and then frees all tensors that were made in it but the returned ones, for results of wider types that cannot be
   * awaited.
   *
   * @param work - is called at once; must not return a promise
   * @returns what `work` returned
   * @throws {@link OnnxError} `INVALID_ARGUMENT` when `work` returns a promise; and whatever `work` throws
   */
  scope<R>(work: () => R extends PromiseLike<unknown> ? never : R): R;
  scope<R>(work: () => R): R {
    takesAtMost(1, arguments.length, 'scope');
    return contextOf(this).runScope(work);
  }

  /** One line: the opset, and what is alive. Never throws. */
  toString(): string {
    return textOf('Runtime', () => {
      const { liveTensors, bytesInUse } = this.memory();
      const { opset } = contextOf(this);
      return `Runtime (opset ${opset}): ${liveTensors} ${liveTensors === 1 ? 'tensor' : 'tensors'}, ${bytesInUse} bytes`;
    });
  }

  /** Tells what is alive: how many tensors, their bytes, and the size of the heap. */
  memory(): MemoryUse {
    takesAtMost(0, arguments.length, 'memory');
    return readMemoryUse(contextOf(this).memory);
  }

  /** Lists the operators with all their versions: attributes, inputs, outputs, types. */
  operators(): Operator[] {
    takesAtMost(0, arguments.length, 'operators');
    return readOperators(contextOf(this).memory);
  }
}

nameObjects(Runtime.prototype, 'Runtime');

// The prototypes of the classes in other files form a chain, so the runtime has their methods.
const contextOfAny = (runtime: unknown) => contextOf(runtime as Runtime);
let last: object = Runtime.prototype;
for (const { prototype } of [
  operatorMethods(callOne, callSeveral),
  rangeMethod(callOne),
  imageMethods(contextOfAny, callOne),
  soundMethods(contextOfAny),
]) {
  Object.setPrototypeOf(last, prototype);
  last = prototype;
}

function takeOne<T extends DataType>(context: Context): Tensor<T> {
  return context.takeOne() as Tensor as Tensor<T>;
}

function callOne<T extends DataType>(
  runtime: unknown,
  name: string,
  inputs: OperatorInput[],
  attributes: object | undefined,
  options: OperatorOptions | undefined,
  superfluous = 0,
  taken = 0,
): Tensor<T> {
  if (superfluous > 0) throw tooMany(name, taken + superfluous, taken);
  const context = contextOf(runtime as Runtime);
  callOperator(context, name, inputs, attributes as Attributes | undefined, options);
  return takeOne(context);
}

function callSeveral(
  runtime: unknown,
  name: string,
  inputs: OperatorInput[],
  attributes: object | undefined,
  options: OperatorOptions | undefined,
  superfluous = 0,
  taken = 0,
): AnyTensor[] {
  if (superfluous > 0) throw tooMany(name, taken + superfluous, taken);
  const context = contextOf(runtime as Runtime);
  callOperator(context, name, inputs, attributes as Attributes | undefined, options);
  return context.takeTensors() as AnyTensor[];
}
