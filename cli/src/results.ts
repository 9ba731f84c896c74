// Outputs of `run` and `op`: printed, as JSON, or written into a folder.
import { join } from 'node:path';
import type { Runtime, Tensor } from 'broadloom';
import { quote, visible } from '../../shared/visible.js';
import type { Call, OptionRow } from './arguments.js';
import { Failure, UsageError } from './errors.js';
import { fileNames } from './file-names.js';
import { makeFolder, plainPath, realPath } from './files.js';
import { print, printJson } from './output.js';
import { clearProgress, type Progress } from './progress.js';
import { checkedFormat, checkWritable, jsonOf, writeTensorFile } from './tensors.js';

export const resultOptions: { readonly [name: string]: OptionRow } = {
  'output-dir': { value: 'DIR', short: 'o', help: 'write each output into a file in DIR, and print the names' },
  format: { value: 'FORMAT', help: 'of these files: npy (default), pb or json' },
};

export interface Result {
  readonly name: string;
  readonly tensor: Tensor;
}

/** Called before the work, so that a mistyped option costs no time. */
export function checkResultOptions(call: Call): void {
  checkedFormat(call.get('format'));
  if (call.get('format') !== undefined && call.get('output-dir') === undefined)
    throw new UsageError('--format is for files: give --output-dir, too');
  if (call.get('output-dir') === '')
    throw new UsageError('--output-dir is empty: write a folder, such as --output-dir out');
}

/**
 * @param inputs - paths of files that were read, which no output may replace
 * @param facts - what JSON tells besides the outputs
 */
export function giveResults(
  ops: Runtime,
  call: Call,
  results: readonly Result[],
  inputs: readonly string[],
  progress: Progress,
  facts: object = {},
): void {
  const folder = call.get('output-dir');
  const described = ({ name, tensor }: Result) => ({ name, type: tensor.type, dims: tensor.dims });
  if (folder !== undefined) {
    const paths = writeResults(ops, plainPath(folder), call, results, inputs, progress);
    clearProgress();
    if (call.has('json')) {
      printJson({ ...facts, outputs: results.map((result, i) => ({ ...described(result), file: paths[i] })) });
      return;
    }
    for (const [i, { name, tensor }] of results.entries())
      print(`${visible(name)}: ${tensor.type} [${tensor.dims.join(', ')}] -> ${visible(paths[i] ?? '')}`);
  } else if (call.has('json')) {
    const outputs = results.map(({ name, tensor }) => ({ name, ...jsonOf(`output ${quote(name)}`, tensor) }));
    clearProgress();
    printJson({ ...facts, outputs });
  } else {
    for (const { tensor } of results) void tensor.data; // what is too large to be written out is an error, not a print
    clearProgress();
    for (const { name, tensor } of results) print(`${visible(name)}: ${tensor}`);
  }
}

function writeResults(
  ops: Runtime,
  folder: string,
  call: Call,
  results: readonly Result[],
  inputs: readonly string[],
  progress: Progress,
): string[] {
  const format = checkedFormat(call.get('format'));
  for (const { name, tensor } of results) checkWritable(`output ${quote(name)}`, tensor, format);
  const paths = fileNames(results.map(({ name }) => name)).map((file) => join(folder, `${file}.${format}`));
  const read = new Set(inputs.map(realPath));
  makeFolder(folder);
  for (const path of paths) {
    const real = realPath(path);
    if (real !== undefined && read.has(real))
      throw new Failure(`${quote(path)} is an input: choose another --output-dir`);
  }
  for (const [i, { tensor }] of results.entries()) {
    progress.step(`writing ${paths[i]}`);
    writeTensorFile(ops, paths[i] as string, tensor, format);
  }
  return paths;
}
