// The cases that can be measured, as data: patterns of broadcasts, sizes of their outputs, element types.
import { shapes } from '../../../bench/shapes.mjs';

type Dims = readonly number[];

export interface Pattern {
  /** Input and output in the terms of ONNX, the same in every language. */
  readonly name: string;
  /** Input and output dims for `size` elements or a few more; a fill has no input. */
  readonly dims: (size: number) => readonly [Dims | undefined, Dims];
}

/** A power of two near the square root. */
function half(size: number): number {
  return 2 ** Math.round(Math.log2(size) / 2);
}

export const patterns: readonly Pattern[] = [
  { name: 'ConstantOfShape [N]', dims: shapes.fill },
  { name: 'Expand [ ] → [N, M]', dims: (size) => [[], [size / half(size), half(size)]] },
  { name: 'Expand [1, M] → [N, M]', dims: shapes.leadingSquare },
  { name: 'Expand [N, 1] → [N, M]', dims: (size) => shapes.trailing(half(size))(size) },
  { name: 'Expand [N, 1] → [N, 3]', dims: shapes.trailing(3) },
  { name: 'Expand [N, 1, 16] → [N, 8, 16]', dims: shapes.middle(8, 16) },
  { name: 'Expand [N, 1, 8, 1] → [N, 4, 8, 16]', dims: shapes.interleaved(4, 8, 16) },
];

/** Bytes of the outputs: 4 KiB to 16 MiB. */
export const sizes: readonly number[] = Array.from({ length: 7 }, (_, i) => 4096 * 4 ** i);

const itemSizes = { float32: 4, uint8: 1 };
export type CaseType = keyof typeof itemSizes;
export const caseTypes = Object.keys(itemSizes) as CaseType[];

export interface Case {
  /** The pattern's name. */
  readonly pattern: string;
  readonly operator: 'ConstantOfShape' | 'Expand';
  readonly type: CaseType;
  /** The dims of the input; undefined for a fill. */
  readonly inputDims: Dims | undefined;
  readonly outputDims: Dims;
  /** The size that was asked for. */
  readonly size: number;
  /** Bytes of the output: `size`, or a few more if the pattern does not divide it. */
  readonly bytes: number;
}

export function makeCase({ name, dims }: Pattern, size: number, type: CaseType): Case {
  const [inputDims, outputDims] = dims(size / itemSizes[type]);
  const elements = outputDims.reduce((product, dim) => product * dim, 1);
  return {
    pattern: name,
    operator: inputDims === undefined ? 'ConstantOfShape' : 'Expand',
    ...{ type, inputDims, outputDims, size },
    bytes: elements * itemSizes[type],
  };
}

/** The output of the largest case, in bytes. */
export const largestOutput = Math.max(
  ...patterns.flatMap((pattern) =>
    sizes.flatMap((size) => caseTypes.map((type) => makeCase(pattern, size, type).bytes)),
  ),
);
