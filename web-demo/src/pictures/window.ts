// The windows of convolutions and pools: where each lies over its input, along one or two axes.
import type { CallReport, TensorReport } from '../runtime/protocol.js';
import type { CallAttributes } from './values.js';

/** A window along one axis. */
export interface AxisWindow {
  readonly size: number;
  readonly places: number;
  readonly kernel: number;
  readonly stride: number;
  readonly dilation: number;
  readonly before: number;
  /** Padding after the axis, which the attributes ask for. */
  readonly after: number;
}

/** The places, along its axis, of the elements in the window of an output's place; those below 0 and from `size` on are padding. */
export function insideOf({ kernel, stride, dilation, before }: AxisWindow, place: number): number[] {
  return Array.from({ length: kernel }, (_, i) => place * stride - before + i * dilation);
}

/** How far a window reaches from its first element on. */
export const reachOf = ({ kernel, dilation }: AxisWindow): number => (kernel - 1) * dilation + 1;

/** Padding after the axis that any window reaches into. */
export function drawnAfter(axis: AxisWindow): number {
  const last = (axis.places - 1) * axis.stride - axis.before + reachOf(axis);
  return Math.max(axis.after, last - axis.size, 0);
}

/** The windows along the axes behind samples and channels. */
export function windowsOf(
  { operator }: CallReport,
  attributes: CallAttributes,
  x: TensorReport,
  y: TensorReport,
  kernelDims: readonly number[] | undefined,
): readonly AxisWindow[] | undefined {
  const sizes = x.dims.slice(2);
  const kernels = kernelDims ?? (operator.startsWith('Global') ? sizes : attributes.integers('kernel_shape'));
  if (kernels?.length !== sizes.length || y.dims.length !== x.dims.length) return undefined;
  const auto = attributes.word('auto_pad') ?? 'NOTSET';
  const pads = attributes.integers('pads') ?? [];
  return sizes.map((size, axis) => {
    const places = y.dims[axis + 2] as number;
    const kernel = kernels[axis] as number;
    const stride = attributes.integers('strides')?.[axis] ?? 1;
    const dilation = attributes.integers('dilations')?.[axis] ?? 1;
    const window = { size, places, kernel, stride, dilation };
    if (auto === 'VALID') return { ...window, before: 0, after: 0 };
    if (auto === 'NOTSET' || auto === '')
      return { ...window, before: pads[axis] ?? 0, after: pads[axis + sizes.length] ?? 0 };
    const total = Math.max(0, (places - 1) * stride + (kernel - 1) * dilation + 1 - size);
    const less = Math.floor(total / 2);
    return auto === 'SAME_LOWER'
      ? { ...window, before: total - less, after: less }
      : { ...window, before: less, after: total - less };
  });
}
