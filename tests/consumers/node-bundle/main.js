import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

check(broadloom).then((result) => console.log(JSON.stringify(result)));
