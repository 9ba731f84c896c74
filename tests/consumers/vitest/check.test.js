import { writeFileSync } from 'node:fs';
import * as broadloom from 'broadloom';
import { test } from 'vitest';
import { check } from './check-entries.js';

test('the package does in Vitest what it does elsewhere', async () => {
  writeFileSync('node.json', JSON.stringify(await check(broadloom, { inWorker: {} })));
}, 60_000);
