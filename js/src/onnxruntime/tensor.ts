/* The tensors of onnxruntime-common. Constant, interface and namespace have one name, as there. */
import type { PixelData } from '../image/source.js';
import type { DataType, DataTypeMap } from '../tensor/types.js';
import { OrtTensor } from './tensor-class.js';

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

/** The order of colours. */
export type ImageFormat = 'RGB' | 'RGBA' | 'BGR' | 'RBG';
/** The order of axes. */
export type ImageTensorLayout = 'NHWC' | 'NCHW';

/** The order of colours of an image, or of the tensor that a picture is made of. */
export interface OptionsFormat {
  /** The order of colours. Default: `RGB`. */
  format?: ImageFormat;
}
/** The order of colours of the tensor. Default: `RGB`. */
export interface OptionsTensorFormat {
  /** The order of colours of the tensor. Default: `RGB`. */
  tensorFormat?: ImageFormat;
}
/** The element type. Default: `float32`. */
export interface OptionsTensorDataType {
  /** The element type. Default: `float32`. */
  dataType?: 'float32' | 'uint8';
}
/** The order of axes. Default: `NCHW`. */
export interface OptionsTensorLayout {
  /** The order of axes. Default: `NCHW`. */
  tensorLayout?: ImageTensorLayout;
}
/** The sizes of an image, in pixels. */
export interface OptionsDimensions {
  /** The height in pixels. */
  height?: number;
  /** The width in pixels. */
  width?: number;
}
/** The sizes that the image is resized to, in pixels. Default: those it has. */
export interface OptionResizedDimensions {
  /** The height in pixels that the image is resized to. */
  resizedHeight?: number;
  /** The width in pixels that the image is resized to. */
  resizedWidth?: number;
}
/**
 * How elements are made of bytes: `(byte + bias) / mean`, and bytes of elements: `(element - bias) * mean`. One number, or one
 * for each channel. Default: bias 0 and mean 255; for uint8 mean 1.
 */
export interface OptionsNormalizationParameters {
  /** The numbers that are added to bytes, and that they are divided by. */
  norm?: {
    /** The number that is added to each byte. Default: 0. */
    bias?: number | [number, number, number] | [number, number, number, number];
    /** The divisor of the sum. Default: 255; 1 for uint8. */
    mean?: number | [number, number, number] | [number, number, number, number];
  };
}

/** Options of `Tensor.fromImage` for an ImageData. */
export interface TensorFromImageDataOptions
  extends OptionResizedDimensions,
    OptionsTensorFormat,
    OptionsTensorLayout,
    OptionsTensorDataType,
    OptionsNormalizationParameters {}
/** Options of `Tensor.fromImage` for an element. */
export interface TensorFromImageElementOptions extends TensorFromImageDataOptions {}
/** Options of `Tensor.fromImage` for an ImageBitmap. */
export interface TensorFromImageBitmapOptions extends TensorFromImageDataOptions {}
/** Options of `Tensor.fromImage` for an address. */
export interface TensorFromUrlOptions extends OptionsDimensions, TensorFromImageDataOptions {}
/** Options of `toDataURL`: the order of the tensor's axes and colours (default `NCHW` and `RGB`), and how bytes are made. */
export interface TensorToDataUrlOptions extends OptionsTensorLayout, OptionsFormat, OptionsNormalizationParameters {}
/** Options of `toImageData`, as {@link TensorToDataUrlOptions}. */
export interface TensorToImageDataOptions extends OptionsTensorLayout, OptionsFormat, OptionsNormalizationParameters {}

/** The options of every tensor. */
interface CommonConstructorParameters<T> {
  /** Name of the element type. */
  readonly type: T;
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
}
/** The options of a tensor that lies elsewhere. */
interface GpuResourceConstructorParameters<T extends Tensor.Type> {
  /** Copies the elements to this side. Without it, sessions cannot be fed with the tensor. */
  download?(): Promise<Tensor.DataTypeMap[T]>;
  /** Is called when the tensor is disposed of. */
  dispose?(): void;
}
/** An array as it is. */
export interface CpuPinnedConstructorParameters<T extends Tensor.CpuPinnedDataTypes = Tensor.CpuPinnedDataTypes>
  extends CommonConstructorParameters<T> {
  /** Where the elements are. */
  readonly location: 'cpu-pinned';
  /** The elements. */
  readonly data: Tensor.DataTypeMap[T];
}
/** A texture of WebGL. */
export interface TextureConstructorParameters<T extends Tensor.TextureDataTypes = Tensor.TextureDataTypes>
  extends CommonConstructorParameters<T>,
    GpuResourceConstructorParameters<T> {
  /** Where the elements are. */
  readonly location: 'texture';
  /** The texture that has the elements. */
  readonly texture: Tensor.TextureType;
}
/** A buffer of WebGPU. */
export interface GpuBufferConstructorParameters<T extends Tensor.GpuBufferDataTypes = Tensor.GpuBufferDataTypes>
  extends CommonConstructorParameters<T>,
    GpuResourceConstructorParameters<T> {
  /** Where the elements are. */
  readonly location: 'gpu-buffer';
  /** The buffer that has the elements. */
  readonly gpuBuffer: Tensor.GpuBufferType;
}
/** A tensor of WebNN. */
export interface MLTensorConstructorParameters<T extends Tensor.MLTensorDataTypes = Tensor.MLTensorDataTypes>
  extends CommonConstructorParameters<T>,
    GpuResourceConstructorParameters<T> {
  /** Where the elements are. */
  readonly location: 'ml-tensor';
  /** The tensor that has the elements. */
  readonly mlTensor: Tensor.MLTensorType;
}
/** Options of `Tensor.fromTexture`. */
export interface TensorFromTextureOptions<T extends Tensor.TextureDataTypes>
  extends Required<OptionsDimensions>,
    OptionsFormat,
    GpuResourceConstructorParameters<T> {}
/** Options of `Tensor.fromGpuBuffer`. */
export interface TensorFromGpuBufferOptions<T extends Tensor.GpuBufferDataTypes>
  extends GpuResourceConstructorParameters<T> {
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** Default: `float32`. */
  dataType?: T;
}
/** Options of `Tensor.fromMLTensor`. */
export interface TensorFromMLTensorOptions<T extends Tensor.MLTensorDataTypes>
  extends GpuResourceConstructorParameters<T> {
  /** Sizes of the axes, outermost first; empty for a scalar. */
  readonly dims: readonly number[];
  /** Default: `float32`. */
  dataType?: T;
}

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
