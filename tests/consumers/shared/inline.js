import * as broadloom from 'broadloom/inline';
import { check } from './check.js';

globalThis.result = check(broadloom);
