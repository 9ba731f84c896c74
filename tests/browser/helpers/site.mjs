// Serves the built playground, with the policy of its page.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from './server.mjs';

const site = fileURLToPath(new URL('../../../build/playground/', import.meta.url));

if (!existsSync(site)) throw new Error('the site is not built: npm run playground:build');

/** The policy of the page. The server also sends it with every file, because workers have no other. */
const policy = /content="(default-src[^"]+)"/.exec(readFileSync(join(site, 'index.html'), 'utf8'))[1];

/** Serves the site under a path, as a host of many sites does. */
export function serveSite(options) {
  return serve(site, { path: '/some/where/', policy, ...options });
}
