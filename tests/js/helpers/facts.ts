// `virtual:facts` for the tests of the playground: what its build writes into the site (web-demo/site-facts.ts), with all
// operators known from the start.
import { dataTypes, load } from 'broadloom';
import { operatorExamples } from '../../../tools/examples.mjs';
import { operatorWords } from '../../../web-demo/src/texts/operators.js';

const ops = await load();
const examples = operatorExamples(ops);
const operators = ops.operators();

export default {
  folder: '',
  home: 'Expand',
  index: operators.map(({ name, versions }) => ({
    ...{ name, group: operatorWords[name]?.group },
    versions: versions.map(({ sinceVersion }) => sinceVersion),
  })),
  dataTypes,
  known: operators.map((operator) => ({
    operator,
    examples: examples.filter((example) => example.operator === operator.name),
  })),
};
