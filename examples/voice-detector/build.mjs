// Writes the page to public/. With --serve, serves it on this machine.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const to = join(folder, 'public');
const { resolve } = createRequire(import.meta.url);

mkdirSync(to, { recursive: true });
await build({
  entryPoints: ['main.js', 'detect.js', 'detector.js'].map((name) => join(folder, name)),
  bundle: true,
  format: 'esm',
  minify: true,
  outdir: to,
});
copyFileSync(join(folder, 'index.html'), join(to, 'index.html'));
copyFileSync(resolve('broadloom/broadloom.wasm'), join(to, 'broadloom.wasm'));
const models = join(dirname(resolve('@ricky0123/vad-web/package.json')), 'dist');
copyFileSync(join(models, 'silero_vad_v5.onnx'), join(to, 'silero_vad_v5.onnx'));

if (process.argv.includes('--serve')) {
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
  const names = new Set(['index.html', 'main.js', 'detector.js', 'broadloom.wasm', 'silero_vad_v5.onnx']);
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
