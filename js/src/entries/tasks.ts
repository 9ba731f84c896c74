/**
 * Broadloom's tasks: short functions that make answers of the outputs of models, by operators of a runtime: labels, boxes, masks,
 * text and pictures.
 *
 * The first argument of each is a `Runtime`, and the results are plain objects. Nothing stays in the runtime's memory. The
 * file has none of the core in it: it works with the runtime of whichever entry of the package.
 *
 * @module broadloom/tasks
 */

export type { Activation } from '../tasks/activation.js';
export { type Classification, type ClassifyOptions, classify } from '../tasks/classify.js';
export type { Color } from '../tasks/colors.js';
export { type CtcOptions, type DecodedText, decodeCtc } from '../tasks/ctc.js';
export { type Detection, type DetectionLayout, type DetectOptions, detect } from '../tasks/detect.js';
export type { Labels } from '../tasks/labels.js';
export { type MaskOptions, toMask } from '../tasks/masks.js';
export { type MelPictureOptions, melPicture } from '../tasks/mel-picture.js';
export { type StraightenOptions, straighten } from '../tasks/straighten.js';
export { type TextBox, type TextBoxesOptions, textBoxes } from '../tasks/text-boxes.js';
export { type WaveformPictureOptions, waveformPicture } from '../tasks/waveform-picture.js';
