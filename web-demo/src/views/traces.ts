// Which elements of a call belong together, by its trace.
import type { CallReport, TensorReport } from '../runtime/protocol.js';

/** The elements of `other` that belong to an element of `report`, one of them an output of the call and the other an input. */
export function tracedElements(
  call: CallReport,
  report: TensorReport,
  position: number,
  other: TensorReport,
): readonly number[] | undefined {
  const { trace } = call;
  if (trace === undefined) return undefined;
  const [output, input] = [call.outputs.indexOf(report), call.inputs.indexOf(other)];
  if (output >= 0 && input >= 0) return trace[output]?.[position]?.[input] ?? [];
  const [from, to] = [call.inputs.indexOf(report), call.outputs.indexOf(other)];
  if (from < 0 || to < 0) return undefined;
  return (trace[to] ?? []).flatMap((sources, place) => (sources[from]?.includes(position) ? [place] : []));
}
