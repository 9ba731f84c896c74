// `virtual:aliases` for the tests of the playground.
import { load } from 'broadloom';
import { aliasesOf } from '../../../web-demo/site-facts.js';

export default aliasesOf((await load()).operators());
