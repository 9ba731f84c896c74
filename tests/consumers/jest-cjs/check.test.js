const { writeFileSync } = require('node:fs');
const broadloom = require('broadloom');
const { check } = require('./check.cjs');

test('the package does in Jest what it does elsewhere', async () => {
  writeFileSync('node.json', JSON.stringify(await check(broadloom, { inWorker: {} })));
}, 60_000);
