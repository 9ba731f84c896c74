// The looks of the contestants' lines in charts and legend. Each has a colour, dashes and a mark, so that any one of the three
// tells lines apart.
import type { Contestant } from './results.js';

export interface Look {
  /** A CSS custom property that holds a colour. */
  readonly colour: string;
  readonly dash: readonly number[];
  /** An SVG path around 0, 0. */
  readonly mark: string;
}

export const looks: { readonly [name in Contestant]: Look } = {
  limit: { colour: '--benchmark-limit', dash: [2, 4], mark: 'M-5,-1h10v2h-10z' },
  broadloom: { colour: '--benchmark-broadloom', dash: [], mark: 'M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z' },
  loops: { colour: '--benchmark-loops', dash: [9, 4], mark: 'M-4,-4h8v8h-8z' },
  onnxruntime: { colour: '--benchmark-onnxruntime', dash: [9, 3, 2, 3], mark: 'M0,-5l5,9h-10z' },
};
