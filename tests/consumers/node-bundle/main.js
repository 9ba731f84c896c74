import * as broadloom from 'broadloom';
import { check } from './check.js';

check(broadloom).then((result) => console.log(JSON.stringify(result)));
