// broadloom run model.onnx --input x=x.npy
import { load, type Runtime, type Tensor, type ValueInfo } from 'broadloom';
import { typeAndDims } from '../../shared/type-and-dims.js';
import { quote } from '../../shared/visible.js';
import { type Call, type Command, wholeNumberOf } from './arguments.js';
import { during, UsageError } from './errors.js';
import { checkShapes, type Fill, madeInputs, readFill } from './fill.js';
import { type Assignment, readAssignment, readValue, withMedia } from './inputs.js';
import { checkPreset, type MediaOptions } from './media.js';
import { filesOf, loadModel, modelName, readModelBytes } from './model-file.js';
import { complain, print, printJson } from './output.js';
import { profileText } from './profile-table.js';
import { clearProgress, Progress } from './progress.js';
import { checkResultOptions, giveResults, resultOptions } from './results.js';
import { repeatedRuns, timesText } from './run-times.js';

export const inputOption = {
  value: 'NAME=VALUE',
  short: 'i',
  multiple: true,
  help: 'an input; NAME:TYPE=VALUE says its type, too',
} as const;

export const aboutValues = `A VALUE is a file that ends in .npy (NumPy), .pb (TensorProto), .json, .png, .jpg or .wav, or it is JSON: a number, a
string in double quotes, or nested lists of them, such as [[1, 2], [3, 4]].`;

interface RunOptions {
  readonly fill: Fill | undefined;
  readonly media: MediaOptions;
  readonly repeat: number | undefined;
}

/** The options that need no model. They are read before the file, so that a mistyped one costs no time. */
function readOptions(call: Call): RunOptions {
  checkResultOptions(call);
  if (call.has('profile') && call.get('output-dir') !== undefined)
    throw new UsageError('--profile prints times and no outputs: leave out --output-dir');
  const repeat = wholeNumberOf(call, 'repeat');
  if (repeat === 0) throw new UsageError("--repeat is '0': write a whole number from 1, such as --repeat 100");
  if (repeat !== undefined && call.has('profile'))
    throw new UsageError('--repeat and --profile are two measurements: choose one');
  const sampleRate = wholeNumberOf(call, 'sample-rate');
  return { fill: readFill(call), media: { preset: call.get('preset'), sampleRate }, repeat };
}

async function run(call: Call): Promise<number> {
  const { fill, media, repeat } = readOptions(call);
  const progress = new Progress();
  const [path = ''] = call.positionals;
  const bytes = await readModelBytes(path);
  const ops = await load();
  checkPreset(ops, media.preset);
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
  const assignments = await withMedia(readAssignments(ops, call, model.inputs, fill));
  checkMediaOptions(media, assignments);
  const given = readFeeds(ops, assignments, model.inputs, media, progress);
  const made = fill && makeInputs(ops, call, fill, model.inputs, given, progress);
  const feeds = { ...given, ...made?.feeds };
  progress.step(`running ${modelName(path)}`);
  const inputs = made && { inputs: made.described };
  if (call.has('profile')) {
    const rows = working(path, () => model.profile(feeds));
    clearProgress();
    const warnings = warn();
    if (call.has('json')) printJson({ ...warnings, ...inputs, profile: rows });
    else print(profileText(rows));
    return 0;
  }
  const { outputs, times } = working(path, () => repeatedRuns(ops, model, feeds, repeat, progress));
  const results = model.outputs.map(({ name }) => ({ name, tensor: outputs[name] as Tensor }));
  const read = [...filesOf(path, model), ...assignments.map(({ text }) => text)];
  giveResults(ops, call, results, read, progress, { ...warn(), ...inputs, ...(times && { times }) });
  if (times && !call.has('json')) print(timesText(times));
  clearProgress();
  return 0;
}

/** Refuses options for pictures and sounds that no input uses. */
function checkMediaOptions({ preset, sampleRate }: MediaOptions, assignments: readonly Assignment[]): void {
  const has = (kind: 'picture' | 'sound') => assignments.some(({ media }) => media !== undefined && kind in media);
  if (preset !== undefined && !has('picture'))
    throw new UsageError('--preset is for pictures: no input is a PNG or JPEG file');
  if (sampleRate !== undefined && !has('sound'))
    throw new UsageError('--sample-rate is for sounds: no input is a WAV file');
}

/** The inputs that are not given, and what JSON tells of them. Sizes that nothing tells are told on standard error. */
function makeInputs(
  ops: Runtime,
  call: Call,
  fill: Fill,
  inputs: readonly ValueInfo[],
  given: { [name: string]: Tensor },
  progress: Progress,
) {
  checkShapes(fill, inputs, Object.keys(given));
  progress.step('making inputs');
  const { feeds, assumed } = madeInputs(ops, fill, inputs, given);
  const described = Object.entries(feeds).map(([name, { type, dims }]) => ({ name, type, dims }));
  const example = described.find(({ dims }) => dims.length > 0);
  if (assumed.length > 0 && !call.has('json'))
    complain(
      `note: ${assumed.map(quote).join(', ')} ${assumed.length > 1 ? 'are' : 'is'} taken as 1; --shape gives other sizes, such as --shape ${example?.name}=${example?.dims.join(',')}`,
    );
  return { feeds, described };
}

function working<R>(path: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw during(modelName(path), error);
  }
}

function readAssignments(ops: Runtime, call: Call, inputs: readonly ValueInfo[], fill: Fill | undefined): Assignment[] {
  const names = inputs.map(({ name }) => name);
  const assignments = call.all('input').map((argument) => readAssignment(ops, 'input', argument, names));
  const given = new Set<string>();
  for (const { name } of assignments) {
    if (given.has(name)) throw new UsageError(`input ${quote(name)} is given twice`);
    given.add(name);
  }
  const missing = inputs.filter(({ name }) => !given.has(name));
  if (missing.length === 0 || fill !== undefined) return assignments;
  const list = missing.map((input) => `${quote(input.name)} (${typeAndDims(input)})`).join(', ');
  const others = assignments.map(({ name }) => name).filter((name) => !names.includes(name));
  const unknown = others.length > 0 ? ` (the model has no input ${others.map(quote).join(', ')})` : '';
  throw new UsageError(
    `${missing.length > 1 ? 'inputs are' : 'an input is'} missing${unknown}: ${list}; write --input ${missing[0]?.name}=FILE or --input '${missing[0]?.name}=[...]', or --random for a try`,
  );
}

function readFeeds(
  ops: Runtime,
  assignments: readonly Assignment[],
  inputs: readonly ValueInfo[],
  options: MediaOptions,
  progress: Progress,
): { [name: string]: Tensor } {
  const feeds = assignments.map((assignment): [string, Tensor] => {
    const { name } = assignment;
    progress.step(`reading input ${name}`);
    const declared = inputs.find((input) => input.name === name);
    const wanted = () => {
      if (declared?.type) return declared.type;
      throw new UsageError(
        `the model declares no input ${quote(name)} that must be given; if it is one with a default, write its type: --input '${name}:float32=[...]'`,
      );
    };
    return [name, readValue(ops, `input ${quote(name)}`, assignment, wanted, declared?.dims, options)];
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
    random: { help: 'make the inputs that are not given: floats from 0 up to 1, integers 0 or 1' },
    zeros: { help: 'the same of zeros' },
    seed: { value: 'N', help: 'another number gives other random inputs (default: 0)' },
    shape: { value: 'INPUT=SIZES', multiple: true, help: 'sizes of such an input, such as x=1,3,224,224' },
    preset: { value: 'NAME', help: 'how pictures are prepared, such as imagenet, clip or yolo' },
    'sample-rate': { value: 'HZ', help: 'the rate to which sounds are resampled (default: their own)' },
    ...resultOptions,
    repeat: { value: 'N', help: 'run N times more, and print the times, too' },
    profile: { help: 'print where the time of a run goes instead, the slowest node first' },
  },
  more: `
MODEL.onnx can be -, which is standard input.

${aboutValues} Lists have the type that
the model declares for the input.

A picture is stretched to the sizes that the model declares; floats are its bytes / 255. JPEG needs the package sharp.
A sound is mixed to one channel. Sizes that no input tells are 1.

  broadloom run model.onnx --input x=x.npy --output-dir out
  broadloom run model.onnx --input 'x=[[1, 2], [3, 4]]' --input 'shape=[2, 2]'
  broadloom run resnet.onnx --input data=cat.png --preset imagenet
  broadloom run model.onnx --random --shape x=1,3,224,224 --repeat 20`,
  run,
};
