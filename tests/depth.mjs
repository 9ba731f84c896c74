// How much a run of the tests tries: everything in `npm run test:deep`, which sets BROADLOOM_DEEP, and a part in `npm test`. And
// which random cases: BROADLOOM_SEED chooses them. `npm test` sets it, so that what fails there is of a change and not of chance.
import process from 'node:process';

/** Whether this is a run of all cases. */
export const isDeep = Boolean(process.env.BROADLOOM_DEEP);

/** The seed of random cases, which tests print. */
export const seed = Number(process.env.BROADLOOM_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** All of a list in a deep run; else every `step`th entry, from the entry `first` on. */
export const someOf = (list, step, first = 0) => [...list].filter((_, i) => isDeep || i % step === first % step);
