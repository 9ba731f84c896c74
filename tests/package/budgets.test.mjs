// `npm run size -- --write`, which moves the budgets of sizes (tools/check/budgets.json).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { budgets, checkedReason, limitFor, movedBudgets } from '../../tools/check/budgets.mjs';
import { root } from '../../tools/run.mjs';

const known = { download: { limit: 400, reason: 'Before.' }, command: { limit: 100, reason: 'Before.' } };
const rows = [
  { budget: undefined, bytes: 9999 },
  { budget: 'download', bytes: 401 },
  { budget: 'command', bytes: 50 },
];

test('each budget has a limit and a reason', () => {
  assert.ok(Object.keys(budgets).length > 0);
  for (const [name, { limit, reason }] of Object.entries(budgets)) {
    assert.ok(Number.isSafeInteger(limit) && limit > 0, name);
    assert.equal(checkedReason(reason), reason, name);
  }
});

test('a limit is a little above what is measured', () => {
  for (const measured of [1, 99, 10_630, 412_942, 1_546_000]) {
    for (const name of ['download', 'command']) {
      const limit = limitFor(name, measured);
      assert.ok(limit > measured && limit <= Math.max(measured * 1.03, measured + 2), `${name} ${measured} ${limit}`);
    }
  }
});

test('the budgets that are exceeded move, and keep the reason', () => {
  const { budgets: next, moved } = movedBudgets(known, rows, { reason: ' More operators. ', names: [] });
  assert.deepEqual(moved, ['download']);
  assert.deepEqual(next, { ...known, download: { limit: 404, reason: 'More operators.' } });
});

test('a budget that is named moves down, too', () => {
  const { budgets: next, moved } = movedBudgets(known, rows, { reason: 'Less code.', names: ['command'] });
  assert.deepEqual(moved, ['command']);
  assert.deepEqual(next, { ...known, command: { limit: 51, reason: 'Less code.' } });
});

for (const [what, choice, says] of [
  ['without a reason', { reason: ' ', names: ['download'] }, /moves with a reason/],
  ['that is none', { reason: 'Why.', names: ['toString'] }, /no budget 'toString'; there are download, command/],
  ['that is not measured', { reason: 'Why.', names: ['other'] }, /no budget 'other'/],
]) {
  test(`a budget ${what} does not move`, () => {
    const all = { ...known, other: { limit: 1, reason: 'Before.' } };
    assert.throws(() => movedBudgets(all, rows, choice), says);
  });
}

test('no budget moves where none is exceeded and none is named', () => {
  const small = rows.map((row) => ({ ...row, bytes: 1 }));
  assert.throws(() => movedBudgets(known, small, { reason: 'Why.', names: [] }), /no budget is exceeded/);
});

for (const [args, says] of [
  [['--write', ''], /moves with a reason/],
  [['--write'], /argument missing/],
  [['download'], /without --write/],
]) {
  test(`npm run size -- ${args.join(' ')} is refused`, () => {
    const { status, stderr } = spawnSync(process.execPath, ['tools/size.mjs', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
    assert.equal(status, 2);
    assert.match(stderr, says);
  });
}

test('budgets that are written are read again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'broadloom-budgets-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const file of ['check/budgets.json', 'check/budgets.mjs', 'usage.mjs'])
    cpSync(join(root, 'tools', file), join(folder, file));
  const { writeBudgets } = await import(pathToFileURL(join(folder, 'check/budgets.mjs')));
  const read = () => readFileSync(join(folder, 'check/budgets.json'), 'utf8');
  const before = read();
  writeBudgets(budgets);
  assert.equal(read(), before);
  const quoted = { ...budgets, command: { limit: 5, reason: 'A "quoted" word.' } };
  writeBudgets(quoted);
  assert.deepEqual(JSON.parse(read()), quoted);
});
