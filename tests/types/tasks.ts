// Compile-only: broadloom/tasks. Lines below @ts-expect-error must not compile.
import { load, type Model, type Picture, type Tensor } from 'broadloom';
import {
  type Classification,
  classify,
  type DecodedText,
  type Detection,
  type DetectOptions,
  decodeCtc,
  detect,
  melPicture,
  straighten,
  type TextBox,
  textBoxes,
  toMask,
  waveformPicture,
} from 'broadloom/tasks';

const ops = await load();
declare const model: Model;
declare const pixels: Tensor<'float32'>;
declare const images: { data: Uint8Array; width: number; height: number }[];

// Outputs of models, tensors of other libraries, and labels of both forms.
const { logits, boxes } = model.run({ pixels }, { outputs: ['logits', 'boxes'] });
classify(ops, logits) satisfies Classification[];
classify(ops, { type: 'float32', dims: [2], data: new Float32Array(2) }, { labels: ['a', 'b'] as const, top: 1 });
classify(ops, logits, { labels: { 0: 'cat' }, activation: 'sigmoid', batch: undefined });
// @ts-expect-error: no such activation
classify(ops, logits, { activation: 'relu' });
// @ts-expect-error: not a runtime
classify(model, logits);

const prepared = ops.fromImage(images, ops.presets.yolo);
detect(ops, boxes, { layout: 'yolov8', prepared, batch: 1 }) satisfies Detection[];
detect(ops, boxes, { layout: 'end-to-end', prepared: prepared.images[0] });
const options: DetectOptions = { layout: 'yolov5' };
const [first] = detect(ops, boxes, options);
if (first) first.box satisfies readonly [number, number, number, number];
// @ts-expect-error: the layout is not known
detect(ops, boxes, {});
// @ts-expect-error: nor is it without options
detect(ops, boxes);

// Pictures, and texts in them.
toMask(ops, boxes, {
  prepared,
  batch: 0,
  colors: [
    [0, 0, 0],
    [1, 2, 3, 4],
  ] as const,
}) satisfies Picture;
new ImageData(toMask(ops, boxes).data, 1);
melPicture(ops, ops.logMel(new Float32Array(400), 'whisper')) satisfies Picture;
waveformPicture(ops, new Float32Array(3), { color: [1, 2, 3] }) satisfies Picture;
waveformPicture(ops, ops.fromAudio(new Int16Array(3)));
const [line] = textBoxes(ops, boxes, { prepared: prepared.images[0] }) satisfies TextBox[];
if (line) straighten(ops, ops.fromImage(images, { type: 'uint8' }), line.corners, { turnHigh: true }) satisfies Picture;
decodeCtc(ops, logits, { characters: ['a', 'b'] as const }) satisfies DecodedText[];
decodeCtc(ops, logits, { characters: 'ab', activation: 'softmax' });
// @ts-expect-error: one class alone is right
decodeCtc(ops, logits, { characters: 'ab', activation: 'sigmoid' });
// @ts-expect-error: characters are needed
decodeCtc(ops, logits, {});
