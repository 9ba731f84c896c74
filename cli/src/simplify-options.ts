// What `simplify` is told by flags, as the library takes it.
import type { Runtime, SimplifyOptions, TensorLike, ValueInfo } from 'broadloom';
import { didYouMean } from '../../shared/names.js';
import { quote } from '../../shared/visible.js';
import { type Call, wholeNumberOf } from './arguments.js';
import { UsageError } from './errors.js';
import { readAssignment, readValue, withMedia } from './inputs.js';

type Size = number | string | null;

/** NAME=TEXT, split at the last `=`: a name may contain `=`, and the text cannot. */
function splitAtEquals(option: string, argument: string, example: string): [name: string, text: string] {
  const place = argument.lastIndexOf('=');
  if (place > 0) return [argument.slice(0, place), argument.slice(place + 1).trim()];
  throw new UsageError(`--${option} ${quote(argument)} has no name: write --${option} ${example}`);
}

/** Each argument of an option as an entry of an object; a name can be given once. */
export function collect<T>(call: Call, option: string, read: (argument: string) => [string, T]): { [name: string]: T } {
  const entries = new Map<string, T>();
  for (const argument of call.all(option)) {
    const [name, value] = read(argument);
    if (entries.has(name)) throw new UsageError(`--${option} ${quote(name)} is given twice`);
    entries.set(name, value);
  }
  return Object.fromEntries(entries);
}

/** The size that a text of digits means. */
function numberIn(text: string): number | undefined {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

function readDim(argument: string): [string, number] {
  const [name, text] = splitAtEquals('dim', argument, 'batch=1');
  const size = numberIn(text);
  if (size !== undefined) return [name, size];
  throw new UsageError(
    `--dim ${quote(argument)}: ${quote(text)} is not a size: write a whole number, such as --dim batch=1`,
  );
}

/** INPUT=SIZES of --shape. */
export function readSizes(argument: string): [string, Size[]] {
  const [name, text] = splitAtEquals('shape', argument, 'x=1,3,h,w');
  const [, inner = text] = /^\[(.*)\]$/s.exec(text) ?? [];
  const wrong = (what: string) =>
    new UsageError(
      `--shape ${quote(argument)}: ${what}: write numbers, names and ?, such as --shape x=1,3,h,?, or x=[] for no axes`,
    );
  if (inner.trim() === '') {
    if (inner !== text) return [name, []];
    throw wrong('there are no sizes');
  }
  const sizes = inner.split(',').map((part): Size => {
    const size = part.trim();
    if (size === '?') return null;
    if (/^(?:[+-].*|[\d.]*)$/.test(size)) {
      const number = numberIn(size);
      if (number === undefined) throw wrong(`${quote(size)} is not a size`);
      return number;
    }
    return size;
  });
  return [name, sizes];
}

/** The values of --value or --verify, with the types that the model declares. */
async function readTensors(
  ops: Runtime,
  call: Call,
  option: 'value' | 'verify',
  inputs: readonly ValueInfo[],
): Promise<{ [name: string]: TensorLike }> {
  const names = inputs.map(({ name }) => name);
  const assignments = collect(call, option, (argument) => {
    const assignment = readAssignment(ops, option, argument, names);
    return [assignment.name, assignment];
  });
  const decoded = await withMedia(Object.values(assignments));
  const tensors = decoded.map((assignment): [string, TensorLike] => {
    const { name } = assignment;
    const declared = inputs.find((input) => input.name === name);
    const wanted = () => {
      if (declared?.type) return declared.type;
      const advice = didYouMean(name, names);
      throw new UsageError(
        `--${option} ${quote(name)}: the model declares no input ${quote(name)} that must be given${advice || `; if it is one with a default, write its type: --${option} '${name}:float32=[...]'`}`,
      );
    };
    return [name, readValue(ops, `--${option} ${quote(name)}`, assignment, wanted, declared?.dims)];
  });
  return Object.fromEntries(tensors);
}

/** The growth that --max-growth allows: bytes, or a part of the file. */
function growthOf(call: Call): SimplifyOptions['maxGrowth'] {
  const text = call.get('max-growth');
  if (text !== undefined && /^\d+(\.\d+)?%$/.test(text)) return text as `${number}%`;
  return wholeNumberOf(call, 'max-growth', ', or a part of the file such as --max-growth 10%');
}

/** The options that need no model. They are read before the file, so that a mistyped one costs no time. */
export function readPlainOptions(call: Call): SimplifyOptions {
  const skip = call.all('skip');
  const maxGrowth = growthOf(call);
  const unroll = wholeNumberOf(call, 'unroll');
  return {
    dims: collect(call, 'dim', readDim),
    shapes: collect(call, 'shape', readSizes),
    ...(maxGrowth !== undefined && { maxGrowth }),
    ...(unroll !== undefined && { unroll }),
    fuseInexact: call.has('fuse-inexact'),
    valueInfo: call.has('value-info'),
    ...(call.has('trust-names') && { trustNames: true }),
    ...(skip.length > 0 && { skip }),
  };
}

/**
 * The tensors of --value and --verify.
 *
 * @param inputs - asked for only where there are any
 */
export async function readTensorOptions(
  ops: Runtime,
  call: Call,
  inputs: () => Promise<readonly ValueInfo[]>,
): Promise<Pick<SimplifyOptions, 'values' | 'verify'>> {
  const isVerified = call.all('verify').length > 0;
  if (!isVerified && call.all('value').length === 0) return {};
  const declared = await inputs();
  return {
    values: await readTensors(ops, call, 'value', declared),
    ...(isVerified && { verify: { feeds: await readTensors(ops, call, 'verify', declared) } }),
  };
}

/** The flags that an error of the library tells of, since it quotes a name that they have: `--dim bacth`. */
export function flagsIn(message: string, options: SimplifyOptions): string[] {
  const names: [flag: string, names: readonly string[]][] = [
    ['--dim', Object.keys(options.dims ?? {})],
    ['--shape', Object.keys(options.shapes ?? {})],
    ['--value', Object.keys(options.values ?? {})],
    ['--output', options.outputs ?? []],
    ['--skip', options.skip ?? []],
    ['--verify', Object.keys(options.verify?.feeds ?? {})],
  ];
  return names.flatMap(([flag, of]) =>
    of.filter((name) => message.includes(`'${name}'`)).map((name) => `${flag} ${name}`),
  );
}
