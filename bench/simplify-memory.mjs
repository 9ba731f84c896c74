// npm run bench:simplify-memory: the peak memory of a process that simplifies, above its memory before: a model of 88 MB as bytes
// and as a Blob, one just under 2 GB (protobuf's limit) as a Blob, and one with 8 GB of external data. The large files are
// sparse: they take no space on most disks. The result is read once, piece by piece.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, openAsBlob, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bert } from '../tools/models/generated.mjs';
import { GraphBuilder } from '../tools/models/graph-builder.mjs';
import { writeSparseModel } from '../tools/models/sparse.mjs';
import { externalInitializer } from '../tools/models/writer.mjs';

const mebibyte = 2 ** 20;

/** A model with `count` weights of 1 GB each in a file beside it. */
function externalModel(count) {
  const g = new GraphBuilder(13);
  const rows = 2 ** 18;
  g.input('x', 'float32', ['n', rows]);
  const parts = Array.from({ length: count }, (_, i) => {
    const name = `w${i}`;
    g.add(
      externalInitializer(name, [rows, 1024], 'float32', { location: 'w.bin', offset: i * 2 ** 30, length: 2 ** 30 }),
    );
    return g.op('MatMul', [g.op('Reshape', ['x', g.op('Shape', ['x'])]), name]);
  });
  g.output(g.op('Sum', parts, {}, ['y']), 'float32', ['n', 1024]);
  return g.model('external');
}

const cases = {
  '88 MB as bytes': { prepare: (path) => writeFileSync(path, bert({ bytes: 88 * 1000 * 1000 })), form: 'bytes' },
  '88 MB as a Blob': { prepare: (path) => writeFileSync(path, bert({ bytes: 88 * 1000 * 1000 })), form: 'blob' },
  'just under 2 GB as a Blob': { prepare: (path) => writeSparseModel(path, 2 ** 31 - 2 ** 16), form: 'blob' },
  '8 GB of external data, a Blob': {
    prepare: (path) => {
      writeFileSync(path, externalModel(8));
      writeFileSync(`${path}.data`, '');
      truncateSync(`${path}.data`, 8 * 2 ** 30);
    },
    form: 'blob',
  },
};

/** Runs in a separate process: measures the peak above the memory before, and above the memory with the file read. */
async function child(path, form) {
  const { load } = await import('../dist/inline.js');
  const ops = await load();
  // In KiB, of this program alone. resourceUsage() would start with the memory of the parent process.
  const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  const empty = peak();
  const given = form === 'bytes' ? readFileSync(path) : await openAsBlob(path);
  const read = peak();
  const started = performance.now();
  const external = async () => openAsBlob(`${path}.data`);
  const hasData = form === 'blob' && path.includes('external');
  const result = await ops.simplify(given, hasData ? { external } : {});
  const ms = performance.now() - started;
  const done = peak();
  const size = result.bytes?.length ?? result.blob.size;
  if (result.blob !== undefined) for await (const _ of result.blob.stream());
  console.log(
    JSON.stringify({
      empty,
      read,
      done,
      written: peak(),
      ms,
      size,
      nodes: [result.report.before.nodes, result.report.after.nodes],
    }),
  );
}

if (process.argv[2] === '--child') {
  await child(process.argv[3], process.argv[4]);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-memory-'));
  console.log('Peak of resident memory, MiB over the process before it read anything (simplified; result read)');
  for (const [name, { prepare, form }] of Object.entries(cases)) {
    const path = join(folder, `${name.includes('external') ? 'external' : 'model'}.onnx`);
    prepare(path);
    try {
      const text = execFileSync(process.execPath, ['--no-warnings', import.meta.filename, '--child', path, form], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const { empty, done, written, ms, size, nodes } = JSON.parse(text);
      const columns = [done - empty, written - empty].map((value) => `${value.toFixed(0).padStart(6)} MiB`).join(';');
      const sizes = `${(statSync(path).size / mebibyte).toFixed(0)} -> ${(size / mebibyte).toFixed(0)} MiB`;
      console.log(`  ${name.padEnd(32)}${columns}  in ${ms.toFixed(0)} ms, ${sizes}, nodes ${nodes.join(' -> ')}`);
    } catch (error) {
      console.log(
        `  ${name.padEnd(32)}${
          String(error.stderr || error)
            .trim()
            .split('\n')
            .find((text) => text.includes('Error')) ?? error
        }`,
      );
    }
  }
  rmSync(folder, { recursive: true });
}
