// Checks all code blocks of one Markdown document. Its js and ts blocks are one program, or one
// from each block that imports `load`. Programs are type-checked and run against the built package. Commands must exist, and those of `broadloom` are run (commands.mjs). Every
// other block is part of a file that the consumer matrix (tests/consumers) runs, be it its own or one of examples.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import ts from '../../docs/reference/node_modules/typescript/lib/typescript.js';
import { root } from '../../tools/run.mjs';
import { blocksOf } from './blocks.mjs';
import { commandsOf, problemsOfCommands } from './commands.mjs';
import { fillFolder } from './folder.mjs';
import { programOf, sourceOf } from './program.mjs';

const folder = join(root, 'build/docs'); // within the package, whose name the programs import
const report = new URL('report.mjs', import.meta.url).href;
const { name: packageName, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The problems of the blocks of `text`, one sentence each. `name` is the document's name without extension. */
export async function problemsOf(name, text) {
  try {
    const blocks = blocksOf(text);
    const code = blocks.filter(({ language, file }) => (language === 'js' || language === 'ts') && file === undefined);
    const problems = blocks.filter((block) => !code.includes(block)).flatMap(problemsOfOther);
    problems.push(...(await problemsOfCommands(blocks.filter(isShell))));
    for (const [i, program] of programsOf(code).entries())
      problems.push(...(await problemsOfProgram(i === 0 ? name : `${name}-${i}`, sourceOf(program))));
    return problems;
  } catch (error) {
    return [error.message];
  }
}

/** The lists of blocks that are one program each. A block that imports `load` begins one. */
function programsOf(blocks) {
  const programs = [];
  for (const block of blocks) {
    if (programs.length === 0 || /^import \{.*\bload\b.*\} from 'broadloom'/m.test(block.code)) programs.push([]);
    programs.at(-1).push(block);
  }
  return programs;
}

const isShell = ({ language, file }) => language === 'sh' && file === undefined;

function problemsOfOther({ language, file, line, code }) {
  if (file !== undefined) {
    const path = join(root, file);
    if (!/^(tests\/consumers|examples)\//.test(file))
      return [`line ${line}: ${file} is not a file of tests/consumers or examples`];
    if (!existsSync(path)) return [`line ${line}: there is no ${file}`];
    return readFileSync(path, 'utf8').includes(code.trimEnd()) ? [] : [`line ${line}: ${file} has another text`];
  }
  if (language === 'sh') {
    // Commands that run are followed by their output.
    const runs = commandsOf({ code, line }).map((command) => command.command);
    const blank = (command) => command.replace(/[^\n]/g, '');
    const rest = runs.reduce((text, command) => text.replace(command, blank), code.trimEnd());
    return rest.split('\n').flatMap((command, i) => problemsOfCommand(command, line + i));
  }
  return [`line ${line}: nothing checks blocks of language ${language} without file=`];
}

function problemsOfCommand(text, line) {
  const command = text.replace(/ *#.*/, '');
  if (command === '') return [];
  const [, script, given = ''] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? [];
  const tools = [...(scripts[script] ?? '').matchAll(/node (\S+\.mjs)/g)].map(([, file]) =>
    readFileSync(join(root, file), 'utf8'),
  );
  const lacks = (given.match(/--[\w-]+/g) ?? []).filter((option) => !tools.some((text) => text.includes(option)));
  if ((script in scripts && lacks.length === 0) || command === `npm install ${packageName}`) return [];
  return [`line ${line}: "${command}" is not a command that is checked`];
}

async function problemsOfProgram(name, source) {
  const { code, expectations } = programOf(source, report);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  linkPeer('onnxruntime-web');
  const typed = join(folder, `${name}.mts`);
  writeFileSync(typed, source);
  const problems = typeProblems(typed);
  const program = join(folder, `${name}.mjs`);
  const result = join(folder, `${name}.json`);
  writeFileSync(program, code);
  rmSync(result, { force: true });
  const cwd = mkdtempSync(join(tmpdir(), 'broadloom-docs-'));
  try {
    await fillFolder(cwd);
    const env = { ...process.env, DOCS_REPORT: result };
    await promisify(execFile)(process.execPath, ['--expose-gc', program], { cwd, env, timeout: 60_000 });
  } catch (error) {
    return [...problems, `the program failed: ${stripVTControlCharacters(error.stderr ?? error.message)}`];
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
  return [...problems, ...resultProblems(expectations, JSON.parse(readFileSync(result, 'utf8')))];
}

/** Links the playground's peer, because documents compare with it. */
function linkPeer(peer) {
  try {
    symlinkSync(join(root, 'web-demo/node_modules', peer), join(folder, 'node_modules', peer));
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // an earlier or another process made it
  }
}

const typeOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.esnext.disposable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};

// The library's declarations are read once: half of the time of most programs went to them.
const host = ts.createCompilerHost(typeOptions);
const declarations = new Map();
const readSource = host.getSourceFile;
host.getSourceFile = (path, ...options) => {
  if (!path.endsWith('.d.ts')) return readSource(path, ...options);
  if (!declarations.has(path)) declarations.set(path, readSource(path, ...options));
  return declarations.get(path);
};

function typeProblems(path) {
  const program = ts.createProgram([path], typeOptions, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file === undefined ? '?' : file.getLineAndCharacterOfPosition(start).line + 1;
    return `line ${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function resultProblems(expectations, records) {
  return expectations.flatMap(({ line, kind, text }) => {
    const results = records.filter((record) => record.line === line);
    if (results.length === 0) return [`line ${line}: was not reached`];
    return results
      .filter((result) => !fits(kind, text, result.text))
      .map((result) => `line ${line}: is ${result.text}, the comment says ${text}`);
  });
}

function fits(kind, expected, actual) {
  if (kind === 'value') return expected === actual || (expected.startsWith(`${actual} (`) && expected.endsWith(')'));
  if (kind === 'printed') return expected === actual.replace(/ +$/gm, '');
  const parts = expected.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual);
}
