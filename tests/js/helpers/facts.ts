// `virtual:facts` for the tests of the playground: what its build writes into the site (web-demo/vite.config.ts).
import { dataTypes, load } from 'broadloom';
import { documentedExamples } from '../../../tools/examples.mjs';

const ops = await load();

export default {
  operators: ops.operators(),
  dataTypes,
  examples: documentedExamples().map((example) => {
    const { type, dims, data } = example.output;
    return { ...example, expected: ops.scope(() => String(ops.tensor(type, data, dims))) };
  }),
};
