import { writeFileSync } from 'node:fs';
import { test } from '@jest/globals';
import * as broadloom from 'broadloom';
import { check } from './check.js';

test('the package does in Jest what it does elsewhere', async () => {
  writeFileSync('node.json', JSON.stringify(await check(broadloom, { inWorker: {} })));
}, 60_000);
