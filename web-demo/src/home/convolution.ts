// The example of the first page: a letter of 12 by 12 numbers, and a filter that finds vertical edges. The result is the module's.
import type { CallDraft } from '../drafts.js';
import { newestOpset } from '../facts.js';

const rows = [
  '000000000000',
  '002999994000',
  '003999999400',
  '003990039900',
  '003990049900',
  '003999999200',
  '003999999920',
  '003990002994',
  '003990000994',
  '003999999990',
  '002999999200',
  '000000000000',
];

/** Numbers from 0, which is paper, to 9, which is ink. */
export const picture: readonly (readonly number[])[] = rows.map((row) => [...row].map(Number));

export const filter: readonly (readonly number[])[] = [
  [-1, 0, 1],
  [-2, 0, 2],
  [-1, 0, 1],
];

export const mostInk = 9;
/** The sides of the picture, the filter and the result. */
export const side = rows.length;
export const reach = filter.length;
export const places = side - reach + 1;
/** The greatest sum that the filter can give. */
export const mostSum = mostInk * filter.flat().reduce((sum, factor) => sum + Math.max(factor, 0), 0);

function tensor(plane: readonly (readonly number[])[]): CallDraft['inputs'][number] {
  const dims = `1, 1, ${plane.length}, ${plane.length}`;
  return { type: 'float32', dims, values: { kind: 'text', text: plane.flat().join(', ') } };
}

/** The call that slides the filter over the picture. */
export const convolution: CallDraft = {
  ...{ operator: 'Conv', opset: newestOpset },
  ...{ inputs: [tensor(picture), tensor(filter)], attributes: {} },
};

/** One product of a sum: a number of the picture and the number of the filter that lies on it. */
export interface Term {
  readonly value: number;
  readonly factor: number;
}

/** The products that the element of the result with this number is the sum of, row by row. */
export function termsAt(place: number): Term[][] {
  const [top, left] = [Math.floor(place / places), place % places];
  return filter.map((row, i) => row.map((factor, j) => ({ value: picture[top + i]?.[left + j] ?? 0, factor })));
}
