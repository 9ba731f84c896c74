// The environments that the package is tried in. Each is a folder here: a project that imports the package as its users
// do. `run(project)` resolves to rows { environment, result }, where `result` is what check() returned there.
import { readInBrowsers } from './browsers.mjs';
import { runners } from './runners.mjs';
import { servers } from './servers.mjs';

/** The strictest Content-Security-Policy under which wasm can be compiled at all. */
const strictPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

export const consumers = [
  ...servers,
  ...runners,
  {
    name: 'browser',
    run: (project) =>
      readInBrowsers(project.folder, { what: '<script type="module">, strict CSP', policy: strictPolicy }),
  },
];
