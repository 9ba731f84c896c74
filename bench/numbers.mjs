/** Numbers from -1 to 1, the same in every run. */
export function floats(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  });
}

export const countOf = (dims) => dims.reduce((product, size) => product * size, 1);
