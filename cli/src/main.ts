// The command `broadloom`. Exit codes: 0 for success, 1 for work that failed (of diff: for a difference, and 2 for work that
// failed), 2 for a command that is written wrong.
import process from 'node:process';
import { didYouMean } from '../../shared/names.js';
import { quote, visible } from '../../shared/visible.js';
import { type Command, helpOf, readArguments, usageOf } from './arguments.js';
import { diffCommand } from './command-diff.js';
import { inspectCommand } from './command-inspect.js';
import { opCommand } from './command-op.js';
import { operatorsCommand } from './command-operators.js';
import { runCommand } from './command-run.js';
import { simplifyCommand } from './command-simplify.js';
import { testCommand } from './command-test.js';
import { toFailure, UsageError } from './errors.js';
import { complain, endWithOutput, print, printJson, table } from './output.js';
import { clearProgress } from './progress.js';

/** Put in by the build. */
declare const broadloomVersion: string;

const commands: readonly Command[] = [
  runCommand,
  testCommand,
  inspectCommand,
  simplifyCommand,
  diffCommand,
  opCommand,
  operatorsCommand,
];
const usage = 'usage: broadloom COMMAND [arguments]';
const versionFlags = ['--version', '-v', '-V'];

const help = `Runs ONNX operators and models.

${usage}

${table(
  commands.map(({ name, takes, summary }) => [`${name} ${takes}`, summary]),
  '  ',
)}

broadloom COMMAND --help tells more; broadloom --version (-v) prints the version.`;

function unknownCommand(name: string): UsageError {
  if (name.startsWith('-')) return new UsageError(`there is no option ${quote(name)} before the command`);
  if (name.endsWith('.onnx'))
    return new UsageError(
      `${quote(name)} is not a command: write broadloom run ${visible(name)} or broadloom inspect ${visible(name)}`,
    );
  const names = commands.map((command) => command.name);
  return new UsageError(`no command ${quote(name)}${didYouMean(name, names) || `; there are ${names.join(', ')}`}`);
}

/** Whether an option is there, also where the arguments cannot be read. */
function mentions(args: readonly string[], ...options: string[]): boolean {
  const end = args.indexOf('--');
  return (end < 0 ? args : args.slice(0, end)).some((arg) => options.includes(arg));
}

async function execute(name: string | undefined, args: string[]): Promise<number> {
  if (mentions([name ?? ''], ...versionFlags)) {
    print(broadloomVersion);
    return 0;
  }
  const about = name === 'help' ? args[0] : undefined;
  if (name === '--help' || name === '-h' || (name === 'help' && about === undefined)) {
    print(help);
    return 0;
  }
  if (name === undefined) {
    complain(...help.split('\n'));
    return 2;
  }
  const command = commands.find((one) => one.name === (about ?? name));
  if (command === undefined) throw unknownCommand(about ?? name);
  if (about === undefined && mentions(args, ...versionFlags)) {
    print(broadloomVersion);
    return 0;
  }
  if (about !== undefined || mentions(args, '--help', '-h')) {
    print(helpOf(command));
    return 0;
  }
  return command.run(readArguments(command, args));
}

function tell(error: unknown, name: string | undefined): number {
  clearProgress();
  const failure = toFailure(error);
  const command = commands.find((one) => one.name === name);
  const { message } = failure;
  const isUsage = failure instanceof UsageError;
  const told = isUsage ? { code: 'USAGE', message } : { code: failure.code, message, ...failure.place };
  if (mentions(process.argv.slice(2), '--json')) printJson({ error: told });
  else {
    complain(
      `broadloom${command ? ` ${command.name}` : ''}: ${message}${isUsage || told.code === 'FILE' ? '' : ` (${told.code})`}`,
    );
    if (isUsage)
      complain(command ? usageOf(command) : usage, `broadloom ${command ? `${command.name} ` : ''}--help tells more`);
  }
  return isUsage ? 2 : (command?.failure ?? 1);
}

const [name, ...args] = process.argv.slice(2);
endWithOutput((failure) => tell(failure, name));
try {
  process.exitCode = await execute(name, args);
} catch (error) {
  process.exitCode = tell(error, name);
}
