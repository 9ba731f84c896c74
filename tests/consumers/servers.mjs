// Server runtimes, and bundles for them, as consumers of the package.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as onnx from '../../tools/models/writer.mjs';
import { platformProgram, programOf, runElsewhere, runTests, versionOf } from './tools.mjs';

const node = process.execPath;
const nodeVersion = `Node ${process.versions.node}`;

function assertEqual(actual, expected, what) {
  if (actual !== expected) throw new Error(`${what} is ${actual}, wanted ${expected}`);
}

/** The row of a main.cjs, with the file that require loaded and whether import returned the same runtime. */
async function runRequiring(project, environment, command, args, { entry, sameAsImport }) {
  const [{ result }] = await project.program('', command, [...args, 'main.cjs']);
  assertEqual(result.entry, join(project.folder, 'node_modules/broadloom/dist', entry), 'the required file');
  assertEqual(result.sameAsInline, true, 'that broadloom/inline gives the same runtime');
  assertEqual(result.sameAsImport, sameAsImport, 'that import gives the same runtime');
  const what = sameAsImport ? 'and import share a runtime' : 'has a runtime of its own';
  return { environment: `${environment}: require ${what} (${entry})`, result };
}

/** Tests the package's command: a result in a file, a model that is simplified in place, and an error. */
async function runCommand(project, environment, program, args, env = process.env) {
  const { bin } = JSON.parse(project.read('node_modules/broadloom/package.json'));
  const broadloom = (...words) =>
    project.execute(program, [...args, join('node_modules/broadloom', bin.broadloom), ...words], { env });
  const expand = ['op', 'Expand', '-i', 'input:float32=[[1], [2]]', '-i', 'shape=[2, 2]'];
  assertEqual(
    (await broadloom(...expand, '-o', 'out')).stdout,
    'output: float32 [2, 2] -> out/output.npy\n',
    'the result',
  );
  const { stdout } = await broadloom('op', 'Identity', '-i', 'input=out/output.npy', '--json');
  assertEqual(JSON.stringify(JSON.parse(stdout).outputs[0].data), '[1,1,2,2]', 'the file');
  // These weights are large enough to stay in their file during simplification.
  const weights = Array.from({ length: 1 << 16 }, (_, i) => i);
  const graph = [
    onnx.bytes(5, [onnx.tensor([weights.length], weights), onnx.bytes(8, 'w')]),
    onnx.node('Identity', '', ['x'], ['same']),
    onnx.node('Add', '', ['same', 'w'], ['y']),
    onnx.input('x', 'float32', ['n']),
    onnx.output('y', 'float32', ['m']),
  ];
  writeFileSync(join(project.folder, 'out/model.onnx'), onnx.model('sum', graph));
  await broadloom('simplify', 'out/model.onnx', 'out/model.onnx', '--dim', 'n=1', '--json');
  const run = await broadloom('run', 'out/model.onnx', '-i', 'x=[1]', '--json');
  assertEqual(JSON.parse(run.stdout).outputs[0].data.at(-1), weights.length, 'what the simplified model gives');
  const mistake = await broadloom('op', 'Expand', '--inptu').catch((error) => error);
  assertEqual(mistake.code, 2, 'the exit code of a mistake');
  assertEqual(/did you mean '--input'/.test(mistake.stderr), true, 'that a mistake is told');
  const failure = await broadloom('run', 'nothing.onnx').catch((error) => error);
  assertEqual(failure.code, 1, 'the exit code of a failure');
  return { environment: `${environment}: the command broadloom`, result: 'runs' };
}

const nodeEsm = {
  name: 'node-esm',
  async run(project) {
    const { folder, program } = project;
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const read = [
      'package.json',
      'print.js',
      'check.js',
      'check-entries.js',
      'agreement.js',
      'data.js',
      'node_modules/broadloom/package.json',
      'node_modules/broadloom/dist/node.js',
      'node_modules/broadloom/dist/onnxruntime-node.js',
      'node_modules/broadloom/dist/ort-node.js',
      'node_modules/broadloom/dist/broadloom.wasm',
      'node_modules/onnxruntime-common/*',
    ];
    return [
      ...(await program(`${nodeVersion}, import`, node, ['print.js'])),
      ...(await program(`${nodeVersion}, no code from strings`, node, [
        '--disallow-code-generation-from-strings',
        'print.js',
      ])),
      ...(await program(`${nodeVersion}, may read its modules only`, node, [
        permission,
        ...read.map((file) => `--allow-fs-read=${join(folder, file)}`),
        'print.js',
        'alone', // a worker would need a permission
      ])),
      await runCommand(project, nodeVersion, node, []),
    ];
  },
};

const nodeCjs = {
  name: 'node-cjs',
  run: async (project) => [
    await runRequiring(project, nodeVersion, node, [], { entry: 'node.js', sameAsImport: true }),
    await runRequiring(project, 'as older Node', node, ['--no-experimental-require-module'], {
      entry: 'cjs/index.js',
      sameAsImport: false,
    }),
  ],
};

const nodeBundle = {
  name: 'node-bundle',
  async run(project) {
    const bundle = (...args) => project.execute(programOf('esbuild'), [...args, '--bundle', '--platform=node']);
    await bundle('print.js', '--format=esm', '--outfile=dist/import.mjs');
    await bundle('print.js', '--outfile=dist/import.cjs');
    await bundle('print.cjs', '--outfile=dist/require.cjs');
    const { default: webpack } = await import('webpack');
    const { default: config } = await import(pathToFileURL(join(project.folder, 'webpack.config.js')));
    const stats = await new Promise((done, fail) => {
      webpack(
        { ...config, context: project.folder, output: { ...config.output, path: join(project.folder, 'dist') } },
        (error, stats) => (error ? fail(error) : done(stats)),
      );
    });
    if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString());
    const esbuild = `esbuild ${versionOf('esbuild')} --platform=node`;
    const outputs = {
      'import.mjs': `${esbuild} --format=esm`,
      'import.cjs': esbuild,
      'require.cjs': `${esbuild}, require`,
      'webpack.cjs': `webpack ${versionOf('webpack')}, target node`,
    };
    const rows = [];
    for (const [file, what] of Object.entries(outputs))
      rows.push(...(await runElsewhere(project, `dist/${file}`, `${what}: one file`, node, [file, 'alone'])));
    return rows;
  },
};

const bun = {
  name: 'bun',
  async run(project) {
    const program = platformProgram('@oven', 'bin/bun');
    const version = `Bun ${versionOf('bun')}`;
    await project.execute(program, ['build', 'print.js', '--target=bun', '--outfile=bundle.js']);
    await project.execute(program, ['build', 'print.cjs', '--compile', '--outfile=program']);
    return [
      ...(await project.program(`${version}, import`, program, ['print.js'])),
      await runRequiring(project, version, program, [], { entry: 'inline.js', sameAsImport: true }),
      ...(await runTests(project, { 'node.json': `${version}, bun test` }, program, ['test', '--timeout', '60000'])),
      ...(await runElsewhere(project, 'bundle.js', `${version}, bun build: one file`, program, ['bundle.js', 'alone'])),
      ...(await runElsewhere(project, 'program', `${version}, bun build --compile, require`, './program', [])),
      await runCommand(project, version, program, []),
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
    const version = `Deno ${versionOf('deno')}`;
    const permissions = ['run', '--no-remote', '--no-prompt', '--allow-read=.', '--allow-write=.'];
    return [
      ...(await project.program(`${version}, no permissions, types checked`, program, args, { env })),
      await runCommand(project, version, program, permissions, { ...process.env, ...env }),
    ];
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
        WRANGLER_HIDE_BANNER: 'true', // then it does not ask a registry for a newer version
        WRANGLER_LOG_PATH: join(project.folder, '.wrangler'),
        ...(conditions && { WRANGLER_BUILD_CONDITIONS: conditions }),
      };
      await project.execute(programOf('wrangler'), ['deploy', '--dry-run', '--outdir', folder], { env });
      rows.push({
        environment: `workerd ${versionOf('workerd')} by wrangler ${versionOf('wrangler')}, entry ${conditions || 'workerd'}`,
        result: await askWorker(join(project.folder, folder)),
      });
    }
    return rows;
  },
};

/** The response of the worker that wrangler wrote into `folder`. */
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
    cf: false, // otherwise a server is asked for it
  });
  try {
    const response = await server.dispatchFetch('http://localhost/');
    if (!response.ok) throw new Error(await response.text());
    return await response.json();
  } finally {
    await server.dispose();
  }
}

export const servers = [nodeEsm, nodeCjs, nodeBundle, bun, deno, workerd];
