/* The options with which onnxruntime-common makes tensors, and pictures of tensors. */
import type { Tensor } from './tensor.js';

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
