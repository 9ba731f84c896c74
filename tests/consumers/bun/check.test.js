import { test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import * as broadloom from 'broadloom';
import { check } from './check-entries.js';

test('the package does in Bun what it does elsewhere', async () => {
  writeFileSync('node.json', JSON.stringify(await check(broadloom, { inWorker: {} })));
});
