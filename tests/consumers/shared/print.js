import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

const isAlone = process.argv.includes('alone'); // as a bundle is, which has no script of a worker
check(broadloom, { inWorker: isAlone ? undefined : {} }).then((result) => console.log(JSON.stringify(result)));
