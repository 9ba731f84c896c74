// npm run bench:node-start: the time of the processor from the import of the package to its first result in Node, piece by piece; and to
// the first result of a whole model, beside onnxruntime-web. Every start is a process of its own, and contenders take turns. The
// smallest time counts, since other programs only add to it. With a folder dist as its argument, also another build's start.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bert } from '../tools/models/generated.mjs';
import { table, times } from './format.mjs';

const folder = fileURLToPath(new URL('.', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'node-start-'));
const modelFile = join(temporary, 'bert.onnx');
writeFileSync(modelFile, bert({ layers: 2, hidden: 128, heads: 4 }));

/** `lap(name)` takes the milliseconds of the processor since the last lap. The first reading of the clock is slow: it comes before. */
const clock = `
  const laps = {};
  const now = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
  now();
  let last = now();
  const lap = (name) => { const time = now(); laps[name] = time - last; last = now(); };`;
const end = 'console.log(JSON.stringify(laps));';
const onNode = (file) => `await import(${JSON.stringify(pathToFileURL(file))})`;

const expand = (loaded) => `${clock}
  const { load } = ${loaded};
  lap('import');
  const ops = await load();
  lap('load');
  const { length } = ops.expand(ops.tensor('float32', [1, 2, 3], [3, 1]), [2, 1, 6]).data;
  lap('first call');
  if (length !== 36) throw new Error('wrong result');
  ${end}`;

const run = {
  Broadloom: (dist) => `${clock}
  const { load } = ${onNode(join(dist, 'node.js'))};
  const { readFileSync } = await import('node:fs');
  const ops = await load();
  const model = ops.loadModel(readFileSync(${JSON.stringify(modelFile)}));
  const ids = ops.tensor('int64', BigInt64Array.from({ length: 8 }, () => 1n), [1, 8]);
  const outputs = model.run(Object.fromEntries(model.inputs.map(({ name }) => [name, ids])));
  if (!(outputs[model.outputs[0].name].data.length > 0)) throw new Error('no result');
  lap('total');
  ${end}`,
  'onnxruntime-web': () => `${clock}
  const { InferenceSession, Tensor, env } = await import('onnxruntime-web');
  const { readFileSync } = await import('node:fs');
  env.wasm.numThreads = 1;
  const session = await InferenceSession.create(readFileSync(${JSON.stringify(modelFile)}), { executionProviders: ['wasm'] });
  const ids = new Tensor('int64', BigInt64Array.from({ length: 8 }, () => 1n), [1, 8]);
  const outputs = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, ids])));
  if (!(outputs[session.outputNames[0]].data.length > 0)) throw new Error('no result');
  lap('total');
  ${end}`,
};

/** The smallest time of each piece, and the smallest sum. */
function measure(contenders, rounds) {
  const best = contenders.map(() => ({}));
  for (let round = -2; round < rounds; round++) {
    contenders.forEach(({ script, type = 'module', env = {} }, i) => {
      const text = execFileSync(process.execPath, [`--input-type=${type}`, '-e', script], {
        cwd: folder,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const laps = JSON.parse(text);
      laps.total = Object.values(laps).reduce((sum, time) => sum + time, 0);
      if (round < 0) return; // fills the caches
      for (const [name, time] of Object.entries(laps)) best[i][name] = Math.min(best[i][name] ?? Infinity, time);
    });
  }
  return contenders.map(({ name }, i) => ({ name, ...best[i] }));
}

const milliseconds = (value) => `${value.toFixed(1)} ms`;
const dist = resolve(folder, '../dist');
const [other] = process.argv.slice(2).map((path) => resolve(path));

try {
  const nothing = join(temporary, 'nothing.mjs');
  writeFileSync(nothing, '');
  const imported = expand(onNode(join(dist, 'node.js')));
  const required = (path) => `(async () => { ${expand(`require(${JSON.stringify(path)})`)} })()`;
  const starts = measure(
    [
      { name: 'an empty module', script: `${clock} ${onNode(nothing)}; lap('import'); ${end}` },
      { name: 'import', script: imported },
      { name: 'require of cjs/index.js', script: required(join(dist, 'cjs/index.js')), type: 'commonjs' },
      ...(module.enableCompileCache === undefined
        ? []
        : [{ name: "import, Node's compile cache", script: imported, env: { NODE_COMPILE_CACHE: temporary } }]),
      ...(other === undefined
        ? []
        : [{ name: 'import, the other build', script: expand(onNode(join(other, 'node.js'))) }]),
    ],
    40,
  );
  const pieces = ['import', 'load', 'first call', 'total'];
  const cells = (row) => pieces.map((piece) => (row[piece] === undefined ? '' : milliseconds(row[piece])));
  console.log(
    table(
      ['from the import to the first result', ...pieces],
      starts.map((row) => [row.name, ...cells(row)]),
    ),
  );

  const models = measure(
    Object.entries(run).map(([name, script]) => ({ name, script: script(dist) })),
    10,
  );
  const [ours, theirs] = models.map(({ total }) => total);
  console.log(`\nThe first result of a small BERT: ${milliseconds(ours)}, of onnxruntime-web ${milliseconds(theirs)}`);
  console.log(`(${times(theirs / ours)} as long)`);
} finally {
  rmSync(temporary, { recursive: true });
}
