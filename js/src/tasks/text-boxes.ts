import { invalidArgument } from '../basics/error.js';
import { checkedOptions } from '../basics/names.js';
import type { ImagePlace } from '../image/images.js';
import type { Runtime } from '../runtime/runtime.js';
import type { TensorLike } from '../tensor/types.js';
import { call, cut, reshape } from './call.js';
import { componentsOf } from './components.js';
import { readBatch, readFloats } from './inputs.js';
import { readNumber } from './options.js';
import { readPlace, toPlace } from './places.js';
import { cornersOf, grown, meanWithin, type Point, RowSums, smallestRectangle } from './rectangles.js';
import { runTask } from './task.js';

/** Options of {@link textBoxes}. Their defaults are PaddleOCR's. */
export interface TextBoxesOptions {
  /** Pixels of text are those above this. Default: 0.3. */
  readonly threshold?: number | undefined;
  /** Boxes whose mean is below this are left out. Default: 0.6. */
  readonly minimumScore?: number | undefined;
  /** How far boxes grow: by their area, times this, over their perimeter. Default: 1.5. */
  readonly unclip?: number | undefined;
  /** Boxes with a side shorter than this, before they grow, are left out. Default: 3 pixels. */
  readonly minimumSize?: number | undefined;
  /** How many boxes are looked at, from the top of the map. Default: 1000. */
  readonly most?: number | undefined;
  /** What `ops.fromImage` made of the image: boxes are in pixels of the image then, and within it. */
  readonly prepared?: ImagePlace | undefined;
  /** The item of the batch, which a batch of several needs. Default: 0. */
  readonly batch?: number | undefined;
}

/** A line of text that {@link textBoxes} found. */
export interface TextBox {
  /** The corners of a rectangle in any direction, clockwise from the upper one of the two at the left. */
  readonly corners: readonly (readonly [x: number, y: number])[];
  /** Left, top, right and bottom of the upright rectangle around the corners. */
  readonly box: readonly [left: number, top: number, right: number, bottom: number];
  /** The mean of the map within the rectangle, before it grows. */
  readonly score: number;
}

const names = ['threshold', 'minimumScore', 'unclip', 'minimumSize', 'most', 'prepared', 'batch'];

/**
 * Finds the lines of text in the map of a text detector with differentiable binarization, such as PP-OCR's. It follows
 * PaddleOCR's `DBPostProcess` with boxes of type `quad` and the score mode `fast`: it takes the pixels above the threshold, their
 * connected components, and the smallest rectangle around each component, and adds the margin that training took away.
 *
 * @param ops - the runtime
 * @param map - probabilities [N, 1, H, W], [1, H, W] or [H, W]
 * @param options - thresholds, and where the image lies in the model's input
 * @returns the lines in the order in which they are read: from top to bottom, those side by side from left to right
 * @throws `OnnxError` `INVALID_ARGUMENT`, also for other dims, and for a batch of several without `batch`;
 * `UNSUPPORTED_TYPE` for elements of another kind; `OUT_OF_MEMORY`, `DISPOSED`
 *
 * @example
 * ```ts
 * const line = ops.pad(ops.expand(ops.tensor('float32', [1]), [5, 21]), [10, 10, 10, 10]); // float32 [25, 41]
 * textBoxes(ops, line, { unclip: 0 }).map(({ corners }) => corners); // [[[10, 10], [30, 10], [30, 14], [10, 14]]]
 * ```
 */
export function textBoxes(ops: Runtime, map: TensorLike, options?: TextBoxesOptions): TextBox[] {
  return runTask('textBoxes', ops, () => {
    const given = checkedOptions('textBoxes: ', options, names);
    const { dims, floats } = readFloats(ops, 'textBoxes', 'probabilities', map);
    const [height = 0, width = 0] = dims.slice(-2);
    const size = dims.length > 2 ? (dims[0] as number) : 1;
    if (dims.length < 2 || dims.length > 4 || (dims.length === 4 && dims[1] !== 1))
      throw invalidArgument(`textBoxes: the probabilities have dims [${dims}], wanted [batch, 1, height, width]`);
    const batch = readBatch('textBoxes', 'probabilities', given.batch, size);
    const threshold = readNumber('textBoxes', 'threshold', given.threshold, 0.3);
    const minimumScore = readNumber('textBoxes', 'minimumScore', given.minimumScore, 0.6);
    const unclip = readNumber('textBoxes', 'unclip', given.unclip, 1.5, { minimum: 0 });
    const minimumSize = readNumber('textBoxes', 'minimumSize', given.minimumSize, 3, { minimum: 0 });
    const most = readNumber('textBoxes', 'most', given.most, 1000, { minimum: 1, isInteger: true });
    const place = readPlace('textBoxes', given.prepared, batch);

    const plane = cut(ops, reshape(ops, floats, [size, height, width]), 0, batch, batch + 1);
    const isText = call<'bool'>(ops, 'Greater', [plane, threshold]).toArray();
    const sums = new RowSums(plane.toArray(), width, height);
    const found = componentsOf(isText, width, height)
      .slice(0, most)
      .flatMap((runs) => {
        const ends = runs.flatMap(({ y, left, right }): Point[] => [
          [left, y],
          [right, y],
        ]);
        const tight = smallestRectangle(ends);
        if (Math.min(tight.width, tight.height) < minimumSize) return [];
        const score = meanWithin(sums, cornersOf(tight));
        if (score < minimumScore) return [];
        const perimeter = 2 * (tight.width + tight.height);
        const distance = perimeter === 0 ? 0 : (tight.width * tight.height * unclip) / perimeter;
        return [{ corners: cornersOf(grown(tight, distance)), score }];
      });
    if (found.length === 0) return [];
    const moved = place === undefined ? found : moveAll(ops, found, place);
    return inReadingOrder(moved.map(({ corners, score }) => ({ corners, box: uprightOf(corners), score })));
  });
}

interface Found {
  readonly corners: readonly Point[];
  readonly score: number;
}

function moveAll(ops: Runtime, found: readonly Found[], place: ImagePlace): Found[] {
  const data = found.flatMap(({ corners }) => corners.flat());
  const points = toPlace(ops, ops.tensor('float32', data, [found.length, 8]), place).toArray();
  return found.map(({ score }, i) => ({
    corners: [0, 2, 4, 6].map((k): Point => [points[8 * i + k] as number, points[8 * i + k + 1] as number]),
    score,
  }));
}

function uprightOf(corners: readonly Point[]): TextBox['box'] {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Boxes from top to bottom. Those whose tops are less than half a height apart are side by side. */
function inReadingOrder(boxes: TextBox[]): TextBox[] {
  const sorted = boxes.sort((a, b) => a.box[1] - b.box[1]);
  const rows: TextBox[][] = [];
  for (const one of sorted) {
    const [first] = rows.at(-1) ?? [];
    const heights = [first ?? one, one].map(({ box }) => box[3] - box[1]);
    if (first !== undefined && one.box[1] - first.box[1] < Math.min(...heights) / 2) rows.at(-1)?.push(one);
    else rows.push([one]);
  }
  return rows.flatMap((row) => row.sort((a, b) => a.box[0] - b.box[0]));
}
