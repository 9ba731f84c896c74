// Builds the playground (web-demo) into build/playground: a static site that any file server can host under any path.
// With --serve, serves it on 127.0.0.1 afterwards and prints the address. With --dev, serves the sources instead: pages follow each
// change of them, and each new build of the package.
import { run } from './run.mjs';

const vite = 'web-demo/node_modules/.bin/vite';

if (process.argv.includes('--dev')) {
  run(vite, ['web-demo', '--host', '127.0.0.1']);
} else {
  run(vite, ['build', 'web-demo', '--logLevel', 'warn']);
  if (process.argv.includes('--serve')) run(vite, ['preview', 'web-demo', '--host', '127.0.0.1']);
  else console.log('the site is in build/playground');
}
