import { type ImageOptions, type ImageTensor, load, type Tensor } from 'broadloom';
import { holds, type Same } from './helpers.js';

const ops = await load();

// All that browsers draw, and what decoders give, are images.
declare const sources: {
  data: ImageData;
  bitmap: ImageBitmap;
  picture: HTMLImageElement;
  video: HTMLVideoElement;
  frame: VideoFrame;
  canvas: HTMLCanvasElement;
  offscreen: OffscreenCanvas;
  sharp: {
    data: Uint8Array<ArrayBuffer>;
    info: { format: 'raw'; width: number; height: number; channels: 1 | 2 | 3 | 4; size: number };
  };
  plain: { data: Uint8Array; width: number; height: number };
};
for (const source of Object.values(sources)) ops.fromImage(source);
ops.fromImage([sources.data, sources.video]);
// @ts-expect-error A file is decoded first.
ops.fromImage(new Blob([]));
// @ts-expect-error Elements of 32 bits are not pixels.
ops.fromImage({ data: new Float32Array(3), width: 1, height: 1 });

// The option `type` is the type of the result.
const image = sources.plain;
holds<Same<ReturnType<typeof ops.fromImage<'uint8'>>, ImageTensor<'uint8'>>>();
const floats: ImageTensor<'float32'> = ops.fromImage(image, { resize: 224, crop: [224, 224] });
const bytes: Tensor<'uint8'> = ops.fromImage(image, { type: 'uint8' });
const either: Tensor<'float16' | 'float32'> = ops.fromImage(image, { type: 'float16' as 'float16' | 'float32' });
const fromPreset: Tensor<'float32'> = ops.fromImage(image, { ...ops.presets.yolo, resize: [320, 320] });
// @ts-expect-error No such element type.
ops.fromImage(image, { type: 'int8' });
// @ts-expect-error No such filter.
ops.fromImage(image, { filter: 'linear' });
// @ts-expect-error No such preset.
ops.presets.resnet;

const chosen: ImageOptions = ops.presets['ppocr-detection'];
const files: Promise<ImageTensor<'float64'>> = ops.readImage(new Blob([]), { ...chosen, type: 'float64' });

// A picture goes to a canvas.
declare const context: CanvasRenderingContext2D;
context.putImageData(ops.toImageData(floats), 0, 0);

// Coordinates come back in the form that they were given in.
const boxes: number[][] = ops.toImageCoordinates([[1, 2, 3, 4]], floats);
const point: number[] = ops.toImageCoordinates([1, 2], floats.images[0] ?? floats);
const tensor: Tensor<'float32'> = ops.toImageCoordinates(ops.empty('float32', [3, 4]), floats, { format: 'xywh' });

export { boxes, bytes, either, files, fromPreset, point, tensor };
