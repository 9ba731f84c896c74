import { invalidArgument } from '../basics/error.js';
import { isList } from '../basics/lists.js';
import { checkedOptions } from '../basics/names.js';
import { show, tagOf } from '../basics/show.js';
import { takesAtMost } from '../basics/superfluous.js';
import { readWord } from '../basics/words.js';
import type { Context } from '../calls/context.js';
import { isTensorLike } from '../tensor/elements.js';
import { flatten } from '../tensor/nested.js';
import type { Tensor } from '../tensor/tensor.js';
import { type Dtype, dtypeOf, type TensorLike } from '../tensor/types.js';
import { coordinateScale, decodeImage, fromImage, type ImagePlace, type ImageTensor, toImageData } from './images.js';
import type { ImageOptions, ImageType, PictureOptions } from './options.js';
import type { Picture } from './picture.js';
import { type ImagePresets, presets } from './presets.js';
import type { ImageSource } from './source.js';

/** Options of {@link ImageMethods.toImageCoordinates}. */
export interface CoordinateOptions {
  /**
   * The meaning of four numbers in a row: two points (`xyxy`, the default), or a point, a width and a height (`xywh`).
   */
  readonly format?: 'xyxy' | 'xywh' | undefined;
}

/** The methods of {@link Runtime} for images. */
export interface ImageMethods {
  /**
   * Options of {@link ImageMethods.fromImage} for well-known families of models: `imagenet`, `clip`, `yolo` and others. They are
   * plain objects, to be spread and changed.
   */
  readonly presets: ImagePresets;
  /**
   * Makes a tensor of an image, or of images: pixels are converted to the wanted channels, resized, cropped, and become elements,
   * (byte * scale - mean) / std. A step whose option is left out is not done. Filters are Pillow's, to the byte; sizes and crops are
   * torchvision's.
   *
   * @param image - `{ data, width, height }` with bytes of 1 to 4 channels, such as ImageData; ImageBitmap; an image, a video or a
   * canvas of a page; VideoFrame; OffscreenCanvas. An array of them makes a batch. It is copied
   * @param options - the steps, or one of {@link ImageMethods.presets}
   * @returns the images with dims [N, C, H, W], or as `layout` has it, and how they were made (`scaleX`, `padLeft`, ...). In memory,
   * the channels of a pixel lie side by side, in which order convolutions read them; `data` brings them into the order of the
   * dims
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for what has no pixels, for options that contradict each other, and for a batch of
   * several sizes; `OUT_OF_MEMORY`
   *
   * @example
   * ```ts
   * const image = { data: new Uint8Array(640 * 480 * 4), width: 640, height: 480 };
   * ops.fromImage(image, ops.presets.imagenet); // float32 [1, 3, 224, 224]
   * ops.fromImage(image, { resize: [32, 32], channels: 'gray', type: 'uint8', layout: 'hwc' }); // uint8 [32, 32, 1]
   * ```
   */
  fromImage<T extends ImageType = 'float32'>(
    image: ImageSource | readonly ImageSource[],
    options?: ImageOptions<T>,
  ): ImageTensor<T>;
  /**
   * Decodes an image file by the host (`createImageBitmap`), and makes a tensor of it as {@link ImageMethods.fromImage} does. The
   * image is turned as its EXIF data tells.
   *
   * @param blob - the file: JPEG, PNG, WebP and whatever else the host reads
   * @param options - as those of `fromImage`
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also where the host has no decoder, or none for this file; as `fromImage` does
   */
  readImage<T extends ImageType = 'float32'>(blob: Blob, options?: ImageOptions<T>): Promise<ImageTensor<T>>;
  /**
   * Makes an image of a tensor: byte = (element * std + mean) / scale, rounded, and at least 0 and at most 255. NaN becomes 0.
   *
   * @param tensor - [1, C, H, W], or as `layout` has it, with or without the batch; 1 channel is gray, 4 have alpha. Two axes are
   * a gray image
   * @param options - the tensor's `layout` and `channels`, and the numbers that `fromImage` had
   * @returns an ImageData; where there is no such class, an object with the same `data`, `width` and `height`
   * @throws {@link OnnxError} `INVALID_ARGUMENT` for other dims, and for a batch of several; `UNSUPPORTED_TYPE` for elements that
   * are not real numbers; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const { data, width, height } = ops.toImageData(ops.tensor('float32', [[0, 0.5, 1]]), { scale: 1 / 255 });
   * [...data]; // [0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 255]
   * ```
   */
  toImageData(tensor: TensorLike, options?: PictureOptions): Picture;
  /**
   * Takes points or boxes of a tensor of {@link ImageMethods.fromImage} back to the image: (x - padLeft) / scaleX and
   * (y - padTop) / scaleY.
   *
   * @param boxes - a float32 or float64 tensor whose last axis has x and y in turns (a point, a box of two points, several
   * points), or such lists
   * @param prepared - what `fromImage` made, or one of its `images`
   * @param options - `format: 'xywh'` for a point with a width and a height, such as YOLO's boxes
   * @returns coordinates in pixels of the image, as a tensor of the same type and dims, or as lists
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a batch of several; `OUT_OF_MEMORY`, `DISPOSED`
   *
   * @example
   * ```ts
   * const image = { data: new Uint8Array(640 * 480 * 4), width: 640, height: 480 };
   * const prepared = ops.fromImage(image, ops.presets.yolo);
   * prepared.dims; // [1, 3, 640, 640]
   * ops.toImageCoordinates([[0, 80, 640, 560]], prepared); // [[0, 0, 640, 480]]
   * ```
   */
  toImageCoordinates<T extends 'float32' | 'float64'>(
    boxes: TensorLike<T>,
    prepared: ImagePlace,
    options?: CoordinateOptions,
  ): Tensor<T>;
  /**
   * Takes lists of points or boxes back to the image, as it takes tensors.
   *
   * @param boxes - a list of numbers, x and y in turns, or a list of such lists
   * @param prepared - what `fromImage` made, or one of its `images`
   * @param options - `format: 'xywh'` for a point with a width and a height, such as YOLO's boxes
   * @returns coordinates in pixels of the image, as lists
   * @throws {@link OnnxError} `INVALID_ARGUMENT`, also for a batch of several
   */
  toImageCoordinates<L extends readonly number[] | readonly (readonly number[])[]>(
    boxes: L,
    prepared: ImagePlace,
    options?: CoordinateOptions,
  ): L extends readonly number[] ? number[] : number[][];
}

type Call = (runtime: unknown, name: string, inputs: TensorLike[], attributes: undefined, options: undefined) => Tensor;

/** A class with these methods. `contextOf` refuses all else than a runtime. @internal */
export const imageMethods = (contextOf: (runtime: object) => Context, callOne: Call): { readonly prototype: object } =>
  class {
    get presets() {
      return presets;
    }

    fromImage(image: unknown, options?: ImageOptions): ImageTensor {
      takesAtMost(2, arguments.length, 'fromImage');
      return fromImage(contextOf(this), image, options);
    }

    async readImage(blob: unknown, options?: ImageOptions): Promise<ImageTensor> {
      takesAtMost(2, arguments.length, 'readImage');
      const context = contextOf(this);
      if (tagOf(blob) !== 'Blob' && tagOf(blob) !== 'File')
        throw invalidArgument(`readImage: the file is ${show(blob)}, wanted a Blob`);
      const decoded = await decodeImage(blob);
      try {
        return fromImage(context, decoded, options);
      } finally {
        decoded.close();
      }
    }

    toImageData(tensor: unknown, options?: PictureOptions): Picture {
      takesAtMost(2, arguments.length, 'toImageData');
      return toImageData(contextOf(this), tensor, options);
    }

    toImageCoordinates(boxes: unknown, prepared: unknown, options?: CoordinateOptions): unknown {
      takesAtMost(3, arguments.length, 'toImageCoordinates');
      const context = contextOf(this);
      const { format } = checkedOptions('toImageCoordinates: ', options, ['format']);
      const isBox = readWord('toImageCoordinates', 'format', format, ['xyxy', 'xywh']) === 'xywh';
      if (!isTensorLike(boxes) && !isList(boxes))
        throw invalidArgument(`toImageCoordinates: ${show(boxes)} is not a tensor, nor a list of coordinates`);
      const tensor = isTensorLike(boxes)
        ? boxes
        : ({ type: 'float64', ...flatten(boxes, dtypeOf('float64') as Dtype) } as unknown as TensorLike);
      const scale = coordinateScale(prepared, isBox);
      return context.runScope(() => {
        const call = (name: string, inputs: TensorLike[]) => callOne(this, name, inputs, undefined, undefined);
        const whole = call('Identity', [tensor]);
        const { type, dims } = whole;
        if (!/^float(32|64)$/.test(type))
          throw invalidArgument(`toImageCoordinates: coordinates are ${type}, wanted float32 or float64`);
        const count = dims.at(-1);
        if (count === undefined || count % 2 !== 0 || (isBox && count !== 4))
          throw invalidArgument(
            `toImageCoordinates: the last axis has ${count ?? 'no'} numbers, wanted ${isBox ? 'x, y, width and height' : 'x and y in turns'}`,
          );
        const width = isBox ? 4 : 2;
        const list = (data: number[]) => ({ type, dims: [width], data }) as TensorLike;
        const shape = (sizes: number[]) =>
          ({ type: 'int64', dims: [sizes.length], data: sizes.map(BigInt) }) as unknown as TensorLike;
        const pairs = call('Reshape', [whole, shape([...dims.slice(0, -1), count / width, width])]);
        const moved = call('Sub', [pairs, list(scale.offsets)]);
        const back = call('Reshape', [call('Div', [moved, list(scale.scales)]), shape([...dims])]);
        return isTensorLike(boxes) ? back : back.toNested();
      });
    }
  };
