// One folder of tests: its model is run, and its outputs compared.

import { type Model, OnnxError, type Runtime, type Tensor } from 'broadloom';
import { difference, type Tolerance } from '../../shared/agreement.js';
import { counted } from '../../shared/counted.js';
import { quote } from '../../shared/visible.js';
import { Failure, toFailure } from './errors.js';
import { readBytes } from './files.js';
import { allNodes, reasonsOf } from './model-facts.js';
import { loadModel } from './model-file.js';
import { readTensorFile } from './tensors.js';
import { type DataSet, dataSetsOf } from './test-folders.js';

export interface Outcome {
  readonly case: string;
  readonly result: 'passed' | 'failed' | 'unsupported';
  /** The failures, a sentence each; or why the case cannot run. */
  readonly reasons: readonly string[];
}

/** Why a model cannot run here, of what was thrown while it was loaded; undefined where it is the model's own fault. */
function unsupportedReason(ops: Runtime, bytes: Uint8Array, error: unknown): string | undefined {
  const { code, message } = toFailure(error) as Failure;
  // Values that are not tensors are refused where the graph declares them.
  if (code === 'INVALID_MODEL' && message.includes('not a tensor')) return 'values that are not tensors';
  if (code !== 'UNKNOWN_OPERATOR' && code !== 'UNSUPPORTED_TYPE') return undefined;
  try {
    const model = ops.loadModel(bytes, { allowUnsupported: true });
    // A node that has a version cannot run only because of one in its graphs.
    const reason = reasonsOf([...allNodes(model.nodes)].filter(({ version }) => version === null))[0]?.reason;
    model.dispose();
    return reason ?? message;
  } catch (other) {
    return (other as Error).message.includes('no element type') ? 'values that are not tensors' : message;
  }
}

function runSet(ops: Runtime, model: Model, { name, inputs, outputs }: DataSet, tolerance: Tolerance): string[] {
  const files = (count: number, kind: string) => counted(count, `${kind} file`);
  if (inputs.length > model.inputs.length)
    return [`${name}: ${files(inputs.length, 'input')}, but the model has ${counted(model.inputs.length, 'input')}`];
  if (outputs.length !== model.outputs.length)
    return [
      `${name}: ${files(outputs.length, 'output')}, but the model has ${counted(model.outputs.length, 'output')}`,
    ];
  const read = (path: string): Tensor => readTensorFile(ops, path, () => 'float32');
  const feeds = inputs.map((path, i): [string, Tensor] => [model.inputs[i]?.name as string, read(path)]);
  const results = model.run(Object.fromEntries(feeds));
  return outputs.flatMap((path, i) => {
    const output = model.outputs[i]?.name as string;
    const reason = difference(results[output] as Tensor, read(path), tolerance);
    return reason === undefined ? [] : [`${name}: output ${quote(output)} ${reason}`];
  });
}

/** Runs the model of a folder on each of its data sets. Throws what the folder cannot be told for. */
export function runCase(ops: Runtime, folder: string, tolerance: Tolerance): Outcome {
  const path = `${folder}/model.onnx`;
  const failed = (reasons: readonly string[]): Outcome => ({ case: folder, result: 'failed', reasons });
  const bytes = readBytes(path);
  let model: Model;
  try {
    model = loadModel(ops, path, bytes);
  } catch (error) {
    const reason = unsupportedReason(ops, bytes, error);
    if (reason !== undefined) return { case: folder, result: 'unsupported', reasons: [reason] };
    throw error;
  }
  try {
    const sets = dataSetsOf(folder);
    if (sets.length === 0) return failed(['there is no folder test_data_set_0']);
    const reasons = sets.flatMap((set) => ops.scope(() => attemptSet(ops, model, set, tolerance)));
    // Whether a model trains can be the value of an input.
    if (reasons.length > 0 && reasons.every((reason) => reason.includes(': training is not supported')))
      return { case: folder, result: 'unsupported', reasons: ['training'] };
    return reasons.length > 0 ? failed(reasons) : { case: folder, result: 'passed', reasons };
  } finally {
    model.dispose();
  }
}

/** One data set's failure does not keep the others from being tried. */
function attemptSet(ops: Runtime, model: Model, set: DataSet, tolerance: Tolerance): string[] {
  try {
    return runSet(ops, model, set, tolerance);
  } catch (error) {
    if (error instanceof OnnxError || error instanceof Failure) return [`${set.name}: ${error.message}`];
    throw error;
  }
}
