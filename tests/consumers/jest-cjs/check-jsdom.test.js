/** @jest-environment jsdom */
const { writeFileSync } = require('node:fs');
const broadloom = require('broadloom');
const { check } = require('./check.cjs');

test('the package does in jsdom what it does elsewhere', async () => {
  writeFileSync('jsdom.json', JSON.stringify(await check(broadloom)));
}, 60_000);
