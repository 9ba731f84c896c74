import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import { show } from '../basics/show.js';
import { readFlag } from '../basics/words.js';
import type { ImagePlace } from '../image/images.js';
import type { Runtime } from '../runtime/runtime.js';
import type { Tensor } from '../tensor/tensor.js';
import type { TensorLike } from '../tensor/types.js';
import { call, cut, reshape, topK } from './call.js';
import { readBatch, readFloats } from './inputs.js';
import { type Labels, readLabels } from './labels.js';
import { readNumber } from './options.js';
import { readPlace, toPlace } from './places.js';
import { runTask } from './task.js';

/**
 * How a detector of the YOLO family lays its output out:
 * - `yolov5`: [batch, boxes, 5 + classes]; a box is its centre, its size, whether there is an object, and the classes
 * - `yolov8`: [batch, 4 + classes, boxes]; a box is its centre, its size and the classes
 * - `end-to-end`: [batch, boxes, 6]; a box is its two corners, the score and the class: the model chose already
 */
type Layout = 'yolov5' | 'yolov8' | 'end-to-end';

/** The layout of each version of YOLO, as its export has it by default. */
const versions = {
  5: 'yolov5',
  7: 'yolov5',
  8: 'yolov8',
  9: 'yolov8',
  10: 'end-to-end',
  11: 'yolov8',
  12: 'yolov8',
  26: 'end-to-end',
} as const;

/**
 * How a detector of the YOLO family lays its output out, by the name of a version:
 * - `yolov5`, `yolov7`: [batch, boxes, 5 + classes]; a box is its centre, its size, whether there is an object, and the classes
 * - `yolov8`, `yolov9`, `yolo11`, `yolo12`: [batch, 4 + classes, boxes]; a box is its centre, its size and the classes
 * - `end-to-end`, `yolov10`, `yolo26`: [batch, boxes, 6]; a box is its two corners, the score and the class: the model chose
 *   already
 *
 * Each version has both spellings, as `yolo11` and `yolov11`.
 */
export type DetectionLayout = 'end-to-end' | `yolo${keyof typeof versions}` | `yolov${keyof typeof versions}`;

/** Options of {@link detect}. */
export interface DetectOptions {
  /** How the output is laid out. */
  readonly layout: DetectionLayout;
  /** The names of the classes. Default: their numbers. */
  readonly labels?: Labels | undefined;
  /** The number of classes, if the output has other numbers after them. Default: as many as there is room for. */
  readonly classes?: number | undefined;
  /** Boxes with this score or a lower one are left out. Default: 0.25. */
  readonly minimumScore?: number | undefined;
  /** A box that overlaps a better one by more than this (intersection over union) is left out. Default: 0.45. */
  readonly maximumOverlap?: number | undefined;
  /** Whether boxes of other classes count as overlapping, too. Default: false. */
  readonly acrossClasses?: boolean | undefined;
  /** How many boxes are told at most. Default: 300. */
  readonly most?: number | undefined;
  /** What `ops.fromImage` made of the image: boxes are in pixels of the image then, and within it. */
  readonly prepared?: ImagePlace | undefined;
  /** The item of the batch, which a batch of several needs. Default: 0. */
  readonly batch?: number | undefined;
}

/** An object that {@link detect} found. */
export interface Detection {
  /** Left, top, right and bottom, in pixels. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** The name of the class, or its number as text. */
  readonly label: string;
  /** The number of the class. */
  readonly index: number;
  /** How probable it is. */
  readonly score: number;
  /** The numbers after the classes: coefficients of masks, key points. Empty where there are none. */
  readonly extra: readonly number[];
}

const optionNames = [
  ...['layout', 'labels', 'classes', 'minimumScore', 'maximumOverlap', 'acrossClasses', 'most', 'prepared', 'batch'],
];
const wanted = {
  yolov5: '[batch, boxes, 5 + classes]',
  yolov8: '[batch, 4 + classes, boxes]',
  'end-to-end': '[batch, boxes, 6]',
};
/** The numbers of a box before the numbers of its classes. */
const firstClass = { yolov5: 5, yolov8: 4, 'end-to-end': 6 };

/** Boxes with the best class of each, which has a score above the smallest. */
interface Candidates {
  readonly corners: Tensor<'float32'>;
  readonly scores: Tensor<'float32'>;
  readonly classes: Tensor<'int64'>;
  readonly extra: Tensor<'float32'>;
}

/**
 * Finds the objects in the output of a YOLO model, as Ultralytics' `non_max_suppression` does with its defaults: a box has its
 * best class alone (`multi_label=False`), and a box suppresses boxes of its own class (`agnostic=False`). Ultralytics' predictor
 * has another default: an overlap of 0.7.
 *
 * @param ops - the runtime
 * @param output - floating-point numbers in one of the layouts
 * @param options - the layout, the limits, and where the image lies in the model's input
 * @returns the objects, the best one first; objects of equal scores are in the output's order
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for dims that do not fit the layout, for another number of labels than of classes,
 * and for a batch of several without `batch`; `UNSUPPORTED_TYPE` for elements of another kind; `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const image = { data: new Uint8Array(1280 * 960 * 4), width: 1280, height: 960 };
 * const prepared = ops.fromImage(image, ops.presets.yolo);
 * // The model's output: one box in the middle, of a model with one class.
 * const output = ops.tensor('float32', [[[320], [320], [100], [50], [0.875]]]);
 * const found = detect(ops, output, { layout: 'yolov8', labels: ['cat'], prepared });
 * found.map(({ box, label, score }) => [label, score, ...box]); // [['cat', 0.875, 540, 430, 740, 530]]
 * ```
 */
export function detect(ops: Runtime, output: TensorLike, options: DetectOptions): Detection[] {
  return runTask('detect', ops, () => {
    const given = checkedOptions('detect: ', options, optionNames);
    const layout = readLayout(given.layout);
    const { dims, floats } = readFloats(ops, 'detect', 'boxes', output);
    const [size = 0, rows = 0, columns = 0] = dims;
    const numbers = layout === 'yolov8' ? rows : columns;
    const other = otherLayout(layout, dims, given.classes ?? readCount(given.labels));
    if (dims.length !== 3 || numbers < leastNumbers(layout) || other !== undefined)
      throw invalidArgument(
        `detect: the boxes have dims [${dims}], wanted ${wanted[layout]} for layout '${given.layout}'${other ?? ''}`,
      );
    const batch = readBatch('detect', 'boxes', given.batch, size);
    const count = readClasses(layout, given.classes, numbers);
    const labelOf = readLabels(
      'detect',
      given.labels,
      count ?? readCount(given.labels),
      '; classes says how many there are',
    );
    const minimum = readNumber('detect', 'minimumScore', given.minimumScore, 0.25);
    const overlap = readNumber('detect', 'maximumOverlap', given.maximumOverlap, 0.45, { minimum: 0, maximum: 1 });
    const most = readNumber('detect', 'most', given.most, 300, { minimum: 1, isInteger: true });
    const across = readFlag('detect', 'acrossClasses', given.acrossClasses);
    const place = readPlace('detect', given.prepared, batch);

    const item = reshape(ops, cut(ops, floats, 0, batch, batch + 1), [rows, columns]);
    if (rows * columns === 0) return [];
    const found =
      count === undefined ? readChosen(ops, item, minimum) : readCandidates(ops, item, layout, count, minimum);
    if (found.scores.size === 0) return [];
    const kept = count === undefined ? undefined : suppress(ops, found, { minimum, overlap, most, count, across });
    const results = gather(ops, found, kept);
    const [scores, order] = topK(ops, results.scores, Math.min(most, results.scores.size));
    const best = gather(ops, results, order);
    const corners = place === undefined ? best.corners : toPlace(ops, best.corners, place);
    return listOf({ ...best, corners, scores }, labelOf);
  });
}

/** The layout that a name stands for. The name of a version may have any spelling, such as `YOLO-v8`, and the size of a model. */
function readLayout(given: unknown): Layout {
  if (given === undefined) throw invalidArgument(`detect: no layout is given, wanted ${known()}`);
  const name = typeof given === 'string' ? given.toLowerCase().replaceAll(/[-_. ]/g, '') : '';
  const [, version = ''] = /^yolov?(\d+)[nsmblxt]?$/.exec(name) ?? [];
  const layout = name === 'endtoend' || name === 'end2end' ? 'end-to-end' : versions[version as unknown as 8];
  if (layout !== undefined) return layout;
  throw invalidArgument(`detect: layout is ${show(given)}, wanted ${known()}`);
}

/** The layouts with their dims: a name that is like another one may stand for other dims. */
function known(): string {
  return Object.entries(wanted)
    .map(([name, dims]) => `'${name}' for ${dims}`)
    .join(', ');
}

const leastNumbers = (layout: Layout) => firstClass[layout] + (layout === 'end-to-end' ? 0 : 1);

/** From here on, a box with more numbers than there are boxes is the output of another layout. */
const manyNumbers = 100;
/** The most boxes that end-to-end models choose by default. */
const mostChosen = 300;

/**
 * Says which layout dims have that are not the given one's. Dims alone do not always tell: those that could be either's are taken
 * as the layout that is given. `classes` is what the caller says of their count.
 */
function otherLayout(layout: Layout, dims: readonly number[], classes: unknown): string | undefined {
  const [, rows = 0, columns = 0] = dims;
  const [boxes, numbers] = layout === 'yolov8' ? [columns, rows] : [rows, columns];
  const isTold = layout !== 'end-to-end' && classes === numbers - firstClass[layout];
  const isTurned = numbers > boxes && numbers >= manyNumbers;
  const isChosen = layout === 'yolov5' && columns === 6 && (rows === 100 || rows === mostChosen);
  const isNotChosen = layout === 'end-to-end' && columns > 6 && rows > 4 * mostChosen;
  if (isTold || !(isTurned || isChosen || isNotChosen)) return undefined;
  const fits = columns === 6 && rows <= mostChosen ? 'end-to-end' : rows > columns ? 'yolov5' : 'yolov8';
  const confirm =
    layout === 'end-to-end' ? '' : `; if they are right, classes: ${numbers - firstClass[layout]} says so`;
  return `: such dims belong to '${fits}', ${wanted[fits]}${confirm}`;
}

/** How many classes there are; undefined where boxes have the number of their class. */
function readClasses(layout: Layout, classes: unknown, numbers: number): number | undefined {
  if (layout === 'end-to-end') return undefined;
  const room = numbers - firstClass[layout];
  return readNumber('detect', 'classes', classes, room, { minimum: 1, maximum: room, isInteger: true });
}

const readCount = (labels: unknown) => (Array.isArray(labels) ? labels.length : 0);

/** The candidates of an output in which each box has a score for each class. */
function readCandidates(
  ops: Runtime,
  item: Tensor<'float32'>,
  layout: Layout,
  count: number,
  minimum: number,
): Candidates {
  const first = firstClass[layout];
  const axis = layout === 'yolov8' ? 0 : 1; // of the numbers of a box
  const numbers = item.dims[axis] as number;
  const best = (of: Tensor<'float32'>, along: number) =>
    call<'float32'>(ops, 'ReduceMax', [cut(ops, of, along, first, first + count), [along]], { keepdims: 0 });
  const scoresOf = (of: Tensor<'float32'>, along: number) => {
    if (layout === 'yolov8') return best(of, along);
    const objectness = reshape(ops, cut(ops, of, along, 4, 5), [-1]);
    return call<'float32'>(ops, 'Mul', [best(of, along), objectness]);
  };
  const isGood = call<'bool'>(ops, 'Greater', [scoresOf(item, axis), minimum]);
  const good = call<'float32'>(ops, 'Compress', [item, isGood], { axis: 1 - axis });
  const rows = axis === 1 ? good : call<'float32'>(ops, 'Transpose', [good], { perm: [1, 0] });
  const centres = cut(ops, rows, 1, 0, 2);
  const halves = call<'float32'>(ops, 'Mul', [cut(ops, rows, 1, 2, 4), 0.5]);
  const corners = (['Sub', 'Add'] as const).map((name) => call<'float32'>(ops, name, [centres, halves]));
  return {
    corners: call(ops, 'Concat', corners, { axis: 1 }),
    scores: scoresOf(rows, 1),
    classes: call(ops, 'ArgMax', [cut(ops, rows, 1, first, first + count)], { axis: 1, keepdims: 0 }),
    extra: cut(ops, rows, 1, first + count, numbers),
  };
}

/** The candidates of an output that has corners, scores and classes. */
function readChosen(ops: Runtime, item: Tensor<'float32'>, minimum: number): Candidates {
  const column = (of: Tensor<'float32'>, i: number) => reshape(ops, cut(ops, of, 1, i, i + 1), [-1]);
  const isAbove = call<'bool'>(ops, 'Greater', [column(item, 4), minimum]);
  // Rows that only fill the output may have any class.
  const isGood = call<'bool'>(ops, 'And', [isAbove, call(ops, 'GreaterOrEqual', [column(item, 5), 0])]);
  const rows = call<'float32'>(ops, 'Compress', [item, isGood], { axis: 0 });
  const odd = column(rows, 5)
    .toArray()
    .find((one) => !Number.isInteger(one));
  if (odd !== undefined)
    throw invalidArgument(`detect: the class of a box is ${odd}, wanted a whole number as layout 'end-to-end' has`);
  return {
    corners: cut(ops, rows, 1, 0, 4),
    scores: column(rows, 4),
    classes: call(ops, 'Cast', [column(rows, 5)], { to: 'int64' }),
    extra: cut(ops, rows, 1, 6, item.dims[1] as number),
  };
}

interface Limits {
  readonly minimum: number;
  readonly overlap: number;
  readonly most: number;
  readonly count: number;
  readonly across: boolean;
}

/** The numbers of the candidates that no better one overlaps, in their order: of equal scores, the first stays the first. */
function suppress(ops: Runtime, { corners, scores, classes }: Candidates, limits: Limits): Tensor<'int64'> {
  const { minimum, overlap, most, count, across } = limits;
  const row = reshape(ops, scores, [1, -1]);
  const ofClass = () => {
    const numbers = reshape(ops, ops.range('int64', 0, count, 1, { opset: 21 }), [count, 1]);
    const isIts = call<'bool'>(ops, 'Equal', [numbers, reshape(ops, classes, [1, -1])]);
    return call<'float32'>(ops, 'Where', [isIts, row, Number.NEGATIVE_INFINITY]);
  };
  const rows = across ? row : ofClass();
  const boxes = reshape(ops, corners, [1, -1, 4]);
  const selected = call<'int64'>(ops, 'NonMaxSuppression', [
    ...[boxes, reshape(ops, rows, [1, ...rows.dims])],
    ...[[most], overlap, minimum],
  ]);
  return call(ops, 'Unique', [cut(ops, selected, 1, 2, 3)]); // which sorts them
}

/** Some of the candidates; all without their numbers. */
function gather(ops: Runtime, found: Candidates, numbers: Tensor<'int64'> | undefined): Candidates {
  if (numbers === undefined) return found;
  return {
    corners: call(ops, 'Gather', [found.corners, numbers], { axis: 0 }),
    scores: call(ops, 'Gather', [found.scores, numbers], { axis: 0 }),
    classes: call(ops, 'Gather', [found.classes, numbers], { axis: 0 }),
    extra: call(ops, 'Gather', [found.extra, numbers], { axis: 0 }),
  };
}

function listOf({ corners, scores, classes, extra }: Candidates, labelOf: (index: number) => string): Detection[] {
  const boxes = corners.toNested() as unknown as Detection['box'][];
  const others = extra.toNested() as unknown as number[][];
  const indices = classes.toArray();
  return Array.from(scores.toArray(), (score, i) => {
    const index = Number(indices[i]);
    return { box: boxes[i] as Detection['box'], label: labelOf(index), index, score, extra: others[i] ?? [] };
  });
}
