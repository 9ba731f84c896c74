// Where the elements of a result come from, read off layouts alone: dims, strides, and the elements where they are known.
// Nothing here knows an operator or a rule of broadcasting.
import type { TensorReport } from '../runtime/protocol.js';

export type Layout = Pick<TensorReport, 'dims' | 'strides'>;

/** The source of an output: an input that it is a view of, one element everywhere, or elements of its own. */
export type Source =
  | { readonly kind: 'input'; readonly input: number }
  | { readonly kind: 'element' }
  | { readonly kind: 'own' };

/** An axis of an output, beside the axis under which it is drawn. */
export interface Axis {
  readonly axis: number;
  readonly dim: number;
  readonly stride: number;
  /** The size of the source's axis; undefined where the source has none. */
  readonly from: number | undefined;
  readonly how: 'kept' | 'stretched' | 'added';
}

/** The index along every axis of the element at `position` in row-major order. */
export function indexOf(position: number, dims: readonly number[]): number[] {
  const index = new Array<number>(dims.length);
  let rest = position;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    const dim = dims[axis] as number;
    index[axis] = rest % dim;
    rest = Math.floor(rest / dim);
  }
  return index;
}

/** The place, in what a layout refers to, of the element at `position` in row-major order. */
export function offsetOf(position: number, { dims, strides }: Layout): number {
  let offset = 0;
  let rest = position;
  for (let axis = dims.length - 1; axis >= 0; axis--) {
    const dim = dims[axis] as number;
    offset += (rest % dim) * (strides[axis] as number);
    rest = Math.floor(rest / dim);
  }
  return offset;
}

/** Whether one element stands for all of an axis. */
export function isBroadcast({ dims, strides }: Layout, axis: number): boolean {
  return strides[axis] === 0 && (dims[axis] as number) > 1;
}

export function hasBroadcast(layout: Layout): boolean {
  return layout.dims.some((_, axis) => isBroadcast(layout, axis));
}

/** Whether the element at `position` repeats one that comes before it along a broadcast axis. */
export function isRepeat(position: number, layout: Layout): boolean {
  let rest = position;
  for (let axis = layout.dims.length - 1; axis >= 0; axis--) {
    const dim = layout.dims[axis] as number;
    if (rest % dim > 0 && layout.strides[axis] === 0) return true;
    rest = Math.floor(rest / dim);
  }
  return false;
}

/** The number of elements that a layout refers to. */
function distinct({ dims, strides }: Layout): number {
  return dims.reduce((product, dim, axis) => (strides[axis] === 0 ? product : product * dim), 1);
}

function denseStrides(dims: readonly number[]): number[] {
  return dims.map((_, axis) => dims.slice(axis + 1).reduce((product, dim) => product * dim, 1));
}

/**
 * Whether the layout is a broadcast of dense elements of `sourceDims`: their axes are its last ones, with axes stretched or
 * added.
 */
export function isAligned({ dims, strides }: Layout, sourceDims: readonly number[]): boolean {
  const lead = dims.length - sourceDims.length;
  const dense = denseStrides(sourceDims);
  return (
    lead >= 0 &&
    dims.every((dim, axis) => {
      const from = sourceDims[axis - lead] ?? 1;
      if (from !== dim) return from === 1 && strides[axis] === 0;
      return dim <= 1 || dims.includes(0) || strides[axis] === dense[axis - lead];
    })
  );
}

/** Whether `output` may be a view of the elements of `input`: by type, layout and, where they are known, the elements. */
function readsFrom(output: TensorReport, input: TensorReport): boolean {
  if (output.type !== input.type) return false;
  const [outputText, inputText] = [output.elements?.text, input.elements?.text];
  if (outputText === undefined || inputText === undefined || output.size === 0) return isAligned(output, input.dims);
  if (distinct(output) !== input.size) return false;
  return (
    offsetOf(output.size - 1, output) === input.size - 1 &&
    outputText.every((text, position) => text === inputText[offsetOf(position, output)])
  );
}

export function sourceOf(output: TensorReport, inputs: readonly (TensorReport | null)[]): Source {
  const input = inputs.findIndex((candidate) => candidate !== null && readsFrom(output, candidate));
  if (input >= 0) return { kind: 'input', input };
  const isOne = output.size > 1 && output.dims.every((dim, axis) => dim === 1 || output.strides[axis] === 0);
  return { kind: isOne ? 'element' : 'own' };
}

/** The axes of an output, each with what became of the axis of `sourceDims` that it lies under. */
export function axesOf(output: Layout, sourceDims?: readonly number[]): Axis[] {
  const lead = output.dims.length - (sourceDims?.length ?? 0);
  return output.dims.map((dim, axis) => {
    const stride = output.strides[axis] as number;
    const from = sourceDims?.[axis - lead];
    if (sourceDims === undefined) {
      return { axis, dim, stride, from, how: isBroadcast(output, axis) ? 'stretched' : 'kept' };
    }
    const how = from === undefined ? 'added' : from === dim ? 'kept' : 'stretched';
    return { axis, dim, stride, from, how };
  });
}
