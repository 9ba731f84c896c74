// broadloom test DIR...
import { setImmediate } from 'node:timers/promises';
import { load, type Model, OnnxError, type Runtime, type Tensor } from 'broadloom';
import { type Call, type Command, numberOf } from './arguments.js';
import { reasonsOf } from './command-inspect.js';
import { differenceOf, type Tolerance } from './compare.js';
import { Failure, toFailure } from './errors.js';
import { readBytes } from './files.js';
import { loadModel } from './model-file.js';
import { counted, print, printJson } from './output.js';
import { clearProgress, Progress } from './progress.js';
import { readTensorFile } from './tensors.js';
import { type DataSet, dataSetsOf, findCases } from './test-folders.js';
import { quote, visible } from './visible.js';

interface Outcome {
  readonly case: string;
  readonly result: 'passed' | 'failed' | 'unsupported';
  /** What failed, a sentence each; or why the case cannot run. */
  readonly reasons: readonly string[];
}

/** Why a model cannot run here, of what was thrown while it was loaded; undefined where it is the model's own fault. */
function unsupportedReason(ops: Runtime, bytes: Uint8Array, error: unknown): string | undefined {
  const { code, message } = toFailure(error) as Failure;
  // Values that are no tensors are refused where the graph declares them.
  if (code === 'INVALID_MODEL' && message.includes('not a tensor')) return 'values that are no tensors';
  if (code !== 'UNKNOWN_OPERATOR' && code !== 'UNSUPPORTED_TYPE') return undefined;
  try {
    const model = ops.loadModel(bytes, { allowUnsupported: true });
    const reason = reasonsOf(model.nodes)[0]?.reason;
    model.dispose();
    return reason ?? message;
  } catch (other) {
    return (other as Error).message.includes('no element type') ? 'values that are no tensors' : message;
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
    const difference = differenceOf(results[output] as Tensor, read(path), tolerance);
    return difference === undefined ? [] : [`${name}: output ${quote(output)} ${difference}`];
  });
}

function runCase(ops: Runtime, folder: string, tolerance: Tolerance): Outcome {
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

const longestSummary = 10;

function summary(outcomes: readonly Outcome[]): string {
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length;
  const reasons = new Map<string, number>();
  for (const {
    result,
    reasons: [reason = ''],
  } of outcomes)
    if (result === 'unsupported') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const sorted = [...reasons].sort(([, a], [, b]) => b - a);
  const lines = sorted
    .slice(0, longestSummary)
    .map(([reason, times]) => `  ${String(times).padStart(5)}  ${visible(reason)}`);
  const rest = sorted.slice(longestSummary).reduce((sum, [, times]) => sum + times, 0);
  if (rest > 0)
    lines.push(
      `  ${String(rest).padStart(5)}  for ${counted(sorted.length - longestSummary, 'other reason')}: --json lists them`,
    );
  const head = `${count('passed')} passed, ${count('failed')} failed, ${count('unsupported')} unsupported`;
  return [lines.length > 0 ? `${head}:` : head, ...lines].join('\n');
}

async function run(call: Call): Promise<number> {
  const tolerance = { rtol: numberOf(call, 'rtol', 1e-3), atol: numberOf(call, 'atol', 1e-7) };
  const progress = new Progress();
  const seen = new Set<string>();
  const folders = call.positionals.flatMap((folder) => {
    const found = findCases(folder, seen);
    if (found.length > 0) return found;
    throw new Failure(`there is no model.onnx in ${quote(folder)} or below that was not tested already`);
  });
  const outcomes: Outcome[] = [];
  let ops = await load();
  for (const [i, folder] of folders.entries()) {
    progress.step(`${i} of ${folders.length} tested, now ${folder}`);
    let outcome: Outcome;
    try {
      outcome = runCase(ops, folder, tolerance);
    } catch (error) {
      outcome = { case: folder, result: 'failed', reasons: [toFailure(error).message] };
      // A trap of the engine ends a runtime.
      if (!(error instanceof OnnxError || error instanceof Failure)) ops = await load({});
    }
    outcomes.push(outcome);
    const isFailure = outcome.result === 'failed' || (outcome.result === 'unsupported' && call.has('strict'));
    if (isFailure && !call.has('json')) {
      clearProgress();
      for (const reason of outcome.reasons)
        print(`${outcome.result.toUpperCase()} ${visible(folder)}: ${visible(reason)}`);
    }
    await setImmediate(); // whoever reads the results may have gone
  }
  clearProgress();
  const count = (result: Outcome['result']) => outcomes.filter((outcome) => outcome.result === result).length;
  const counts = { passed: count('passed'), failed: count('failed'), unsupported: count('unsupported') };
  if (call.has('json')) printJson({ ...counts, cases: outcomes });
  else print(summary(outcomes));
  return counts.failed > 0 || (call.has('strict') && counts.unsupported > 0) ? 1 : 0;
}

export const testCommand: Command = {
  name: 'test',
  summary: 'Runs models on inputs in files, and compares the outputs with those in files.',
  takes: 'DIR...',
  least: 1,
  most: Infinity,
  options: {
    rtol: { value: 'X', help: 'relative tolerance for floats (default: 0.001)' },
    atol: { value: 'X', help: 'absolute tolerance for floats (default: 0.0000001)' },
    strict: { help: 'take what cannot run for a failure' },
  },
  more: `
A DIR is a folder in the layout of ONNX's own tests, or holds such folders at any depth:

  model.onnx
  test_data_set_0/input_0.pb    the inputs, in the model's order
  test_data_set_0/output_0.pb   the outputs that are wanted

Integers, booleans and strings must be equal. Floats must be within atol + rtol * |wanted|; NaN equals NaN.
Models that cannot run are counted as unsupported.

  broadloom test tests/models`,
  run,
};
