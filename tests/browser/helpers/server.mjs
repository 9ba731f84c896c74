// A plain file server on 127.0.0.1. Every response has the Content-Security-Policy.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves `folder` under `path`, which begins and ends with a slash.
 *
 * @param pages files that are not in the folder
 * @param unanswered, missing patterns of paths that are never answered, or not found
 * @param anyOrigin whether pages of other origins may load the files, as from a CDN
 * @returns the address of the folder, `requests` (the requested paths), and `close`, after which connections are refused
 */
export async function serve(folder, { path = '/', policy, pages = {}, unanswered, missing, anyOrigin }) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    requests.push(pathname);
    if (unanswered?.test(pathname)) return;
    if (policy) response.setHeader('Content-Security-Policy', policy);
    if (anyOrigin) response.setHeader('Access-Control-Allow-Origin', '*');
    const inside = pathname.startsWith(path) ? normalize(pathname.slice(path.length)) : '..';
    const name = inside.endsWith('/') || inside === '.' ? join(inside, 'index.html') : inside;
    try {
      if (inside.startsWith('..') || missing?.test(pathname)) throw new Error('outside of the folder');
      const body = pages[name] ?? (await readFile(join(folder, name)));
      response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end();
    }
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return { address: `http://127.0.0.1:${server.address().port}${path}`, requests, close };
}
