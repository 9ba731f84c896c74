// Which random cases the tests take, and how many of each: BROADLOOM_SEED=n and COUNT=n choose them.
import { isDeep, seed } from '../depth.mjs';

export { seed };
export const count = Number(process.env.COUNT ?? (isDeep ? 40 : 20));

console.log(`seed ${seed}`);
