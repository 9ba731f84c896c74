// The environments that the package is tried in. Each is a folder here: a project that imports the package as its users
// do. `run(project)` resolves to rows { environment, result }, where `result` is what check() returned there.
import { libraryFiles, readInBrowsers } from './browsers.mjs';
import { bundlers } from './bundlers.mjs';

export const consumers = [
  {
    name: 'node-esm',
    run: (project) => project.program(`Node ${process.versions.node}, import`, process.execPath, ['main.js']),
  },
  {
    name: 'browser',
    run: (project) =>
      readInBrowsers(project.folder, {
        what: '<script type="module">, strict CSP',
        requests: ['/', '/main.js', ...libraryFiles],
      }),
  },
  ...bundlers,
];
