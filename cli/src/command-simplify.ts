// broadloom simplify in.onnx out.onnx --dim batch=1
import { load, OnnxError, type Runtime, type SimplifyOptions, type SimplifyReport, type ValueInfo } from 'broadloom';
import { quote, visible } from '../../shared/visible.js';
import type { Call, Command } from './arguments.js';
import { checkTarget, isUnreadable, openBlob, writeBlob } from './blobs.js';
import { aboutValues } from './command-run.js';
import { during, Failure, UsageError } from './errors.js';
import { modelName } from './model-file.js';
import { copyWarnings, Neighbours } from './neighbours.js';
import { complain, keepOutputForBytes, print, printJson } from './output.js';
import { clearProgress, Progress } from './progress.js';
import { flagsIn, readPlainOptions, readTensorOptions } from './simplify-options.js';
import { partlyVerified, printReport, verifiedText } from './simplify-report.js';

/** Does work that reads the model on the way. */
async function reading<R>(path: string, work: () => Promise<R>, options: SimplifyOptions = {}): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (isUnreadable(error)) throw new Failure(`cannot read ${quote(path)}: it changed while it was read`);
    const isOfFlags = error instanceof OnnxError && error.code === 'INVALID_ARGUMENT';
    const flags = isOfFlags ? flagsIn(error.message, options) : [];
    throw during([modelName(path), ...flags.map(visible)].join(': '), error);
  }
}

/** Simplifies with the weights in other files where they can be read, else without them. */
async function simplify(ops: Runtime, path: string, file: Blob, options: SimplifyOptions, neighbours: Neighbours) {
  const work = () => ops.simplify(file, { ...options, external: neighbours.read });
  const retried = (error: unknown) => {
    if (neighbours.unread.size === 0) throw error;
    return ops.simplify(file, options);
  };
  return reading(path, () => work().catch(retried), options);
}

function tell(report: SimplifyReport, warnings: readonly string[], [path, out]: readonly [string, string], call: Call) {
  clearProgress();
  if (call.has('json')) {
    printJson({ ...report, warnings, file: out });
    return;
  }
  for (const warning of warnings) complain(`warning: ${warning}`);
  print(`${modelName(path)} -> ${out === '-' ? 'standard output' : visible(out)}\n`);
  printReport(report);
}

/** The file of the result: OUT.onnx, or what --output names in its place, `-` or a file; and the outputs to keep. */
function readTarget({ positionals: [, out], all }: Call): { out: string; outputs: readonly string[] } {
  const given = all('output');
  if (out !== undefined) return { out, outputs: given };
  const target = given.find((name) => name === '-' || name.endsWith('.onnx'));
  if (target === undefined) throw new UsageError('OUT.onnx is missing');
  return { out: target, outputs: given.filter((name) => name !== target) };
}

async function run(call: Call): Promise<number> {
  const { out, outputs } = readTarget(call);
  const [path = ''] = call.positionals;
  if (out === '-') keepOutputForBytes();
  const plain = { ...readPlainOptions(call), ...(outputs.length > 0 && { outputs }) };
  checkTarget(out);
  const progress = new Progress();
  const file = await openBlob(path);
  const ops = await load();
  const inputs = async (): Promise<readonly ValueInfo[]> =>
    (await reading(path, () => ops.simplify(file))).report.inputs;
  const tensors = await readTensorOptions(ops, call, inputs);
  progress.step(`simplifying ${modelName(path)}`);
  const neighbours = new Neighbours(path);
  const { blob, report } = await simplify(ops, path, file, { ...plain, ...tensors }, neighbours);
  const warnings = [...report.warnings, ...neighbours.warnings(report.files), ...copyWarnings(path, out, report.files)];
  neighbours.checkTarget(out);
  const { verified } = report;
  if (verified?.equal === false)
    throw new Failure(`${modelName(path)}: ${verifiedText(verified)}; ${quote(out)} is not written`, 'VERIFY');
  if (verified?.ran === false) warnings.push(partlyVerified(verified));
  const told = (written: number) => {
    progress.step(`writing ${out}: ${Math.floor((written / Math.max(blob.size, 1)) * 100)} %`);
  };
  await reading(path, () => writeBlob(out, blob, told));
  tell(report, warnings, [path, out], call);
  return 0;
}

export const simplifyCommand: Command = {
  name: 'simplify',
  summary: 'Computes what is known of a model, and writes what is left of it.',
  takes: 'IN.onnx OUT.onnx',
  least: 1,
  most: 2,
  options: {
    dim: { value: 'NAME=N', multiple: true, help: 'the size of this name is N' },
    shape: { value: 'INPUT=SIZES', multiple: true, help: 'sizes of an input, such as x=1,3,h,?' },
    value: { value: 'INPUT=VALUE', multiple: true, help: 'this input becomes a constant' },
    output: { value: 'NAME', multiple: true, help: 'keep this output, and no other that is not named so; or OUT.onnx' },
    'max-growth': {
      value: 'BYTES',
      help: 'how much larger the file may become, or 10% (default: 25%, at least 64 KiB)',
    },
    unroll: { value: 'N', help: 'unroll Loops of at most N rounds (default: 0)' },
    'fuse-inexact': { help: 'also fuse nodes where that changes bits of results' },
    skip: { value: 'PASS', multiple: true, help: 'do without the pass of this name, as the report lists it' },
    'value-info': { help: 'write the type and sizes of every value that is known' },
    'trust-names': { help: 'take sizes to which the file gives one name for equal' },
    verify: { value: 'INPUT=VALUE', multiple: true, help: 'run both models on these inputs, and compare the outputs' },
  },
  more: `
IN.onnx can be -, which is standard input. OUT.onnx can be the same file, or -, which is standard output: then the
report goes to standard error. --output - means the same. IN.onnx has less than 4 GiB, files beside it can be of any
size. A size in --shape is a number, a
name, or ? for what the model declares; x=[] is an input without axes. Of --output, --dim, --shape, --value, --skip
and --verify there can be several.

${aboutValues} Lists have the type that
the model declares for the input.

Files beside IN.onnx that hold weights stay as they are. With --verify, a result whose outputs differ is not written.

  broadloom simplify in.onnx out.onnx --dim batch=1 --shape x=1,3,224,224
  broadloom simplify silero_vad.onnx out.onnx --value sr=16000
  broadloom simplify in.onnx out.onnx --dim batch=1 --verify x=x.npy`,
  run,
};
