// `virtual:facts` for the tests of the playground: the data that its build writes into the site. Here all operators are known
// from the start.
import { dataTypes, load } from 'broadloom';
import { foreignOperators } from '../../../tools/operators/foreign.mjs';
import { factsOf, groups, home, indexOf } from '../../../web-demo/site-facts.js';

const ops = await load();

const index = indexOf(ops.operators());

export default { folder: '', home, groups, index, foreign: foreignOperators, dataTypes, known: factsOf(ops) };
