import { check } from './check.js';
import * as broadloom from './node_modules/broadloom/dist/index.js';

globalThis.result = check(broadloom);
