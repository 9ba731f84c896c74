// Outputs that name elements of the inputs by their indices: no change of an input shows which, as one box suppresses others.
import type { Tensor } from 'broadloom';
import type { Trace } from './protocol.js';

type Names = (inputs: readonly (Tensor | null)[], output: Tensor) => Trace[number];

/** A row of the output of NonMaxSuppression names a box, and its score. */
const selected: Names = ([boxes, scores, ...others], { data }) => {
  const [, count = 0, corners = 0] = boxes?.dims ?? [];
  const [, classes = 0] = scores?.dims ?? [];
  return Array.from(data as BigInt64Array, (_, position) => {
    const row = position - (position % 3);
    const [batch = 0, kind = 0, box = 0] = Array.from(data.slice(row, row + 3) as BigInt64Array, Number);
    const first = (batch * count + box) * corners;
    return [
      Array.from({ length: corners }, (_, corner) => first + corner),
      [(batch * classes + kind) * count + box],
      ...others.map(() => []),
    ];
  });
};

const operators: { readonly [operator: string]: Names } = { NonMaxSuppression: selected };

/** The trace of an operator whose output names elements; undefined for others. */
export function namedElements(
  operator: string,
  inputs: readonly (Tensor | null)[],
  outputs: readonly Tensor[],
): Trace | undefined {
  const names = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
  return names && outputs.map((output) => names(inputs, output));
}
