// The first example of the README and of each guide, pasted alone into an empty project that has the package from its tarball:
// it compiles as main.ts with the options that people have, and runs. Where it reads a file as Node does, the next program that
// does not is pasted, too: it compiles without Node's types.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { pack } from '../../tools/pack.mjs';
import { root } from '../../tools/run.mjs';
import { isDeep } from '../depth.mjs';
import { blocksOf } from './blocks.mjs';
import { commandsOf, problemsIn } from './commands.mjs';

const project = realpathSync(mkdtempSync(join(tmpdir(), 'broadloom-first-')));
after(() => rmSync(project, { recursive: true, force: true }));
const inProject = (command, ...args) => {
  try {
    return execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  }
};
const npm = (...args) => inProject('npm', '--offline', '--no-audit', '--no-fund', '--loglevel=error', ...args);
npm('init', '--yes');
npm('pkg', 'set', 'type=module');
npm('install', pack(project));
mkdirSync(join(project, 'node_modules/@types'));
symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));

const documents = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((file) => `docs/guides/${file}`)];

const isForNode = ({ code }) => /from 'node:/.test(code);

/** The first programs of a document, and the first block of commands that begins with the package's own. */
function firstOf(path) {
  const blocks = blocksOf(readFileSync(join(root, path), 'utf8')).filter(({ file }) => file === undefined);
  const programs = blocks.filter(({ language, code }) => /^[jt]s$/.test(language) && /from 'broadloom/.test(code));
  const first = new Set([programs[0], programs.find((program) => !isForNode(program))]);
  first.delete(undefined);
  return { programs: [...first], commands: blocks.find((block) => commandsOf(block).length > 0) };
}

const examples = documents.map((path) => ({ path, name: basename(path, '.md'), ...firstOf(path) }));
const programs = examples.flatMap(({ path, name, programs: all }) =>
  all.map((program, i) => ({ path, program, name: i === 0 ? name : `${name}-${i}` })),
);
// A short run has the newer one.
const compilers = ['node_modules', ...(isDeep ? ['docs/reference/node_modules'] : [])].map((folder) =>
  join(root, folder, 'typescript/bin/tsc'),
);

/** Compiles the first examples, as modules side by side, with the options of `tsconfig`: those for Node only with Node's types. */
function compile(compiler, tsconfig) {
  for (const { name, program } of programs) {
    const file = join(project, `${name}.ts`);
    if (isForNode(program) && !tsconfig.includes('"types":["node"]')) rmSync(file, { force: true });
    else writeFileSync(file, program.code);
  }
  writeFileSync(join(project, 'tsconfig.json'), tsconfig);
  inProject(
    process.execPath,
    compiler,
    '-p',
    '.',
    '--pretty',
    'false',
    '--outDir',
    'compiled',
    '--skipLibCheck',
    'false',
    '--skipDefaultLibCheck',
  );
}

const options = (more) =>
  JSON.stringify({ compilerOptions: { strict: true, target: 'es2022', module: 'nodenext', ...more } });
const projects = [
  ["strict, with Node's types", () => options({ lib: ['es2022'], types: ['node'] })],
  ['strict, without types of packages', () => options({ lib: ['es2022', 'dom'], types: [] })],
  [
    'as tsc --init writes them',
    (compiler) => {
      rmSync(join(project, 'tsconfig.json'), { force: true });
      inProject(process.execPath, compiler, '--init');
      return readFileSync(join(project, 'tsconfig.json'), 'utf8');
    },
  ],
];

test("the README and every guide have a program without files, but the command's, which has commands", () =>
  assert.deepEqual(
    examples.filter(({ programs: all }) => all.every(isForNode)).map(({ name }) => name),
    ['command-line'],
  ));

for (const compiler of compilers)
  for (const [title, tsconfig] of projects)
    test(`the first examples compile with ${compiler.slice(root.length)} and options ${title}`, () =>
      compile(compiler, tsconfig(compiler)));

for (const { path, name, program } of programs)
  test(`the example of ${path} at line ${program.line} runs alone in an empty project`, () => {
    if (program.language === 'ts') return inProject(process.execPath, join(project, 'compiled', `${name}.js`));
    writeFileSync(join(project, 'main.mjs'), program.code);
    return inProject(process.execPath, 'main.mjs');
  });

test("the first command of the command's guide runs in an empty project, and prints what the guide says", () => {
  const { commands } = examples.find(({ name }) => name === 'command-line');
  assert.deepEqual(problemsIn(project, process.env.PATH, [commands]), []);
});
