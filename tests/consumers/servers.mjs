// Server runtimes, test runners and the compiler of TypeScript, as consumers of the package.
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const tools = fileURLToPath(new URL('./node_modules/', import.meta.url));
const require = createRequire(import.meta.url);
const versionOf = (name) => require(`${name}/package.json`).version;
const node = process.execPath;
const nodeVersion = `Node ${process.versions.node}`;

function assertEqual(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what} is ${actual}, wanted ${expected}`);
}

/** A program that its package has in one package for each platform. */
function platformProgram(scope, path) {
  const name = readdirSync(join(tools, scope)).find((folder) => existsSync(join(tools, scope, folder, path)));
  return join(tools, scope, name, path);
}

/** The last line of what `files` of a project, without its node_modules, print in an empty folder. */
async function runElsewhere(project, files, environment, command, args) {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-'));
  try {
    for (const file of files) cpSync(join(project.folder, file), join(folder, basename(file)));
    return await project.program(environment, command, args, { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs tests that write the result of the check into files; one row for each. */
async function runTests(project, files, command, args, { env = {} } = {}) {
  await project.execute(command, args, { env: { ...process.env, CI: 'true', ...env } });
  return Object.entries(files).map(([file, environment]) => ({ environment, result: JSON.parse(project.read(file)) }));
}

/** The check in one file of CommonJS, for those who cannot import. */
function bundleCheck(project) {
  return build({
    entryPoints: [join(project.folder, 'check.js')],
    outfile: join(project.folder, 'check.cjs'),
    bundle: true,
    format: 'cjs',
  });
}

/** Rows of a main.cjs that also tells which file it got, and whether import gave the same runtime. */
async function runRequiring(project, environment, command, args, { entry, sameAsImport }) {
  const [{ result }] = await project.program('', command, [...args, 'main.cjs']);
  assertEqual(result.entry, join(project.folder, 'node_modules/broadloom/dist', entry), 'the required file');
  assertEqual(result.sameAsInline, true, 'that broadloom/inline gives the same runtime');
  assertEqual(result.sameAsImport, sameAsImport, 'that import gives the same runtime');
  const what = sameAsImport ? 'and import share a runtime' : 'has a runtime of its own';
  return { environment: `${environment}: require ${what} (${entry})`, result };
}

const nodeEsm = {
  name: 'node-esm',
  async run({ folder, program }) {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const read = [
      'package.json',
      'main.js',
      'check.js',
      'data.js',
      'node_modules/broadloom/package.json',
      'node_modules/broadloom/dist/inline.js',
    ];
    return [
      ...(await program(`${nodeVersion}, import`, node, ['main.js'])),
      ...(await program(`${nodeVersion}, no code from strings`, node, [
        '--disallow-code-generation-from-strings',
        'main.js',
      ])),
      ...(await program(`${nodeVersion}, may read its modules only`, node, [
        permission,
        ...read.map((file) => `--allow-fs-read=${join(folder, file)}`),
        'main.js',
      ])),
    ];
  },
};

const nodeCjs = {
  name: 'node-cjs',
  run: async (project) => [
    await runRequiring(project, nodeVersion, node, [], { entry: 'inline.js', sameAsImport: true }),
    await runRequiring(project, 'as older Node', node, ['--no-experimental-require-module'], {
      entry: 'cjs/index.js',
      sameAsImport: false,
    }),
  ],
};

const nodeBundle = {
  name: 'node-bundle',
  async run(project) {
    const outputs = [
      ['esbuild.mjs', `esbuild ${versionOf('esbuild')} --format=esm`],
      ['esbuild.cjs', `esbuild ${versionOf('esbuild')} --format=cjs`],
      ['webpack.cjs', `webpack ${versionOf('webpack')}, target node`],
    ];
    for (const [format, file] of [
      ['esm', 'esbuild.mjs'],
      ['cjs', 'esbuild.cjs'],
    ]) {
      const args = ['main.js', '--bundle', '--platform=node', `--format=${format}`, `--outfile=dist/${file}`];
      await project.execute(join(tools, '.bin/esbuild'), args);
    }
    const { default: webpack } = await import('webpack');
    const { default: config } = await import(pathToFileURL(join(project.folder, 'webpack.config.js')));
    const stats = await new Promise((done, fail) => {
      webpack(
        { ...config, context: project.folder, output: { ...config.output, path: join(project.folder, 'dist') } },
        (error, stats) => (error ? fail(error) : done(stats)),
      );
    });
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
    const rows = [];
    for (const [file, what] of outputs)
      rows.push(...(await runElsewhere(project, [`dist/${file}`], `${what}: one file, run elsewhere`, node, [file])));
    return rows;
  },
};

const jest = {
  name: 'jest',
  run: (project) =>
    runTests(
      project,
      {
        'node.json': `Jest ${versionOf('jest')}, import, node`,
        'jsdom.json': `Jest ${versionOf('jest')}, import, jsdom with a setup file`,
      },
      join(tools, '.bin/jest'),
      [],
      { env: { NODE_OPTIONS: '--experimental-vm-modules' } },
    ),
};

const jestCjs = {
  name: 'jest-cjs',
  async run(project) {
    await bundleCheck(project);
    const files = {
      'node.json': `Jest ${versionOf('jest')}, require, node`,
      'jsdom.json': `Jest ${versionOf('jest')}, require, jsdom`,
    };
    return runTests(project, files, join(tools, '.bin/jest'), []);
  },
};

const vitest = {
  name: 'vitest',
  run: (project) =>
    runTests(
      project,
      { 'node.json': `Vitest ${versionOf('vitest')}, node`, 'jsdom.json': `Vitest ${versionOf('vitest')}, jsdom` },
      join(tools, '.bin/vitest'),
      ['run'],
    ),
};

const bun = {
  name: 'bun',
  async run(project) {
    const program = platformProgram('@oven', 'bin/bun');
    const version = `Bun ${versionOf('bun')}`;
    await project.execute(program, ['build', 'main.js', '--target=bun', '--outfile=bundle.js']);
    await project.execute(program, ['build', 'main.js', '--compile', '--outfile=program']);
    return [
      ...(await project.program(`${version}, import`, program, ['main.js'])),
      await runRequiring(project, version, program, [], { entry: 'inline.js', sameAsImport: true }),
      ...(await runTests(project, { 'node.json': `${version}, bun test` }, program, ['test'])),
      ...(await runElsewhere(project, ['bundle.js'], `${version}, bun build: one file, run elsewhere`, program, [
        'bundle.js',
      ])),
      ...(await runElsewhere(project, ['program'], `${version}, bun build --compile, run elsewhere`, './program', [])),
    ];
  },
};

const deno = {
  name: 'deno',
  async run(project) {
    const program = platformProgram('@deno', 'deno');
    const env = { DENO_NO_UPDATE_CHECK: '1', DENO_DIR: join(project.folder, '.deno') };
    await project.execute(program, ['check', '--no-remote', 'main.ts'], { env: { ...process.env, ...env } });
    const args = ['run', '--no-remote', '--no-prompt', 'main.ts'];
    return project.program(`Deno ${versionOf('deno')}, no permissions, types checked`, program, args, { env });
  },
};

const workerd = {
  name: 'workerd',
  async run(project) {
    const rows = [];
    for (const conditions of ['', 'edge-light']) {
      const folder = conditions || 'out';
      const env = {
        ...process.env,
        WRANGLER_SEND_METRICS: 'false',
        WRANGLER_HIDE_BANNER: 'true', // and asks no registry for a newer version
        WRANGLER_LOG_PATH: join(project.folder, '.wrangler'),
        ...(conditions && { WRANGLER_BUILD_CONDITIONS: conditions }),
      };
      await project.execute(join(tools, '.bin/wrangler'), ['deploy', '--dry-run', '--outdir', folder], { env });
      rows.push({
        environment: `workerd ${versionOf('workerd')} by wrangler ${versionOf('wrangler')}, entry ${conditions || 'workerd'}`,
        result: await askWorker(join(project.folder, folder)),
      });
    }
    return rows;
  },
};

/** What the worker that wrangler wrote into `folder` answers. */
async function askWorker(folder) {
  const { Miniflare } = await import('miniflare');
  const modules = readdirSync(folder).filter((file) => file.endsWith('.wasm'));
  const server = new Miniflare({
    modulesRoot: folder,
    modules: [
      { type: 'ESModule', path: join(folder, 'main.js') },
      ...modules.map((file) => ({ type: 'CompiledWasm', path: join(folder, file) })),
    ],
    compatibilityDate: '2026-04-01',
    cf: false, // it would be asked of a server
  });
  try {
    const response = await server.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } finally {
    await server.dispose();
  }
}

/** Compilers, how they are called, and what they differ in. */
const typescriptRuns = [
  [tools, 'module nodenext, lib es2022 and dom'],
  [join(tools, '../../../node_modules'), 'module nodenext, lib es2022 and dom'], // the one that this repository uses
  [tools, 'module node16, lib esnext and dom', '--module', 'node16', '--lib', 'esnext,dom'],
  [tools, 'module preserve, moduleResolution bundler', '--module', 'preserve', '--moduleResolution', 'bundler'],
  [tools, 'module commonjs', '--module', 'commonjs'],
  [tools, "lib es2022, Node's types", '--lib', 'es2022', '--types', 'node'],
];

const typescript = {
  name: 'typescript',
  run: (project) =>
    Promise.all(
      typescriptRuns.map(async ([modules, what, ...args]) => {
        const { version } = require(join(modules, 'typescript/package.json'));
        await project.execute(join(modules, '.bin/tsc'), ['-p', '.', '--pretty', 'false', ...args]);
        return { environment: `TypeScript ${version}, ${what}`, result: 'compiles' };
      }),
    ),
};

export const servers = [nodeEsm, nodeCjs, nodeBundle, jest, jestCjs, vitest, bun, deno, workerd, typescript];
