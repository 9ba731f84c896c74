import { check } from './check.js';
import * as broadloom from './node_modules/broadloom/dist/inline.js';

globalThis.result = check(broadloom);
