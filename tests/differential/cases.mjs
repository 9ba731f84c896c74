// Which random cases the tests take, and how many of each: SEED=n and COUNT=n choose them.
import { isDeep } from '../depth.mjs';

export const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
export const count = Number(process.env.COUNT ?? (isDeep ? 40 : 20));

console.log(`seed ${seed}`);
