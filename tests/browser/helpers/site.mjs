// The built playground on a server that is as strict as its page.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { serve } from './server.mjs';

const site = fileURLToPath(new URL('../../../build/playground/', import.meta.url));

/** The policy of the page itself (web-demo/index.html), sent by the server for every file as well. */
export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/** Serves the site under a path of its own, as a host of many sites does. */
export function serveSite(options) {
  if (!existsSync(site)) throw new Error('the site is not built: npm run playground:build');
  return serve(site, { path: '/some/where/', policy, ...options });
}
