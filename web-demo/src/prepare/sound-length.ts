import type { GraphWriter } from './onnx-writer.js';

/** The samples, filled up with zeros to the length, or cut at it. */
export function withLength(graph: GraphWriter, samples: string, length: number): string {
  const numbers = (...values: number[]): string => graph.constant('int64', [values.length], values);
  const lacking = graph.node('Sub', [numbers(length), graph.node('Shape', [samples])]);
  const after = graph.node('Max', [lacking, numbers(0)]);
  const padded = graph.node('Pad', [samples, graph.node('Concat', [numbers(0), after], { axis: 0 })]);
  return graph.node('Slice', [padded, numbers(0), numbers(length)]);
}
