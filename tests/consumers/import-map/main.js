import * as broadloom from 'broadloom';
import { check } from './check.js';

globalThis.result = check(broadloom, { inWorker: {} });
