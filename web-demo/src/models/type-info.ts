// Types and shapes as text: `float32 [n, 3, ?]`.
import { visible } from '../../../shared/visible.js';

interface TypeAndDims {
  readonly type: string | null;
  readonly dims: readonly (number | string | null)[] | null;
}

/** A question mark stands for what is not known, dots for any number of axes. Undefined when nothing is known. */
export function typeText({ type, dims }: TypeAndDims): string | undefined {
  if (type === null && dims === null) return undefined;
  const sizes = dims === null ? '…' : visible(dims.map((dim) => dim ?? '?').join(', '));
  return `${type ?? '?'} [${sizes}]`;
}
