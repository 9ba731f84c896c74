import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

globalThis.result = check(broadloom);
