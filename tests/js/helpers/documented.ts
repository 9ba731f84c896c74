// The examples of ONNX's own documentation (docs/Operators.md and Shape's doc strings), as data.
import type { Data } from './types.js';

export interface Literal {
  type: 'float32' | 'int32' | 'int64';
  dims: number[];
  data: Data;
}

export interface Documented {
  title: string;
  operator: string;
  inputs: Literal[];
  attributes: { [name: string]: number | Literal };
  output: Literal;
}

const f32 = (dims: number[], values: number[]): Literal => ({ type: 'float32', dims, data: Float32Array.from(values) });
const i32 = (dims: number[], values: number[]): Literal => ({ type: 'int32', dims, data: Int32Array.from(values) });
const i64 = (...values: number[]): Literal => ({
  type: 'int64',
  dims: [values.length],
  data: BigInt64Array.from(values, BigInt),
});
const counted = (length: number): number[] => Array.from({ length }, (_, i) => i / 8 - 3);

const random5x5 = f32([5, 5], counted(25));
const xyz = f32([3, 4, 5], counted(60));
const sliced = (title: string, attributes: { start?: number; end?: number }, dims: number[]): Documented => {
  return { title, operator: 'Shape', inputs: [xyz], attributes, output: i64(...dims) };
};
// The summary of Shape-15 speaks of a tensor of shape [2, 3, 4].
const summary = (title: string, attributes: { start?: number; end?: number }, dims: number[]): Documented => {
  return { ...sliced(title, attributes, dims), inputs: [f32([2, 3, 4], counted(24))] };
};

export const documented: Documented[] = [
  { title: 'constant', operator: 'Constant', inputs: [], attributes: { value: random5x5 }, output: random5x5 },
  {
    title: 'float_ones',
    operator: 'ConstantOfShape',
    inputs: [i64(4, 3, 2)],
    attributes: { value: f32([1], [1]) },
    output: f32([4, 3, 2], Array(24).fill(1)),
  },
  {
    title: 'int32_zeros',
    operator: 'ConstantOfShape',
    inputs: [i64(10, 6)],
    attributes: { value: i32([1], [0]) },
    output: i32([10, 6], Array(60).fill(0)),
  },
  {
    title: 'int32_shape_zero',
    operator: 'ConstantOfShape',
    inputs: [i64(0)],
    attributes: { value: i32([1], [0]) },
    output: i32([0], []),
  },
  { title: 'example', operator: 'Shape', inputs: [f32([2, 3], [1, 2, 3, 4, 5, 6])], attributes: {}, output: i64(2, 3) },
  sliced('default', {}, [3, 4, 5]),
  sliced('start_1', { start: 1 }, [4, 5]),
  sliced('end_1', { end: 1 }, [3]),
  sliced('start_negative_1', { start: -1 }, [5]),
  sliced('end_negative_1', { end: -1 }, [3, 4]),
  sliced('start_1_end_negative_1', { start: 1, end: -1 }, [4]),
  sliced('start_1_end_2', { start: 1, end: 2 }, [4]),
  sliced('clip_start', { start: -10 }, [3, 4, 5]),
  sliced('clip_end', { end: 10 }, [3, 4, 5]),
  sliced('start_greater_than_end', { start: 2, end: 1 }, []),
  summary('summary without attributes', {}, [2, 3, 4]),
  summary('summary with start -1', { start: -1 }, [4]),
  summary('summary with end -1', { end: -1 }, [2, 3]),
  summary('summary with start 1 and end 2', { start: 1, end: 2 }, [3]),
  {
    title: 'dim_changed',
    operator: 'Expand',
    inputs: [f32([3, 1], [1, 2, 3]), i64(2, 1, 6)],
    attributes: {},
    output: f32(
      [2, 3, 6],
      [1, 2, 3, 1, 2, 3].flatMap((row) => Array(6).fill(row)),
    ),
  },
  {
    title: 'dim_unchanged',
    operator: 'Expand',
    inputs: [f32([3, 1], [1, 2, 3]), i64(3, 4)],
    attributes: {},
    output: f32([3, 4], [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]),
  },
];
