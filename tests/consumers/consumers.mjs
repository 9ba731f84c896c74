// The environments in which the package is tested. Each is a folder here: a project that imports the package as its users
// do. `run(project)` resolves to rows { environment, result }, where `result` is the value of check() there. Slow ones, and
// those that differ little from others, are for `npm run test:deep`.
import { libraryFiles, onnxruntimeFiles, readInBrowsers, workerFiles } from './browsers.mjs';
import { bundlers } from './bundlers.mjs';
import { hosts } from './hosts.mjs';
import { runners } from './runners.mjs';
import { servers } from './servers.mjs';

const forDeepRuns = new Set([
  'next',
  'jest',
  'webpack',
  'browser-inline',
  'node-bundle',
  'rollup',
  'vitest',
  'vite-worker',
  'jest-cjs',
  'cdn',
  'import-map',
  'shared-worker',
  'voice-detector',
  'ocr',
]);

export const consumers = [
  ...servers,
  ...runners,
  {
    name: 'browser',
    run: (project) =>
      readInBrowsers(project.folder, {
        what: '<script type="module">, strict CSP',
        requests: ['/', '/main.js', ...libraryFiles, ...workerFiles, ...onnxruntimeFiles],
      }),
  },
  ...bundlers,
  ...hosts,
].map((consumer) => ({ ...consumer, isForDeepRuns: forDeepRuns.has(consumer.name) }));
