// The boxes in the output of a detector, by the package's own task.
import type { Runtime, Tensor } from 'broadloom';

/** The layouts whose dims tell them, with the names that the task has for them. */
export type BoxLayout = 'yolov5' | 'yolov8' | 'end-to-end';

export interface Box {
  /** Left, top, right and bottom in pixels of the input. */
  readonly box: readonly [number, number, number, number];
  /** The number of the class. */
  readonly index: number;
  readonly score: number;
}

const most = 100;

/** The boxes of the first picture, the best one first. */
export async function boxesOf(ops: Runtime, tensor: Tensor, layout: BoxLayout): Promise<readonly Box[]> {
  const { detect } = await import('broadloom/tasks');
  const [, rows = 0, columns = 0] = tensor.dims;
  const classes = { yolov5: columns - 5, yolov8: rows - 4, 'end-to-end': undefined }[layout];
  return detect(ops, tensor, { layout, classes, most, batch: 0 }).map(({ box, index, score }) => ({
    box,
    index,
    score,
  }));
}
