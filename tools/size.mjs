// `npm run size`: prints the sizes of the built package beside their budgets. In CI it fails when one is exceeded, if the
// compiler is the one that the budgets were set with; others make other sizes. `npm run size -- --write 'The reason.' [budget...]`
// moves the budgets that are named, or else those that are exceeded, to what is measured.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireWholeBuild } from './build/development.mjs';
import { budgets, checkedReason, movedBudgets, writeBudgets } from './check/budgets.mjs';
import { commandSize, downloadSizes, entrySizes, printSizes, tarballSizes } from './check/sizes.mjs';
import { pack } from './pack.mjs';
import { root, run } from './run.mjs';
import { refuse, UsageError } from './usage.mjs';

const referenceCompiler = '3.1.6';

/** The reason and the names of budgets that move; no reason where none does. */
function readArguments() {
  const { values, positionals: names } = parseArgs({ options: { write: { type: 'string' } }, allowPositionals: true });
  if (values.write !== undefined) return { reason: checkedReason(values.write), names };
  if (names.length > 0) throw new UsageError(`'${names[0]}' stands without --write 'The reason.'`);
  return { names };
}

try {
  const { reason, names } = readArguments();
  requireWholeBuild();
  const rows = [...downloadSizes(), ...entrySizes(), commandSize(), ...tarballSizes(pack(join(root, 'build')))];
  printSizes(rows);
  const compiler = run('emcc', ['--version'], { quiet: true }).match(/\d+\.\d+\.\d+/)?.[0];
  const isReference = compiler === referenceCompiler;
  const isOfAnother = `the budgets are those of Emscripten ${referenceCompiler}; this is ${compiler}`;
  if (reason !== undefined) {
    if (!isReference) throw new UsageError(isOfAnother);
    const next = movedBudgets(budgets, rows, { reason, names });
    writeBudgets(next.budgets);
    for (const name of next.moved)
      console.log(`size: the budget ${name} moves from ${budgets[name].limit} to ${next.budgets[name].limit}`);
  } else if (!isReference) {
    console.log(`size: ${isOfAnother}`);
  } else {
    const exceeded = rows.filter(({ bytes, limit }) => bytes > limit);
    for (const { budget, bytes, limit, unit } of exceeded)
      console.log(`size: ${budget} exceeds its budget by ${bytes - limit} ${unit}`);
    if (exceeded.length > 0 && process.env.CI) process.exitCode = 1;
  }
} catch (error) {
  refuse(error);
}
