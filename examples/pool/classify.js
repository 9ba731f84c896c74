// node classify.js [image]...: prints for each image of a line of text whether it is upright or on its head.
import { join } from 'node:path';
import { load } from 'broadloom';
import { decode, directionOf, feedsOf, readModel } from './direction.js';
import { compileModule, ModelPool } from './pool.js';

const own = ['upright.jpg', 'turned.jpg'].map((name) => join(import.meta.dirname, name));
const given = process.argv.slice(2);
const paths = given.length > 0 ? given : own;

const module = await compileModule();
const ops = await load({ wasm: module });
const pool = await ModelPool.open(await readModel(), { module });
let i = 0;
for await (const outputs of pool.map(paths, async (path) => feedsOf(ops, await decode(path)))) {
  const { label, score } = directionOf(ops, outputs);
  console.log(score.toFixed(2), label, paths[i++]);
}
await pool.close();
