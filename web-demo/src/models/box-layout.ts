// Which outputs of a model are boxes by their dims, and the names of classes that its file tells.
import type { BoxLayout } from '../runtime/boxes.js';

interface Size {
  readonly height: number;
  readonly width: number;
}

/** The cells of the three grids of detectors of the YOLO family. */
function cellsOf({ height, width }: Size): number {
  return [8, 16, 32].reduce((sum, step) => sum + Math.ceil(height / step) * Math.ceil(width / step), 0);
}

/** How many boxes end-to-end models choose. */
const chosen = [100, 300];

/** The layout of boxes that dims have for an input picture of a size; undefined for other dims. */
export function boxLayout(dims: readonly number[], size: Size): BoxLayout | undefined {
  const [, rows = 0, columns = 0] = dims;
  if (dims.length !== 3) return undefined;
  if (columns === 6 && chosen.includes(rows)) return 'end-to-end';
  const cells = cellsOf(size);
  if (columns === cells && rows > 4) return 'yolov8';
  return rows === 3 * cells && columns > 5 ? 'yolov5' : undefined;
}

/** The names of classes by their numbers: Ultralytics writes `names` as `{0: 'person', 1: 'bicycle'}`, others write a list. */
export function classNames(properties: { readonly [key: string]: string }): { readonly [index: number]: string } {
  const text = properties.names ?? properties.labels ?? properties.classes ?? '';
  const pairs = [...text.matchAll(/(\d+)['"]?\s*:\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/g)];
  if (pairs.length > 0) return Object.fromEntries(pairs.map(([, index, one, other]) => [index, one ?? other ?? '']));
  const words = text.trim().startsWith('[')
    ? [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map(([, one, other]) => one ?? other ?? '')
    : text.split(/[\n,]/).map((word) => word.trim());
  return words.length < 2 ? {} : Object.fromEntries(words.entries());
}
