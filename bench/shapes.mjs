// The shapes of the family's patterns.
import { sizeOf } from './element-types.mjs';

/** A power of two near the square root, for dims that share a size. */
const half = (n) => 2 ** Math.round(Math.log2(n) / 2);

// The outermost axis is rounded up.
const grow = (n, ...inner) => Math.ceil(n / sizeOf(inner));
/** Each returns input dims and output dims of at least `n` elements. A fill has no input. */
export const shapes = {
  fill: (n) => [undefined, [n]],
  fillOdd: (n) => [undefined, [grow(n, 7) | 1, 7]],
  leading: (c) => (n) => [
    [1, c],
    [grow(n, c), c],
  ],
  leadingSquare: (n) => [
    [1, half(n)],
    [grow(n, half(n)), half(n)],
  ],
  trailing: (m) => (n) => [
    [grow(n, m), 1],
    [grow(n, m), m],
  ],
  middle: (b, c) => (n) => [
    [grow(n, b, c), 1, c],
    [grow(n, b, c), b, c],
  ],
  interleaved: (b, c, d) => (n) => [
    [grow(n, b, c, d), 1, c, 1],
    [grow(n, b, c, d), b, c, d],
  ],
  interleaved5: (b, c, d, e) => (n) => [
    [grow(n, b, c, d, e), 1, c, 1, e],
    [grow(n, b, c, d, e), b, c, d, e],
  ],
  tinyAxes: (n) => [
    [grow(n, 128), 1, 2, 1, 2, 1, 2, 1],
    [grow(n, 128), 2, 2, 2, 2, 2, 2, 2],
  ],
  alternating: (n) => {
    const rank = Math.ceil(Math.log2(n));
    return [Array.from({ length: rank }, (_, i) => 1 + (i % 2)), Array(rank).fill(2)];
  },
};
