/** @jest-environment jsdom */
import { writeFileSync } from 'node:fs';
import { test } from '@jest/globals';
import * as broadloom from 'broadloom';
import { check } from './check.js';

test('the package does in jsdom what it does elsewhere', async () => {
  writeFileSync('jsdom.json', JSON.stringify(await check(broadloom)));
}, 60_000);
