import { type DataTypeMap, dtypes } from './dtypes.generated.js';

export { type DataTypeMap, dtypes };

/** Name of an ONNX element type: one of the 26 keys of {@link DataTypeMap}. */
export type DataType = keyof DataTypeMap;

/** One of the 26 rows of {@link dtypes | dataTypes}, the table of element types. */
export type Dtype = (typeof dtypes)[number];

/** Types whose elements are bigints. */
type WideInteger = 'int64' | 'uint64';

/**
 * The forms in which elements of a tensor of type `T` can be given.
 *
 * - A typed array holds ONNX's own layout, the one that `data` has: bits for float16, bfloat16 and float8, packed bytes
 *   for the 4- and 2-bit types, real and imaginary parts in turn for complex numbers.
 * - A list of numbers holds values, one per element (two for complex types). Floating-point types round to nearest, ties
 *   to even (float8e8m0, which is for scales, takes powers of two only); a value that the type cannot hold is refused.
 */
export type ElementsOf<T extends DataType> =
  | Readonly<DataTypeMap[T]>
  | (T extends 'string'
      ? readonly string[]
      : T extends 'bool'
        ? readonly (boolean | number)[]
        : T extends WideInteger
          ? readonly (number | bigint)[]
          : readonly number[])
  | (T extends 'float16' ? { readonly [Symbol.toStringTag]: 'Float16Array' } & ArrayBufferView : never)
  | (T extends 'uint8' ? Uint8ClampedArray : never);

/** A typed array of integers, where a list of whole numbers is wanted. */
export type IntegerArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** Sizes of axes, outermost first; an empty list for a scalar. */
export type DimsLike = readonly (number | bigint)[] | IntegerArray;

/** Anything with the three fields of a tensor, such as a tensor of onnxruntime-common. */
export interface TensorLike<T extends DataType = DataType> {
  /** Name of the element type. */
  readonly type: T;
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: DimsLike;
  /** The elements in row-major order. */
  readonly data: ElementsOf<T>;
}

/**
 * A tensor of one of the types `Taken`, or one whose type is not known before the program runs, but may be one of them.
 */
export type Perhaps<T extends DataType, Taken extends DataType> = [T & Taken] extends [never]
  ? TensorLike<Taken>
  : TensorLike<T>;

/** A list of sizes where an operator takes a shape: an int64 tensor with one axis, or simply the numbers, or one number. */
export type ShapeLike = TensorLike<'int64'> | DimsLike | number | bigint;

/** `List` for one type, or for types that are all unknown, and nothing for several types. `Every` is `T`, undistributed. */
export type OneType<T extends DataType, List, Every = T> = [DataType] extends [Every]
  ? List
  : T extends Every
    ? [Every] extends [T]
      ? List
      : never
    : never;

// A map: in functions over `T extends 'float32' | 'float64'`, TypeScript takes a number for an entry, but not for a condition.
/** A value that stands for a scalar tensor of type `T` beside operands of that type. */
export type NumberOf<T extends DataType> = {
  [D in DataType]: D extends 'string' ? never : D extends 'bool' ? boolean | number : number | bigint;
}[T];

/** A sparse tensor as an attribute: what is not listed is zero, or the empty string. */
export interface SparseTensorLike<T extends DataType = DataType> {
  /** The listed elements, with one axis. */
  readonly values: TensorLike<T>;
  /**
   * Where they are, in ascending order: one number each, counted in row-major order (dims `[values]`), or one per axis (dims
   * `[values, rank]`). May be left out when there are no values.
   */
  readonly indices?: TensorLike<'int64'> | null | undefined;
  /** Sizes of the dense tensor; at least one, all positive. */
  readonly dims: DimsLike;
}

/** The value of an attribute. Which of them an operator takes is in its rows: see {@link Runtime.operators}. */
export type AttributeValue =
  | number
  | bigint
  | boolean
  | string
  | readonly (number | bigint)[]
  | readonly string[]
  | IntegerArray
  | Float32Array
  | Float64Array
  | TensorLike
  | SparseTensorLike;

/** Attributes of a call, by ONNX's names. One that is `undefined` is left out. */
export type Attributes = { readonly [name: string]: AttributeValue | undefined };

/** An object type, an interface too, whose every property can be an attribute: for parameters of type `A extends AttributesIn<A>`. */
export type AttributesIn<A> = { readonly [K in keyof A]: AttributeValue | undefined };

/** Options of every operator call. */
export interface OperatorOptions {
  /** Picks the operator's version: the newest one that is not above it. From 1; default: the runtime's. */
  opset?: number | undefined;
}

const byName = new Map<string, Dtype>(dtypes.map((row) => [row.name, row]));

/** The row of a type name, or undefined. @internal */
export function dtypeOf(name: unknown): Dtype | undefined {
  return byName.get(name as string);
}

/** The row of a TensorProto.DataType number. @internal */
export function dtypeOfId(id: number): Dtype {
  return dtypes[id - 1] as Dtype;
}

const typedArrays = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
};
/** The arrays that elements are in. */
export type TypedArray = InstanceType<(typeof typedArrays)[keyof typeof typedArrays]>;

const arrayOfId = dtypes.map(({ array }) => typedArrays[array as keyof typeof typedArrays]);

/** A typed array of `dtype` over `count` elements at `address`. @internal */
export function viewOf(dtype: Dtype, buffer: ArrayBuffer, address: number, count: number): TypedArray {
  const length = dtype.kind === 'complex' ? 2 * count : dtype.bits < 8 ? Math.ceil((count * dtype.bits) / 8) : count;
  return new (arrayOfId[dtype.id - 1] as typeof Float32Array)(buffer, address, length);
}
