// `virtual:facts` for the tests of the playground: the data that its build writes into the site. Here all operators are known
// from the start.
import { dataTypes, load } from 'broadloom';
import { factsOf, groups, home, indexOf } from '../../../web-demo/site-facts.js';

const ops = await load();

export default { folder: '', home, groups, index: indexOf(ops.operators()), dataTypes, known: factsOf(ops) };
