// Builds the documentation into build/reference: the API from the sources' comments, the guides, and a page for each operator. A
// static site that any file server can host under any path. A warning of typedoc is an error. Types are not checked again
// (skipErrorChecking in docs/reference/typedoc.json): the build has checked them.
import { writeOperatorPages } from './operators/pages.mjs';
import { run } from './run.mjs';

run('node', ['tools/build/generate.mjs'], { quiet: true });
await writeOperatorPages();
run('docs/reference/node_modules/.bin/typedoc', ['--options', 'docs/reference', '--logLevel', 'Warn']);
console.log('the documentation is in build/reference');
