// The built playground on a server that is as strict as its page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from './server.mjs';

const site = fileURLToPath(new URL('../../../build/playground/', import.meta.url));

if (!existsSync(site)) throw new Error('the site is not built: npm run playground:build');

/** The policy of the page itself, sent by the server for every file as well: workers have only that. */
const policy = /content="(default-src[^"]+)"/.exec(readFileSync(join(site, 'index.html'), 'utf8'))[1];

/** Serves the site under a path of its own, as a host of many sites does. */
export function serveSite(options) {
  return serve(site, { path: '/some/where/', policy, ...options });
}
