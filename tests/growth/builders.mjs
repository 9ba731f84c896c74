// The parts from which the cases of growth are built.
import { GraphBuilder } from '../../tools/models/graph-builder.mjs';

/** A tensor of ones. */
export function ones(type = 'float32', dims = [1]) {
  const size = dims.reduce((a, b) => a * b, 1);
  const data = type === 'int64' ? new BigInt64Array(size).fill(1n) : new Float32Array(size).fill(1);
  return { type, dims, data };
}

/**
 * A model of an input x with these dims, and what `build` makes of it: the name, or the names, of outputs. `declared` dims are
 * the dims in the file.
 */
export function ofInput(
  build,
  { dims = [1], declared = dims, type = 'float32', to = type, opset = 21, ...options } = {},
) {
  const graph = new GraphBuilder(opset);
  graph.input('x', type, declared);
  for (const name of [build(graph, 'x')].flat()) graph.output(name, to, undefined);
  return { file: new Uint8Array(graph.model('g', options)), feeds: { x: ones(type, dims) } };
}

export const times = (n, work) => Array.from({ length: n }, (_, i) => work(i));

/** A chain: each of the steps in turn makes the next value of the last one. */
export const chain =
  (n, ...steps) =>
  (graph, x) => {
    let last = x;
    for (let i = 0; i < n; i++) last = steps[i % steps.length](graph, last, i);
    return last;
  };

/** A step: a node of one operand. */
export const step =
  (operator, attributes = {}) =>
  (graph, x) =>
    graph.op(operator, [x], attributes);

export const text = (length, i = 0) => `${i}_`.padEnd(length, 'abcdefghij');
