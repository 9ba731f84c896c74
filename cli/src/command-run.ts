// broadloom run model.onnx --input x=x.npy
import { load, type Runtime, type Tensor, type ValueInfo } from 'broadloom';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { quote } from '../../shared/visible.js';
import type { Call, Command } from './arguments.js';
import { during, UsageError } from './errors.js';
import { type Assignment, readAssignment, readValue } from './inputs.js';
import { filesOf, loadModel, modelName, readModelBytes } from './model-file.js';
import { complain, print, printJson } from './output.js';
import { profileText } from './profile-table.js';
import { clearProgress, Progress } from './progress.js';
import { checkResultOptions, giveResults, resultOptions } from './results.js';

export const inputOption = {
  value: 'NAME=VALUE',
  short: 'i',
  multiple: true,
  help: 'an input; NAME:TYPE=VALUE says its type, too',
} as const;

export const aboutValues = `A VALUE is a file that ends in .npy (NumPy), .pb (TensorProto) or .json, or it is JSON: a number, a string in double
quotes, or nested lists of them, such as [[1, 2], [3, 4]].`;

async function run(call: Call): Promise<number> {
  checkResultOptions(call);
  if (call.has('profile') && call.get('output-dir') !== undefined)
    throw new UsageError('--profile prints times and no outputs: leave out --output-dir');
  const progress = new Progress();
  const [path = ''] = call.positionals;
  const bytes = await readModelBytes(path);
  const ops = await load();
  progress.step(`loading ${modelName(path)}`);
  const model = loadModel(ops, path, bytes);
  let told = 0;
  /** Tells what is new among the warnings: a run may add some. Gives them as part of the JSON. */
  const warn = () => {
    const { warnings } = model;
    if (!call.has('json')) for (const warning of warnings.slice(told)) complain(`warning: ${warning}`);
    told = warnings.length;
    return told > 0 ? { warnings } : {};
  };
  warn();
  const assignments = readAssignments(ops, call, model.inputs);
  const feeds = readFeeds(ops, assignments, model.inputs, progress);
  progress.step(`running ${modelName(path)}`);
  if (call.has('profile')) {
    const rows = working(path, () => model.profile(feeds));
    clearProgress();
    const warnings = warn();
    if (call.has('json')) printJson({ ...warnings, profile: rows });
    else print(profileText(rows));
    return 0;
  }
  const outputs = working(path, () => model.run(feeds));
  const results = model.outputs.map(({ name }) => ({ name, tensor: outputs[name] as Tensor }));
  giveResults(ops, call, results, [...filesOf(path, model), ...assignments.map(({ text }) => text)], progress, warn());
  clearProgress();
  return 0;
}

function working<R>(path: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw during(modelName(path), error);
  }
}

function readAssignments(ops: Runtime, call: Call, inputs: readonly ValueInfo[]): Assignment[] {
  const names = inputs.map(({ name }) => name);
  const assignments = call.all('input').map((argument) => readAssignment(ops, 'input', argument, names));
  const given = new Set<string>();
  for (const { name } of assignments) {
    if (given.has(name)) throw new UsageError(`input ${quote(name)} is given twice`);
    given.add(name);
  }
  const missing = inputs.filter(({ name }) => !given.has(name));
  if (missing.length === 0) return assignments;
  const list = missing.map((input) => `${quote(input.name)} (${typeAndDims(input)})`).join(', ');
  const others = assignments.map(({ name }) => name).filter((name) => !names.includes(name));
  const unknown = others.length > 0 ? ` (the model has no input ${others.map(quote).join(', ')})` : '';
  throw new UsageError(
    `${missing.length > 1 ? 'inputs are' : 'an input is'} missing${unknown}: ${list}; write --input ${missing[0]?.name}=FILE or --input '${missing[0]?.name}=[...]'`,
  );
}

function readFeeds(
  ops: Runtime,
  assignments: readonly Assignment[],
  inputs: readonly ValueInfo[],
  progress: Progress,
): { [name: string]: Tensor } {
  const feeds = assignments.map((assignment): [string, Tensor] => {
    const { name } = assignment;
    progress.step(`reading input ${name}`);
    const wanted = () => {
      const type = inputs.find((input) => input.name === name)?.type;
      if (type) return type;
      throw new UsageError(
        `the model declares no input ${quote(name)} that must be given; if it is one with a default, write its type: --input '${name}:float32=[...]'`,
      );
    };
    return [name, readValue(ops, `input ${quote(name)}`, assignment, wanted)];
  });
  return Object.fromEntries(feeds);
}

export const runCommand: Command = {
  name: 'run',
  summary: 'Runs a model, and prints or writes its outputs.',
  takes: 'MODEL.onnx',
  least: 1,
  most: 1,
  options: {
    input: inputOption,
    ...resultOptions,
    profile: { help: 'print where the time of a run goes instead, the slowest node first' },
  },
  more: `
MODEL.onnx can be -, which is standard input.

${aboutValues} Lists have the type that
the model declares for the input.

  broadloom run model.onnx --input x=x.npy --output-dir out
  broadloom run model.onnx --input 'x=[[1, 2], [3, 4]]' --input 'shape=[2, 2]'`,
  run,
};
