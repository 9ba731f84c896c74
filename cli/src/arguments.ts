// Commands as data, and their arguments read by Node's parseArgs.
import { parseArgs } from 'node:util';
import { didYouMean } from '../../shared/names.js';
import { optionInstead } from '../../shared/other-options.js';
import { UsageError } from './errors.js';

export interface OptionRow {
  /** The placeholder of the value in the help; a flag has none. */
  readonly value?: string;
  readonly short?: string;
  readonly multiple?: true;
  readonly help: string;
}

export interface Call {
  readonly positionals: readonly string[];
  /** Whether a flag was given. */
  readonly has: (name: string) => boolean;
  /** The value of an option. */
  readonly get: (name: string) => string | undefined;
  /** The values of an option that can be given several times. */
  readonly all: (name: string) => readonly string[];
}

export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The arguments in the usage line, and how many there can be. */
  readonly takes: string;
  readonly least: number;
  readonly most: number;
  readonly options: { readonly [name: string]: OptionRow };
  /** The exit code where the work fails, if it is not 1. */
  readonly failure?: number;
  /** Paragraphs and examples below the options. */
  readonly more: string;
  /** Does the work. Resolves to the exit code. */
  readonly run: (call: Call) => Promise<number>;
}

export const commonOptions = {
  json: { help: 'print one JSON document, also of an error' },
  help: { short: 'h', help: 'print this help' },
} as const;

export function usageOf({ name, takes }: Command): string {
  return `usage: broadloom ${name} ${takes} [options]`;
}

export function helpOf(command: Command): string {
  const options = Object.entries({ ...command.options, ...commonOptions } as Command['options']);
  const heads = options.map(
    ([name, { short, value }]) => `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
  );
  const width = Math.max(...heads.map(({ length }) => length));
  const lines = options.map(([, { help }], i) => `  ${heads[i]?.padEnd(width)}  ${help}`);
  return `${command.summary}\n\n${usageOf(command)}\n\n${lines.join('\n')}\n\n${command.more.trim()}`;
}

export function readArguments(command: Command, args: string[]): Call {
  const rows: Command['options'] = { ...command.options, ...commonOptions };
  const options = Object.fromEntries(
    Object.entries(rows).map(([name, { value, short, multiple }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        ...(short && { short }),
        ...(multiple && { multiple }),
      },
    ]),
  );
  const parse = (strict: boolean) => parseArgs({ args, options, allowPositionals: true, strict, tokens: true });
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(true);
  } catch (error) {
    const unknown = parse(false).tokens.find((token) => token.kind === 'option' && !(token.name in options));
    if (unknown?.kind === 'option') throw unknownOption(unknown.name, unknown.rawName, command, rows);
    throw new UsageError((error as Error).message.replaceAll('\n', ' '));
  }
  const { values, positionals } = parsed;
  if (positionals.length < command.least)
    throw new UsageError(`${command.takes.split(' ')[positionals.length]} is missing`);
  if (positionals.length > command.most)
    throw new UsageError(`'${positionals[command.most]}' is one argument too many`);
  return {
    positionals,
    has: (name) => values[name] === true,
    get: (name) => values[name] as string | undefined,
    all: (name) => (values[name] ?? []) as string[],
  };
}

/** The names that the library's options of the same meaning have: `maxGrowth` of `max-growth`, `shapes` of `shape`. */
function libraryNames(flags: readonly string[]): string[] {
  return flags.map((flag) =>
    /^(dim|shape|value|output)$/.test(flag) ? `${flag}s` : flag.replace(/-(\w)/g, (_, letter) => letter.toUpperCase()),
  );
}

function unknownOption(name: string, rawName: string, command: Command, rows: Command['options']): UsageError {
  const known = Object.keys(rows);
  const same = optionInstead(name, libraryNames(known), (option) => `--${known[libraryNames(known).indexOf(option)]}`);
  const advice = same || didYouMean(name, known).replace(/'(.+)'/, "'--$1'");
  return new UsageError(
    `${command.name} has no option '${rawName}'${advice || `; it has ${known.map((one) => `--${one}`).join(', ')}`}`,
  );
}

/** A number that an option gives. */
export function numberOf(call: Call, name: string, otherwise: number): number {
  const text = call.get(name);
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  if (text === undefined) return otherwise;
  if (Number.isFinite(value) && value >= 0) return value;
  throw new UsageError(`--${name} is '${text}': write a number from 0, such as --${name} 0.001`);
}

/** A whole number that an option gives, or undefined where it is not given. */
export function wholeNumberOf(call: Call, name: string, others = ''): number | undefined {
  const text = call.get(name);
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`--${name} is '${text}': write a whole number from 0, such as --${name} 1000${others}`);
}

/** The opset that --opset gives. */
export function opsetOf(call: Call): number | undefined {
  const text = call.get('opset');
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`--opset is '${text}': write a whole number from 1, such as --opset 13`);
}
