/// <reference lib="esnext.disposable" preserve="true" />
import { endedError, invalidArgument, notItself, OnnxError } from '../basics/error.js';
import { type Batch, type Batches, largeBytes } from '../basics/finalizers.js';
import { readStrings } from '../basics/lists.js';
import { addDisposeSymbol, nameObjects } from '../basics/prototypes.js';
import { takesAtMost } from '../basics/superfluous.js';
import type { Memory } from '../calls/memory.js';
import { formatElements } from './format.js';
import { jsonOf, messageOf, type TensorJson, type TensorMessage } from './messages.js';
import { areNumbers, type ItemOf, itemsOf, type Nested, nest } from './nested.js';
import { checkList, freedError, madeByHand, notOne } from './refusals.js';
import type { DataType, DataTypeMap, Dtype, TypedArray } from './types.js';

/** Tensors made so far. */
let made = 0;

/** The state of a runtime (context.ts), as far as its tensors need it. @internal */
export interface Owner {
  readonly memory: Memory;
  readonly batches: Batches;
  takeOne(): Tensor;
}

// The error of a clone shows this function, so it has a name that the build keeps.
function toMessage<T extends DataType>(this: Tensor<T>): TensorMessage<T> {
  takesAtMost(0, arguments.length, 'toMessage');
  return messageOf(itself(this));
}

// Functions of the package that read private members of tensors. As methods, users would see them. The class makes them below,
// where private members can be reached, and nothing in it refers to it by its name: bundlers would call it otherwise.

/** Makes a tensor of a handle. `heldBytes` are those that it keeps alive. @internal */
export let newTensor: (context: Owner, handle: number, dtype: Dtype, heldBytes: number, dims: number[]) => Tensor;

/** Whether it is a tensor: not a proxy of one, nor anything that only looks like it. @internal */
export let isTensor: (value: unknown) => value is Tensor;

/**
 * Makes what was written into the array of strings that `data` gave out the tensor's. False for a tensor of another
 * runtime, which can only be copied. Runs code of the user's: such an array can have getters.
 *
 * @internal
 */
export let settle: (context: Owner, tensor: Tensor) => boolean;

/** The handle of a tensor, which must be one. @internal */
export let handleOfTensor: (tensor: Tensor) => number;

/** Whether a tensor has not been freed yet. @internal */
export let isAlive: (tensor: Tensor) => boolean;

/** Frees a tensor at the end of its scope. @internal */
export let endScopeOf: (tensor: Tensor) => void;

/** `tensor`, unless it is something that only looks like it. */
function itself<T extends DataType>(tensor: Tensor<T>): Tensor<T> {
  if (isTensor(tensor)) return tensor;
  throw notItself('tensor', tensor);
}

/**
 * A tensor of ONNX: an element type, dims, and elements in row-major order, in the wasm memory of its runtime. A value:
 * nothing that is done to one tensor changes another.
 *
 * Made by a {@link Runtime}. Free it with `dispose()`, with `using`, or by {@link Runtime.scope}.
 *
 * @group Classes
 */
export class Tensor<T extends DataType = DataType> {
  /**
   * A number that no other tensor of this copy of the package has. Items of the same place of one tensor share theirs. It is an
   * own property, so that `deepStrictEqual` and Jest's `toEqual` tell two tensors apart: they do not see elements. Compare what
   * `toArray()` gives.
   */
  readonly id: number;
  /**
   * The tensor as a plain object: `type`, `dims`, and a copy of `data` whose buffer can be transferred. For `postMessage` and
   * `structuredClone`; {@link Runtime.fromMessage} makes a tensor of it again. It is an own property, so that cloning the
   * tensor itself fails instead of losing the elements.
   *
   * @throws {@link OnnxError} as `data` does
   */
  readonly toMessage: () => TensorMessage<T>;

  /** Does what `dispose()` does, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #context: Owner;
  readonly #dtype: Dtype;
  readonly #dims: number[];
  #batch: Batch | undefined; // none after dispose
  #place: number; // in the batch
  #handle: number; // 0 after dispose, -1 after the end of its scope
  #data: TypedArray | string[] | undefined; // what `data` gave last

  private constructor(context: Owner, handle: number, dtype: Dtype, heldBytes: number, dims: number[]) {
    if (dims === undefined) throw madeByHand(); // checking the context takes longer
    // No loop in here: the engine would not inline it, which makes a small call 15 % slower.
    this.id = ++made;
    this.toMessage = toMessage;
    this.#context = context;
    this.#dtype = dtype;
    this.#dims = dims;
    const batch = context.batches.batchFor(heldBytes > largeBytes);
    this.#batch = batch;
    this.#place = batch.handles.push(handle) - 1;
    this.#handle = handle;
    this.#data = undefined;
  }

  static {
    newTensor = (context, handle, dtype, heldBytes, dims) => new this(context, handle, dtype, heldBytes, dims);
    isTensor = (value): value is Tensor => typeof value === 'object' && value !== null && #handle in value;
    settle = (context, tensor) => {
      if (tensor.#context !== context) return false;
      if (Array.isArray(tensor.#data)) tensor.#writeStrings(readStrings(tensor.#data));
      return true;
    };
    handleOfTensor = (tensor) => {
      const handle = tensor.#handle;
      if (handle > 0 && !tensor.#context.memory.life.ended) return handle;
      throw tensor.#disposed(handle);
    };
    isAlive = (tensor) => tensor.#handle > 0;
    endScopeOf = (tensor) => tensor.#free(-1);
  }

  /** Name of the element type. */
  get type(): T {
    return itself(this).#dtype.name as T;
  }

  /** Sizes of the axes, outermost first; empty for a scalar. The list is frozen. */
  get dims(): readonly number[] {
    // Here, not where tensors are made: freezing takes 60 ns, and most tensors of a program are never asked.
    return Object.freeze(itself(this).#dims);
  }

  /** Number of elements. */
  get size(): number {
    return itself(this).#count();
  }

  /**
   * The elements in ONNX's own layout (see {@link DataTypeMap}): a view on the wasm memory, or an array of strings.
   * Writable: what is written is the tensor's from then on, and no other tensor's.
   *
   * The first access writes out what was lazy until then (Expand, ConstantOfShape). Never keep the view across other
   * calls: when the memory grows, old views lose their contents (length 0). Ask for `data` again, or take `toArray()`.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY` when a lazy tensor is too large to be written out; `DISPOSED`
   */
  get data(): DataTypeMap[T] {
    const handle = handleOfTensor(itself(this));
    let data = this.#data;
    if (this.#dtype.kind === 'string') {
      data ??= this.#readStrings(handle);
    } else if (data === undefined || data.length === 0) {
      // An empty view is never stale, a stale one is always empty.
      const { memory } = this.#context;
      const address = memory.glue.tensorData(handle);
      if (address < 0) memory.check(address);
      const size = this.#count();
      data = memory.view(this.#dtype, address, size);
      this.#watch((size * this.#dtype.bits) / 8); // it may have been lazy until now
    }
    this.#data = data;
    return data as DataTypeMap[T];
  }

  /**
   * For each axis, how many elements one step along it goes through memory: 0 if one element stands for a whole axis, as in
   * results of Expand and ConstantOfShape. They may change: to read `data` writes the tensor out, and from then on strides are
   * row-major. On axes of one element, and in empty tensors, the number has no meaning.
   *
   * @throws {@link OnnxError} `DISPOSED`
   */
  get strides(): readonly number[] {
    const handle = handleOfTensor(itself(this));
    const { memory } = this.#context;
    memory.check(memory.glue.tensorStrides(handle));
    return memory.takeNumbers(this.#dims.length);
  }

  /** Where `data` lies, as the sessions of onnxruntime ask of what they are fed. */
  get location(): 'cpu' {
    return 'cpu';
  }

  /**
   * A copy of `data` that belongs to JavaScript: it outlives the tensor, and its buffer can be transferred to a worker.
   *
   * @throws {@link OnnxError} as `data` does
   */
  toArray(): DataTypeMap<ArrayBuffer>[T] {
    takesAtMost(0, arguments.length, 'toArray');
    const { data } = itself(this);
    // The list of strings may hold anything by now.
    if (Array.isArray(data)) return readStrings(data) as DataTypeMap<ArrayBuffer>[T];
    try {
      return data.slice() as DataTypeMap<ArrayBuffer>[T];
    } catch (cause) {
      const reason = (cause as Error).message;
      throw new OnnxError('OUT_OF_MEMORY', `toArray: no room for a copy of ${this.#told()} (${reason})`, { cause });
    }
  }

  /**
   * The elements as numbers: of float16, bfloat16, float8, float4, packed integers, and every other real type except 64-bit
   * integers, whose values a number cannot hold. Booleans are 0 and 1.
   *
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE` for int64, uint64, string and complex types; `OUT_OF_MEMORY`, also for more
   * than 2^26 elements; `DISPOSED`
   */
  unpack(): number[] {
    takesAtMost(0, arguments.length, 'unpack');
    const handle = handleOfTensor(itself(this));
    const { memory } = this.#context;
    if (!areNumbers(this.#dtype))
      throw new OnnxError('UNSUPPORTED_TYPE', `unpack: ${this.type} elements are not numbers; read data`);
    checkList('unpack', this.type, this.size);
    memory.check(memory.glue.unpackTensor(handle));
    return memory.takeNumbers(this.size);
  }

  /**
   * The only element: a number, a bigint of int64 and uint64, a boolean, a string, or the two parts of a complex number.
   *
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for a tensor of another count of elements than one; as `data` does
   */
  item(): ItemOf<T> {
    takesAtMost(0, arguments.length, 'item');
    itself(this);
    if (this.size !== 1) throw notOne(this.#told(), this.size);
    return itemsOf(this, this.#dtype)[0] as ItemOf<T>;
  }

  /**
   * The elements as lists within lists, one level for each axis; of a scalar its element. The elements are as `item()` gives
   * them.
   *
   * @throws {@link OnnxError} `OUT_OF_MEMORY`, also for more than 2^26 elements, or 2^20 lists without any; as `data` does
   */
  toNested(): Nested<ItemOf<T>> {
    takesAtMost(0, arguments.length, 'toNested');
    itself(this);
    checkList('toNested', this.type, this.size);
    return nest(itemsOf(this, this.#dtype), this.#dims);
  }

  /**
   * The tensors at the places of the first axis, without a copy of their elements. Each is a tensor of its own, to be disposed
   * of. A scalar, which has no axis, gives its element as `item()` does; TypeScript cannot tell that.
   *
   * @throws {@link OnnxError} `DISPOSED`; of a scalar as `data` does
   */
  *[Symbol.iterator](): Generator<Tensor<T>, void, undefined> {
    handleOfTensor(itself(this));
    const [length] = this.#dims;
    // An error here would be one of test runners, which compare all that can be iterated.
    if (length === undefined) yield this.item() as never;
    const { memory } = this.#context;
    for (let i = 0; i < (length ?? 0); i++) {
      settle(this.#context, this);
      memory.check(memory.glue.tensorItem(handleOfTensor(this), i));
      const item = this.#context.takeOne();
      // Test runners compare what can be iterated by its items: a tensor is equal to itself.
      (item as { id: number }).id = idOfItem(this.id, i);
      yield item as Tensor as Tensor<T>;
    }
  }

  /**
   * Type, dims and elements, as NumPy prints them; of more than 1000 elements the corners, and of long strings and many
   * axes the beginnings. Never throws: where there are no elements to be had, it says why by the error's code.
   */
  toString(): string {
    try {
      const head = this.#told();
      try {
        handleOfTensor(this as unknown as Tensor); // one without elements asks for none
        return `${head}\n${formatElements(this as unknown as Tensor, this.#dtype)}`;
      } catch (error) {
        // A print must not fail: the tensor was disposed of, or is too large to be written out.
        return `${head} (${(error as OnnxError).code ?? 'INVALID_ARGUMENT'})`;
      }
    } catch {
      return 'Tensor (its prototype, a proxy or a copy)';
    }
  }

  /**
   * JavaScript's arithmetic would compute NaN of a tensor, and so would `Math.max(...tensor)`: it is told so. In texts a tensor
   * is its `toString()`.
   *
   * @throws {@link OnnxError} `INVALID_ARGUMENT` where a number is wanted
   */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === 'number') throw invalidArgument('a tensor is not a number: item() and data give its elements');
    return this.toString();
  }

  /**
   * The form for `JSON.stringify`: `type`, `dims`, and the elements as a list. {@link Runtime.fromMessage} makes the tensor
   * again of it. Values that JSON's numbers cannot tell are strings: `'NaN'`, `'Infinity'`, `'-0'`, integers from 2^53.
   *
   * @throws {@link OnnxError} as `data` and `unpack()` do
   */
  toJSON(): TensorJson<T> {
    handleOfTensor(itself(this));
    checkList('toJSON', this.type, this.size);
    return jsonOf(this, this.#dtype);
  }

  /** For console.log in Node, Deno and Bun. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  /** Frees the tensor. Tensors made from it keep what they have. A second call does nothing. */
  dispose(): void {
    takesAtMost(0, arguments.length, 'dispose');
    itself(this).#free(0);
  }

  #count(): number {
    const dims = this.#dims;
    let size = 1;
    for (let i = 0; i < dims.length; i++) size *= dims[i] as number;
    return size;
  }

  #disposed(handle: number): OnnxError {
    if (handle > 0) return endedError(this.#context.memory.life.cause);
    return freedError(`${this.type} tensor of dims [${this.#dims.join(', ')}]`, handle);
  }

  #told(): string {
    return `${this.type} [${this.#dims.join(', ')}]`;
  }

  #free(handle: 0 | -1): void {
    if (this.#batch === undefined) return;
    this.#context.memory.glue.disposeTensor(this.#handle);
    this.#context.batches.leave(this.#batch, this.#place);
    this.#batch = undefined;
    this.#handle = handle;
    this.#data = undefined;
  }

  #readStrings(handle: number): string[] {
    checkList('data', this.type, this.size);
    const { memory } = this.#context;
    memory.check(memory.glue.tensorStrings(handle));
    const references = memory.take();
    const text = memory.take();
    this.#watch(memory.take());
    return memory.strings(references, text, this.size);
  }

  #writeStrings(strings: readonly string[]): void {
    const handle = handleOfTensor(this);
    const { memory } = this.#context;
    memory.begin();
    memory.stringList(strings);
    memory.check(memory.glue.replaceStrings(handle));
    this.#watch(memory.take());
  }

  /** Moves the tensor to a batch of its own if it keeps more bytes than a small tensor. */
  #watch(bytes: number): void {
    const batch = this.#batch as Batch;
    if (batch.large || bytes <= largeBytes) return;
    const { batches } = this.#context;
    batches.leave(batch, this.#place);
    this.#batch = batches.batchFor(true);
    this.#place = this.#batch.handles.push(this.#handle) - 1;
  }
}

/** The id of the item at a place of a tensor. It is below 0, unlike the ids of other tensors. */
function idOfItem(id: number, place: number): number {
  const mixed = (factor: number) =>
    Math.imul(Math.imul(id | 0, factor) ^ (place + 1), 0x9e3779b1) ^ Math.trunc(id / 2 ** 32);
  return -((mixed(0x85ebca6b) >>> 0) * 2 ** 21 + (mixed(0xc2b2ae35) >>> 11)) - 1;
}

/** A tensor of any type, as a union: in `if (tensor.type === 'int64')`, `tensor.data` is a `BigInt64Array`. */
export type AnyTensor = { [T in DataType]: Tensor<T> }[DataType];

addDisposeSymbol(Tensor.prototype, Tensor.prototype.dispose);
nameObjects(Tensor.prototype, 'Tensor');
