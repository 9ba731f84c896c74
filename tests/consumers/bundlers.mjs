// Bundlers, and browsers without a bundler, as consumers of the package.
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpackWith from 'webpack';
import { usualBrowsers } from '../browser/helpers/browsers.mjs';
import { serve } from '../browser/helpers/server.mjs';
import { isDeep } from '../depth.mjs';
import {
  libraryFiles,
  readAddressInBrowsers,
  readInBrowsers,
  strictPolicy,
  workerFiles,
  writePage,
} from './browsers.mjs';
import { runTool, startTool, versionOf } from './tools.mjs';

/** Vite's program by its path, because both versions have the same name. */
const viteProgram = (name) => `${name}/bin/vite.js`;

/**
 * The development server and the build. The servers of Vite 7 and Vite 8 bundle dependencies differently. A short run takes the
 * newer one, and of browsers Chromium: pages without a bundler are read in all of them.
 */
async function vite(project) {
  writePage(project, 'index.html', '/main.js');
  const rows = [];
  for (const name of isDeep ? ['vite', 'vite-7'] : ['vite']) {
    const program = viteProgram(name);
    rmSync(join(project.folder, 'node_modules/.vite'), { recursive: true, force: true });
    const what = `Vite ${versionOf(name)}`;
    const server = await startTool(project, program, ['--host', '127.0.0.1']);
    const read = readAddressInBrowsers(server.address, `${what}, development server`, usualBrowsers);
    rows.push(...(await read.finally(server.close)));
    await runTool(project, program, ['build']);
    const built = { what: `${what}, build, strict CSP`, browsers: usualBrowsers };
    rows.push(...(await readInBrowsers(join(project.folder, 'dist'), built)));
  }
  return rows;
}

/** Runs webpack as its command line does, which is a separate package. */
async function webpack(project) {
  const { default: config } = await import(pathToFileURL(join(project.folder, 'webpack.config.js')));
  const stats = await new Promise((resolve, reject) => {
    webpackWith({ ...config, context: project.folder }, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
  writePage(project, 'index.html', 'dist/main.js');
  return readInBrowsers(project.folder, { what: `webpack ${versionOf('webpack')}, strict CSP` });
}

const nextName = `Next.js ${versionOf('next')}`;
const nextEnvironment = { NEXT_TELEMETRY_DISABLED: '1' };

/** The page in the browsers, and a route for each of the server's runtimes. */
async function readNext(server, what, runtimes) {
  const { address, close } = await server;
  try {
    const rows = [];
    for (const runtime of runtimes) {
      const response = await fetch(new URL(runtime, address));
      if (!response.ok) throw new Error(`${what}, ${runtime}: ${response.status} ${await response.text()}`);
      rows.push({ environment: `${what}, ${runtime} runtime`, result: await response.json() });
    }
    const pages = [...(await readAddressInBrowsers(address, what))];
    pages.push(...(await readAddressInBrowsers(new URL('worker', address).href, `${what}, a page with a worker`)));
    return [...pages, ...rows];
  } finally {
    await close();
  }
}

async function next(project) {
  const address = ['-H', '127.0.0.1', '-p', '0'];
  const start = (command) => startTool(project, 'next', [command, ...address], nextEnvironment);
  const rows = await readNext(start('dev'), `${nextName}, next dev`, ['nodejs', 'edge']);
  await runTool(project, 'next', ['build'], nextEnvironment);
  rows.push(...(await readNext(start('start'), `${nextName}, Turbopack`, ['nodejs', 'edge'])));
  // Next.js 16.4 with webpack fails on any edge route, because it reads a file that it has not written.
  rmSync(join(project.folder, 'app/edge'), { recursive: true });
  await runTool(project, 'next', ['build', '--webpack'], nextEnvironment);
  return [...rows, ...(await readNext(start('start'), `${nextName}, webpack`, ['nodejs']))];
}

/** Runs scripts of the project's package.json, and opens the page that each of them builds. */
async function pages(project, what, scripts, names) {
  for (const script of scripts) await project.execute('npm', ['run', script]);
  const rows = [];
  for (const [name, how] of Object.entries(names)) {
    writePage(project, `${name}.html`, `dist/${name}.js`);
    rows.push(
      ...(await readInBrowsers(project.folder, {
        what: `${what}, ${how}`,
        path: `${name}.html`,
        browsers: usualBrowsers,
      })),
    );
  }
  return rows;
}

const beside = '.wasm copied beside the bundle';
const inline = 'broadloom/inline';

function esbuild(project) {
  const names = {
    beside,
    imported: '.wasm imported as a file',
    inline,
    workers: 'broadloom/worker in a bundle of its own',
  };
  return pages(project, `esbuild ${versionOf('esbuild')}`, Object.keys(names), names);
}

const rollup = (project) =>
  pages(project, `Rollup ${versionOf('rollup')}`, ['build'], {
    beside,
    inline,
    workers: 'broadloom/worker in a bundle of its own',
  });

async function viteWorker(project) {
  writePage(project, 'index.html', 'two-workers.js');
  await runTool(project, viteProgram('vite'), ['build']);
  const what = `Vite ${versionOf('vite')}, build, two workers, strict CSP`;
  return readInBrowsers(join(project.folder, 'dist'), { what });
}

/** Opens a page with an import map. Its policy must name the inline script by its hash. */
function importMap(project) {
  const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(project.read('index.html'));
  const hash = createHash('sha256').update(map).digest('base64');
  const policy = strictPolicy.replace("'self'", `'self' 'sha256-${hash}'`);
  return readInBrowsers(project.folder, {
    what: 'import map',
    policy,
    requests: ['/', '/main.js', ...libraryFiles, ...workerFiles],
  });
}

/** Opens a page whose package is on another server. */
async function cdn(project) {
  const server = await serve(join(project.folder, 'node_modules/broadloom'), { anyOrigin: true });
  const { origin } = new URL(server.address);
  // A worker runs a copy of the other origin's script.
  const policy = `${strictPolicy}; worker-src blob:`
    .replace("script-src 'self'", `script-src 'self' ${origin}`)
    .replace("connect-src 'self'", `connect-src ${origin}`);
  const path = `/?cdn=${server.address}`;
  return readInBrowsers(project.folder, { what: 'from another origin', policy, path }).finally(server.close);
}

export const bundlers = [
  { name: 'cdn', run: cdn },
  { name: 'import-map', run: importMap },
  {
    name: 'script-tag',
    run: (project) =>
      readInBrowsers(project.folder, {
        what: '<script>, the global broadloom',
        policy: strictPolicy.replace("'self'", "'self' 'unsafe-inline'"),
      }),
  },
  {
    name: 'browser-inline',
    run: (project) =>
      readInBrowsers(project.folder, {
        what: 'broadloom/inline, nothing fetched',
        policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
        requests: ['/', '/main.js', '/check.js', '/agreement.js', '/data.js', '/node_modules/broadloom/dist/inline.js'],
      }),
  },
  {
    name: 'worker',
    run(project) {
      writePage(project, 'index.html', 'two-workers.js');
      const each = ['/broadloom.js', ...libraryFiles];
      return readInBrowsers(project.folder, {
        what: 'two module workers, strict CSP',
        requests: ['/', '/two-workers.js', '/maker.js', '/reader.js', ...each, ...each],
      });
    },
  },
  { name: 'vite', run: vite },
  { name: 'vite-worker', run: viteWorker },
  { name: 'webpack', run: webpack },
  { name: 'esbuild', run: esbuild },
  { name: 'rollup', run: rollup },
  { name: 'next', run: next },
];
