// The call of "Try it": made, timed, written as files.
import type { Attributes, Operator, OperatorVersion, Runtime, Tensor } from 'broadloom';
import { difference, officialTolerance } from '../../../shared/agreement.js';
import type { CallDraft } from '../drafts.js';
import { type Example, oldestOpset, operatorOf, versionOf } from '../facts.js';
import { parameterName } from '../inputs.js';
import { tensorLines } from '../values/shown.js';
import { at, buildCall, Refused } from './build-tensor.js';
import { effectsOf } from './effects.js';
import { elementsOf, isWritten, reportTensor } from './inspect.js';
import { namedElements } from './named-elements.js';
import { placeOf } from './place-of.js';
import type { CallReport, ComputedTensor, ExampleReport, Files, Times } from './protocol.js';
import { free, timesOf } from './time.js';
import { traceCall } from './trace.js';

/** The owner of the inputs and outputs among the kept tensors. */
export const owner = 'call';

interface ReadyCall {
  readonly inputs: readonly (Tensor | null)[];
  readonly attributes: Attributes;
  readonly run: () => Tensor[];
  readonly write: () => Files;
}

/** A call that can be made any number of times within a scope. */
function readyCall(ops: Runtime, draft: CallDraft): ReadyCall {
  const { operator, opset } = draft;
  const { inputs, attributes } = buildCall(ops, draft);
  const placed = <R>(work: () => R): R => at((error) => placeOf(error, draft, inputs), work);
  return {
    inputs,
    attributes,
    run: () => placed(() => ops.run(operator, inputs, attributes, { opset })),
    write: () => placed(() => ops.nodeModel(operator, inputs, attributes, { opset: oldestOpset(draft) })),
  };
}

/** Makes a call. Its inputs and outputs go to `keep`, in turn; a refused call leaves what was kept before. */
export function makeCall(ops: Runtime, draft: CallDraft, keep: (tensors: readonly Tensor[]) => void): CallReport {
  const { operator, opset } = draft;
  const version = versionOf(operatorOf(draft.operator) as Operator, draft.opset) as OperatorVersion;
  const { inputs, outputs, trace, effects } = ops.scope(() => {
    const { inputs, attributes, run } = readyCall(ops, draft);
    const outputs = run();
    const names = inputs.map((_, i) => parameterName(version.inputs, i));
    const trace =
      namedElements(operator, inputs, outputs, draft) ??
      traceCall(ops, names, inputs, outputs, (given) => ops.run(operator, given, attributes, { opset }));
    const effects = ops.scope(() =>
      effectsOf(version, attributes, inputs, outputs, (given) => ops.run(operator, inputs, given, { opset })),
    );
    return { inputs, outputs, trace, effects };
  });
  keep([...inputs.filter((input) => input !== null), ...outputs]);
  let next = 0;
  const report = (tensor: Tensor, name: string) => reportTensor(ops, tensor, `${owner}#${next++}`, name);
  return {
    ok: true,
    operator: draft.operator,
    version: version.sinceVersion,
    inputs: inputs.map((input, i) => input && report(input, parameterName(version.inputs, i))),
    outputs: outputs.map((output, i) => report(output, parameterName(version.outputs, i))),
    ...{ trace, effects },
  };
}

/** Makes a call, and keeps nothing of it: for pictures, which ask for small ones. */
export function computeCall(ops: Runtime, draft: CallDraft): ComputedTensor[] {
  return ops.scope(() =>
    readyCall(ops, draft)
      .run()
      .map((output) => ({
        ...{ type: output.type, dims: [...output.dims] },
        text: elementsOf(ops, output, 0, output.size).text,
      })),
  );
}

/** Makes a call whose outputs are known. */
export function runExample(ops: Runtime, draft: CallDraft, wanted: Example['outputs']): ExampleReport {
  return ops.scope(() => {
    try {
      const outputs = readyCall(ops, draft).run();
      const expected = wanted.map((output) => ops.fromMessage(output));
      const lines = (tensors: readonly Tensor[]) =>
        tensors.map((one) => tensorLines(one.type, one.dims, elementsOf(ops, one, 0, one.size).text)).join('\n');
      const actual = lines(outputs);
      if (actual === lines(expected)) return { agreement: 'equal', actual };
      const isOther = (output: Tensor, i: number) =>
        !expected[i] || difference(output, expected[i], officialTolerance(expected[i])) !== undefined;
      const differs = outputs.length !== expected.length || outputs.some(isOther);
      return { agreement: differs ? 'different' : 'close', actual };
    } catch (error) {
      return { agreement: 'different', actual: error instanceof Refused ? error.problem.message : String(error) };
    }
  });
}

/** Engines compile what runs often: small calls get ten times as fast in the first rounds. */
const rounds = 8;

/** Makes a call many times, for up to half a second in parts; `isWanted` says whether to go on. */
export async function timeCall(ops: Runtime, draft: CallDraft, isWanted: () => boolean): Promise<Times> {
  // An open scope would hold on to every result.
  const call = ops.scope(() => readyCall(ops, draft));
  try {
    const outputs = call.run();
    const isSmall = outputs.every(isWritten);
    free(outputs);
    let best = timesOf(call.run, isSmall);
    for (let round = 1; round < rounds && best.callTime < 1000 && isWanted(); round++) {
      await new Promise((resolve) => setTimeout(resolve)); // others may ask meanwhile
      const times = timesOf(call.run, isSmall);
      if (times.callTime < best.callTime) best = times;
    }
    return best;
  } finally {
    free(tensorsIn([call.inputs, call.attributes]));
  }
}

/** The tensors in lists and objects, however deep. */
function tensorsIn(value: unknown): Tensor[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return [];
  if ('dispose' in value) return [value as Tensor];
  return Object.values(value).flatMap(tensorsIn);
}

/** The call as a one-node model with its inputs and outputs, in the layout of ONNX's official tests. */
export function writeCall(ops: Runtime, draft: CallDraft): Files {
  return ops.scope(() => readyCall(ops, draft).write());
}
