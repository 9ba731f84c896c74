// The cost of the type declarations: their size, and the work of the compiler in an empty project that imports the package. An
// argument is the number of runs (default: 3). The fastest counts.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './run.mjs';

const files = readdirSync(join(root, 'dist'), { recursive: true }).filter((file) => file.endsWith('.d.ts'));
const texts = files.map((file) => readFileSync(join(root, 'dist', file)));
const bytes = texts.reduce((sum, { length }) => sum + length, 0);
const packed = gzipSync(Buffer.concat(texts), { level: 9 }).length;
console.log(`${files.length} files of declarations, ${bytes} bytes, ${packed} of gzip`);

const options = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
};
const programs = {
  'without the package': 'console.log(1);\n',
  'one operator':
    "import { load } from 'broadloom';\nconst ops = await load();\nops.expand(ops.tensor('int8', [1]), [3]);\n",
};
const folder = mkdtempSync(join(tmpdir(), 'broadloom-types-'));
const wanted = ['Types', 'Instantiations', 'Memory used', 'Check time', 'Total time'];
try {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules/broadloom'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['main.ts'] }));
  for (const [title, text] of Object.entries(programs)) {
    writeFileSync(join(folder, 'main.ts'), text);
    const runs = Array.from({ length: Number(process.argv[2] ?? 3) }, () => {
      const tsc = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder, '--extendedDiagnostics'], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stdout);
      return Object.fromEntries([...stdout.matchAll(/^([A-Z][\w ]+): +([\d.]+)/gm)].map(([, name, it]) => [name, it]));
    });
    const fastest = runs.sort((a, b) => a['Total time'] - b['Total time'])[0];
    console.log(`${title.padEnd(20)} ${wanted.map((name) => `${name.toLowerCase()} ${fastest[name]}`).join(', ')}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
