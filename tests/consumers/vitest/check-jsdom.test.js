// @vitest-environment jsdom
import { writeFileSync } from 'node:fs';
import * as broadloom from 'broadloom';
import { test } from 'vitest';
import { check } from './check.js';

test('the package does in jsdom what it does elsewhere', async () => {
  writeFileSync('jsdom.json', JSON.stringify(await check(broadloom)));
}, 60_000);
