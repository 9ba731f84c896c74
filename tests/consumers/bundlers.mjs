// Bundlers, and what browsers run without one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import webpackWith from 'webpack';
import { readAddressInBrowsers, readInBrowsers } from './browsers.mjs';
import { runTool, startTool } from './tools.mjs';

async function vite(project) {
  const server = await startTool(project, 'vite', ['--host', '127.0.0.1']);
  const rows = await readAddressInBrowsers(server.address, 'Vite 8, development server').finally(server.close);
  await runTool(project, 'vite', ['build']);
  return [...rows, ...(await readInBrowsers(join(project.folder, 'dist'), { what: 'Vite 8, build, strict CSP' }))];
}

/** As webpack's command line does it, which is a package of its own. */
async function webpack(project) {
  const { default: config } = await import(pathToFileURL(join(project.folder, 'webpack.config.js')));
  const stats = await new Promise((resolve, reject) => {
    webpackWith({ ...config, context: project.folder }, (error, result) => (error ? reject(error) : resolve(result)));
  });
  if (stats.hasErrors() || stats.hasWarnings()) throw new Error(stats.toString('errors-warnings'));
  return readInBrowsers(project.folder, { what: `webpack 5, strict CSP` });
}

export const bundlers = [
  { name: 'vite', run: vite },
  { name: 'webpack', run: webpack },
];
