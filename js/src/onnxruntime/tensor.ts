/* The tensors of onnxruntime-common. Constant, interface and namespace have one name, as there. */
import type { PixelData } from '../image/source.js';
import type { DataType, DataTypeMap } from '../tensor/types.js';
import { OrtTensor } from './tensor-class.js';
import type {
  TensorFromGpuBufferOptions,
  TensorFromImageBitmapOptions,
  TensorFromImageDataOptions,
  TensorFromImageElementOptions,
  TensorFromMLTensorOptions,
  TensorFromTextureOptions,
  TensorFromUrlOptions,
  TensorToDataUrlOptions,
  TensorToImageDataOptions,
} from './tensor-options.js';

/** The instances of a global class, where the program's types know it. */
export type InstanceOfGlobal<Name extends string, Otherwise> = typeof globalThis extends {
  [name in Name]: { prototype: infer Instance };
}
  ? Instance
  : Otherwise;

/** Classes of browsers. A program whose types know no browser has other objects. */
type ImageDataOf = InstanceOfGlobal<'ImageData', PixelData>;
/** An image element, or what is read of it. */
type ImageElement = InstanceOfGlobal<
  'HTMLImageElement',
  {
    /** The width in pixels. */
    naturalWidth: number;
    /** The height in pixels. */
    naturalHeight: number;
  }
>;
/** A bitmap, or what is read of it. */
type Bitmap = InstanceOfGlobal<
  'ImageBitmap',
  {
    /** The width in pixels. */
    width: number;
    /** The height in pixels. */
    height: number;
    /** Frees it. */
    close(): void;
  }
>;

/** The types of tensors, as onnxruntime-common has them; the constant makes tensors. */
export declare namespace Tensor {
  /** The types of elements, and the arrays that hold them. An engine that has `Float16Array` holds float16 in it. */
  interface DataTypeMap {
    /** The array of float32 elements. */
    float32: Float32Array;
    /** The array of uint8 elements. */
    uint8: Uint8Array;
    /** The array of int8 elements. */
    int8: Int8Array;
    /** The array of uint16 elements. */
    uint16: Uint16Array;
    /** The array of int16 elements. */
    int16: Int16Array;
    /** The array of int32 elements. */
    int32: Int32Array;
    /** The array of int64 elements. */
    int64: BigInt64Array;
    /** The array of string elements. */
    string: string[];
    /** The array of bool elements. */
    bool: Uint8Array;
    /** The array of float16 elements. */
    float16: Uint16Array;
    /** The array of float64 elements. */
    float64: Float64Array;
    /** The array of uint32 elements. */
    uint32: Uint32Array;
    /** The array of uint64 elements. */
    uint64: BigUint64Array;
    /** The array of uint4 elements. */
    uint4: Uint8Array;
    /** The array of int4 elements. */
    int4: Int8Array;
  }

  /** An element as a value. */
  interface ElementTypeMap {
    /** A float32 element. */
    float32: number;
    /** A uint8 element. */
    uint8: number;
    /** A int8 element. */
    int8: number;
    /** A uint16 element. */
    uint16: number;
    /** A int16 element. */
    int16: number;
    /** A int32 element. */
    int32: number;
    /** A int64 element. */
    int64: bigint;
    /** A string element. */
    string: string;
    /** A bool element. */
    bool: boolean;
    /** A float16 element. */
    float16: number;
    /** A float64 element. */
    float64: number;
    /** A uint32 element. */
    uint32: number;
    /** A uint64 element. */
    uint64: bigint;
    /** A uint4 element. */
    uint4: number;
    /** A int4 element. */
    int4: number;
  }

  /** Name of an element type of onnxruntime-common. */
  type Type = keyof DataTypeMap;
  /** The array of a tensor's elements. */
  type DataType = DataTypeMap[Type];
  /** An element as a value. */
  type ElementType = ElementTypeMap[Type];

  /** Where the elements are. Results are always in `cpu`. */
  type DataLocation = 'none' | 'cpu' | 'cpu-pinned' | 'texture' | 'gpu-buffer' | 'ml-tensor';

  /** The types of tensors in pinned memory. */
  type CpuPinnedDataTypes = Exclude<Type, 'string'>;
  /** A texture of WebGL. */
  type TextureType = InstanceOfGlobal<'WebGLTexture', object>;
  /** The types of tensors in textures. */
  type TextureDataTypes = 'float32';
  /** A buffer of WebGPU. */
  type GpuBufferType = InstanceOfGlobal<
    'GPUBuffer',
    {
      /** The bytes of the buffer. */
      size: number;
      /** Whether the host can read it. */
      mapState: 'unmapped' | 'pending' | 'mapped';
    }
  >;
  /** The types of tensors in buffers of WebGPU. */
  type GpuBufferDataTypes = 'float32' | 'float16' | 'int32' | 'int64' | 'uint32' | 'uint8' | 'bool';
  /** A tensor of WebNN. */
  type MLTensorType = InstanceOfGlobal<
    'MLTensor',
    {
      /** Frees it. */
      destroy(): void;
    }
  >;
  /** The types of tensors of WebNN. */
  type MLTensorDataTypes = GpuBufferDataTypes | 'int8' | 'uint64' | 'uint4' | 'int4';
}

/** The types that Broadloom has and onnxruntime-common lacks: bfloat16, float8 in five forms, complex numbers and those of 2 and 4 bits. */
export type OtherType = Exclude<DataType, Tensor.Type>;

/** The array that holds elements of a type. */
export type DataOf<T extends DataType> = T extends Tensor.Type ? Tensor.DataTypeMap[T] : DataTypeMap[T];

/** The members of a tensor of any type. */
export interface TensorBase<T extends DataType, D> {
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** Name of the element type. */
  readonly type: T;
  /** Number of elements. */
  readonly size: number;
  /** The elements in row-major order: the array that the tensor was made of. Throws where the elements are not on this side. */
  readonly data: D;
  /** Where the elements are; `none` after `dispose()`. */
  readonly location: Tensor.DataLocation;
  /** The texture that holds the elements. Throws where none does. */
  readonly texture: Tensor.TextureType;
  /** The buffer of WebGPU that holds the elements. Throws where none does. */
  readonly gpuBuffer: Tensor.GpuBufferType;
  /** The tensor of WebNN that holds the elements. Throws where none does. */
  readonly mlTensor: Tensor.MLTensorType;
  /**
   * The elements, downloaded where they are elsewhere.
   *
   * @param releaseData - whether to give up what they were downloaded from
   */
  getData(releaseData?: boolean): Promise<D>;
  /** Lets go of the elements. The tensor cannot be used afterwards. */
  dispose(): void;
  /**
   * The picture as the address of a PNG file (`data:`). Needs a page: workers and servers have no such method of a canvas.
   */
  toDataURL(options?: TensorToDataUrlOptions): string;
  /** The picture as an ImageData; where the host has none, an object of its members. */
  toImageData(options?: TensorToImageDataOptions): ImageDataOf;
}

/** A tensor of one type. */
export interface TypedTensor<T extends Tensor.Type> extends TensorBase<T, Tensor.DataTypeMap[T]> {
  /** A tensor of the same array with other dims. */
  reshape(dims: readonly number[]): TypedTensor<T>;
}

/** A tensor of a type that onnxruntime-common lacks. */
export interface OtherTensor<T extends OtherType = OtherType> extends TensorBase<T, DataTypeMap[T]> {
  /** A tensor of the same array with other dims. */
  reshape(dims: readonly number[]): OtherTensor<T>;
}

/** A tensor of any type: sessions take and give them. */
export interface Tensor extends TensorBase<Tensor.Type, Tensor.DataTypeMap[Tensor.Type]> {
  /** A tensor of the same array with other dims. */
  reshape(dims: readonly number[]): TypedTensor<Tensor.Type>;
}

/** An image that a browser draws, or its address. */
export interface TensorFactory {
  /**
   * Makes a tensor of an image: float32 [1, 3, height, width] from 0 to 1 without options.
   *
   * A resize follows the rules of {@link ImageMethods.fromImage}: all pixels of the image count, as with Pillow's bilinear filter.
   *
   * @param imageData - an ImageData, an ImageBitmap, a loaded element, or the address of an image
   * @param options - sizes, order of colours and axes, type, and norm
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for anything but an image; `TypeError` for unknown values of options
   */
  fromImage(
    imageData: ImageDataOf,
    options?: TensorFromImageDataOptions,
  ): Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;
  /** Makes a tensor of an image element that is loaded. */
  fromImage(
    imageElement: ImageElement,
    options?: TensorFromImageElementOptions,
  ): Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;
  /** Makes a tensor of the image at an address. */
  fromImage(urlSource: string, options?: TensorFromUrlOptions): Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;
  /** Makes a tensor of an ImageBitmap. */
  fromImage(
    bitmap: Bitmap,
    options?: TensorFromImageBitmapOptions,
  ): Promise<TypedTensor<'float32'> | TypedTensor<'uint8'>>;
  /** Holds a texture of WebGL: four channels of float32, dims [1, height, width, 4]. */
  fromTexture<T extends Tensor.TextureDataTypes = 'float32'>(
    texture: Tensor.TextureType,
    options: TensorFromTextureOptions<T>,
  ): TypedTensor<'float32'>;
  /** Holds a buffer of WebGPU. */
  fromGpuBuffer<T extends Tensor.GpuBufferDataTypes>(
    buffer: Tensor.GpuBufferType,
    options: TensorFromGpuBufferOptions<T>,
  ): TypedTensor<T>;
  /** Holds a tensor of WebNN. */
  fromMLTensor<T extends Tensor.MLTensorDataTypes>(
    tensor: Tensor.MLTensorType,
    options: TensorFromMLTensorOptions<T>,
  ): TypedTensor<T>;
  /** Holds an array as it is. */
  fromPinnedBuffer<T extends Exclude<Tensor.Type, 'string'>>(
    type: T,
    buffer: Tensor.DataTypeMap[T],
    dims?: readonly number[],
  ): TypedTensor<T>;
}

/**
 * Makes tensors of arrays, which are not copied. Without `dims` a tensor has one axis. A list of numbers or booleans becomes an
 * array of the type. Throws a TypeError for data of another type, and an Error where dims and data disagree.
 */
export interface TensorConstructor extends TensorFactory {
  new (
    type: 'string',
    data: Tensor.DataTypeMap['string'] | readonly string[],
    dims?: readonly number[],
  ): TypedTensor<'string'>;
  new (
    type: 'bool',
    data: Tensor.DataTypeMap['bool'] | readonly boolean[],
    dims?: readonly number[],
  ): TypedTensor<'bool'>;
  new (type: 'uint8', data: Uint8ClampedArray, dims?: readonly number[]): TypedTensor<'uint8'>;
  new <T extends 'uint64' | 'int64'>(
    type: T,
    data: Tensor.DataTypeMap[T] | readonly bigint[] | readonly number[],
    dims?: readonly number[],
  ): TypedTensor<T>;
  new <T extends Exclude<Tensor.Type, 'string' | 'bool' | 'uint64' | 'int64'>>(
    type: T,
    data: Tensor.DataTypeMap[T] | readonly number[],
    dims?: readonly number[],
  ): TypedTensor<T>;
  new <T extends OtherType>(type: T, data: DataTypeMap[T], dims?: readonly number[]): OtherTensor<T>;
  new (data: Float32Array, dims?: readonly number[]): TypedTensor<'float32'>;
  new (data: Int8Array, dims?: readonly number[]): TypedTensor<'int8'>;
  new (data: Uint8Array, dims?: readonly number[]): TypedTensor<'uint8'>;
  new (data: Uint8ClampedArray, dims?: readonly number[]): TypedTensor<'uint8'>;
  new (data: Uint16Array, dims?: readonly number[]): TypedTensor<'uint16'>;
  new (data: Int16Array, dims?: readonly number[]): TypedTensor<'int16'>;
  new (data: Int32Array, dims?: readonly number[]): TypedTensor<'int32'>;
  new (data: BigInt64Array, dims?: readonly number[]): TypedTensor<'int64'>;
  new (data: readonly string[], dims?: readonly number[]): TypedTensor<'string'>;
  new (data: readonly boolean[], dims?: readonly number[]): TypedTensor<'bool'>;
  new (data: Float64Array, dims?: readonly number[]): TypedTensor<'float64'>;
  new (data: Uint32Array, dims?: readonly number[]): TypedTensor<'uint32'>;
  new (data: BigUint64Array, dims?: readonly number[]): TypedTensor<'uint64'>;
  new (
    type: Tensor.Type,
    data: Tensor.DataType | readonly number[] | readonly string[] | readonly bigint[] | readonly boolean[],
    dims?: readonly number[],
  ): Tensor;
  new (data: Tensor.DataType, dims?: readonly number[]): Tensor;
}

/** The types of tensors, as onnxruntime-common has them; the constant makes tensors. */
export const Tensor: TensorConstructor = OrtTensor as unknown as TensorConstructor;
