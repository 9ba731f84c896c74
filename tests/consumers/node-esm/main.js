import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

console.log(JSON.stringify(await check(broadloom, { inWorker: process.argv.includes('alone') ? undefined : {} })));
