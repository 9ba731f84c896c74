/// <reference lib="esnext.disposable" preserve="true" />
import type { Context } from './context.js';
import { addDisposeSymbol } from './disposable.js';
import { OnnxError } from './error.js';
import type { Batch } from './finalizers.js';
import { formatElements } from './format.js';
import type { DataType, DataTypeMap, Dtype, TypedArray } from './types.js';

/** Tensors with more elements are watched over one by one (see Batches). */
const largeSize = 16384;

/**
 * A tensor of ONNX: an element type, dims, and elements in row-major order, in the wasm memory of its runtime. A value:
 * nothing that is done to one tensor changes another.
 *
 * Made by a {@link Runtime}. Free it with `dispose()`, with `using`, or by {@link Runtime.scope}.
 *
 * @group Classes
 */
export class Tensor<T extends DataType = DataType> {
  /** Name of the element type. */
  readonly type: T;
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** Number of elements. */
  readonly size: number;

  /** The same as `dispose()`, for `using`. */
  declare readonly [Symbol.dispose]: () => void;

  readonly #context: Context;
  readonly #dtype: Dtype;
  #batch: Batch | undefined; // none after dispose
  readonly #place: number; // in the batch
  #handle: number; // 0 after dispose
  #data: TypedArray | string[] | undefined; // what `data` gave last

  /** @internal */
  constructor(context: Context, handle: number, dtype: Dtype, dims: number[]) {
    let size = 1;
    for (let i = 0; i < dims.length; i++) size *= dims[i] as number;
    this.type = dtype.name as T;
    this.dims = dims;
    this.size = size;
    this.#context = context;
    this.#dtype = dtype;
    const batch = context.batches.batchFor(size > largeSize);
    this.#batch = batch;
    this.#place = batch.handles.push(handle) - 1;
    this.#handle = handle;
    this.#data = undefined;
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
    const handle = this.#live();
    let data = this.#data;
    if (this.#dtype.kind === 'string') {
      data ??= this.#readStrings(handle);
    } else if (data === undefined || data.length === 0) {
      // An empty view is never stale, a stale one is always empty.
      const { memory } = this.#context;
      const address = memory.glue.tensorData(handle);
      if (address < 0) memory.check(address);
      data = memory.view(this.#dtype, address, this.size);
    }
    this.#data = data;
    return data as DataTypeMap[T];
  }

  /**
   * For each axis, how many elements one step along it goes through memory: 0 where one element stands for a whole axis,
   * as Expand and ConstantOfShape leave it. They are those of this moment: reading `data` writes the tensor out, and from
   * then on they are those of row-major order. Where there is no step, along axes of one element and in tensors of none,
   * the number means nothing.
   *
   * @throws {@link OnnxError} `DISPOSED`
   */
  get strides(): readonly number[] {
    const handle = this.#live();
    const { memory } = this.#context;
    memory.check(memory.glue.tensorStrides(handle));
    return memory.takeNumbers(this.dims.length);
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
  toArray(): DataTypeMap[T] {
    return this.data.slice() as DataTypeMap[T];
  }

  /**
   * The elements as numbers: the values of float16, bfloat16, float8, float4 and of packed integers, and those of every
   * other real type but the 64-bit integers, whose values a number cannot hold. Booleans are 0 and 1.
   *
   * @throws {@link OnnxError} `UNSUPPORTED_TYPE` for int64, uint64, string and complex types; `OUT_OF_MEMORY`, `DISPOSED`
   */
  unpack(): number[] {
    const handle = this.#live();
    const { memory } = this.#context;
    if (this.#dtype.kind === 'string' || this.#dtype.kind === 'complex' || this.#dtype.array.startsWith('Big')) {
      throw new OnnxError('UNSUPPORTED_TYPE', `unpack: ${this.type} elements are no numbers; read data`);
    }
    memory.check(memory.glue.unpackTensor(handle));
    return memory.takeNumbers(this.size);
  }

  /**
   * Type, dims and elements, as NumPy prints them; of more than 1000 elements the corners. Never throws: where there are no
   * elements to be had, it says why by the error's code.
   */
  toString(): string {
    const head = `${this.type} [${this.dims.join(', ')}]`;
    try {
      return `${head}\n${formatElements(this as unknown as Tensor, this.#dtype)}`;
    } catch (error) {
      // A print must not fail: the tensor was disposed of, or is too large to be written out.
      return `${head} (${(error as OnnxError).code})`;
    }
  }

  /** What console.log shows in Node, Deno and Bun. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  /** Frees the tensor. Tensors made from it keep what they have. A second call does nothing. */
  dispose(): void {
    if (this.#batch === undefined) return;
    const { memory, batches } = this.#context;
    memory.glue.disposeTensor(this.#handle);
    batches.leave(this.#batch, this.#place, this.size > largeSize);
    this.#batch = undefined;
    this.#handle = 0;
    this.#data = undefined;
  }

  /** The tensor's handle for a call in `context`; 0 for a tensor of another runtime. @internal */
  static handleIn(context: Context, tensor: Tensor): number {
    if (tensor.#context !== context) return 0;
    const handle = tensor.#live();
    if (Array.isArray(tensor.#data)) tensor.#writeStrings(handle, tensor.#data);
    return handle;
  }

  #live(): number {
    if (this.#handle === 0) {
      throw new OnnxError('DISPOSED', `this ${this.type} tensor of dims [${this.dims.join(', ')}] was disposed of`);
    }
    return this.#handle;
  }

  #readStrings(handle: number): string[] {
    const { memory } = this.#context;
    memory.check(memory.glue.tensorStrings(handle));
    return memory.strings(memory.take(), memory.take(), this.size);
  }

  /** Takes over what may have been written into the array that `data` gave out. */
  #writeStrings(handle: number, strings: readonly unknown[]): void {
    const { memory } = this.#context;
    memory.begin();
    memory.number(strings.length);
    for (let i = 0; i < strings.length; i++) {
      const string = strings[i];
      if (typeof string !== 'string')
        throw new OnnxError('INVALID_ARGUMENT', `element ${i} of a string tensor is no string`);
      memory.string(string);
    }
    memory.check(memory.glue.replaceStrings(handle));
  }
}

addDisposeSymbol(Tensor.prototype);
