// broadloom test DIR...

import { setImmediate } from 'node:timers/promises';
import { load, OnnxError } from 'broadloom';
import { runnerTolerance } from '../../shared/agreement.js';
import { counted } from '../../shared/counted.js';
import { quote, visible } from '../../shared/visible.js';
import { type Call, type Command, numberOf } from './arguments.js';
import { Failure, toFailure } from './errors.js';
import { print, printJson } from './output.js';
import { clearProgress, Progress } from './progress.js';
import { type Outcome, runCase } from './test-case.js';
import { findCases } from './test-folders.js';

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
  const tolerance = {
    rtol: numberOf(call, 'rtol', runnerTolerance.rtol),
    atol: numberOf(call, 'atol', runnerTolerance.atol),
  };
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
