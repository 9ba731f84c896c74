// `virtual:aliases` for the tests of the playground.
import { load } from 'broadloom';
import { aliasesOf, guides as guidesOf } from '../../../web-demo/site-facts.js';

export default aliasesOf((await load()).operators());

export const guides = guidesOf();
