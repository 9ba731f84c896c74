// Which element of the inputs each element of the outputs is: found by a call in which the elements are their own numbers.
import type { CallDraft, TensorDraft } from '../drafts.js';
import type { TensorReport } from '../runtime/protocol.js';
import { callOf, ramp, sameTensor, tensorDraft } from './compute.js';
import type { Place, Subject } from './plan.js';
import { countTo, numbersIn } from './values.js';

/** The inputs whose elements move; all, where an operator joins any number of them. */
function movingOf({ call }: Subject): readonly number[] {
  if (call.operator === 'Concat') return countTo(call.inputs.length);
  return call.operator.startsWith('Scatter') ? [0, 2] : [0];
}

/** For each output, the source of each of its elements; undefined where it is none of the inputs'. */
export type Sources = readonly (readonly (Place | undefined)[])[];

/** The call with numbers from 1 on in the place of the elements that move, and 0 where others would fill. */
function numbered(subject: Subject, firsts: ReadonlyMap<number, number>): CallDraft {
  const { call, attributes } = subject;
  const { reduction: _, ...given } = attributes.draft.attributes;
  const inputs = call.inputs.map((input, i): TensorDraft | null => {
    if (input === null) return null;
    const first = firsts.get(i);
    if (first !== undefined && input.size > 0) return ramp('float32', input.dims, first);
    return call.operator === 'Pad' && i === 2 ? tensorDraft('float32', input.dims, ['0']) : sameTensor(input);
  });
  return { ...callOf(call.operator, inputs), opset: attributes.draft.opset, attributes: given };
}

export async function sourcesOf(subject: Subject): Promise<Sources | undefined> {
  const { call, compute } = subject;
  const firsts = new Map<number, number>();
  let next = 1;
  for (const input of movingOf(subject)) {
    firsts.set(input, next);
    next += call.inputs[input]?.size ?? 0;
  }
  const outputs = await compute(numbered(subject, firsts));
  const placeOf = (number: number): Place | undefined => {
    const found = [...firsts].findLast(([, first]) => number >= first);
    const report = found && (call.inputs[found[0]] as TensorReport);
    return report && { report, position: number - found[1] };
  };
  return outputs?.map(({ text }) => numbersIn(text).map(placeOf));
}
