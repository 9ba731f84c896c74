// The budgets of sizes, budgets.json: each has a limit, and the reason for which it was last moved.
import { readFileSync, writeFileSync } from 'node:fs';
import { UsageError } from '../usage.mjs';

const file = new URL('budgets.json', import.meta.url);

export const budgets = JSON.parse(readFileSync(file, 'utf8'));

/** How far a limit is above what is measured. Each change of the code moves the download, so its limit is near. */
const slackOf = (name) => (name === 'download' ? 0.005 : 0.02);

/** The limit for a size that is measured: with its slack, rounded up to three digits. */
export function limitFor(name, measured) {
  const wanted = measured * (1 + slackOf(name));
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(wanted)) - 2);
  return Math.ceil(wanted / unit) * unit;
}

/** Returns the sentence that `--write` is given. Throws a `UsageError` for anything but a sentence. */
export function checkedReason(text) {
  const reason = text.trim();
  if (/^\S.*\.$/.test(reason)) return reason;
  throw new UsageError("a budget moves with a reason, which is a sentence: npm run size -- --write 'The reason.'");
}

/**
 * The budgets with new limits for what is measured. Moves those with these names, or those that are exceeded where none is named.
 *
 * @param rows - the measured sizes, with the name of their budget
 * @returns `{ budgets, moved }`: all of them, and the names of those that moved
 */
export function movedBudgets(known, rows, { reason, names }) {
  const measured = new Map(rows.map(({ budget, bytes }) => [budget, bytes]));
  for (const name of names) {
    if (!Object.hasOwn(known, name) || !measured.has(name))
      throw new UsageError(`no budget '${name}'; there are ${Object.keys(known).join(', ')}`);
  }
  const exceeded = Object.keys(known).filter((name) => measured.get(name) > known[name].limit);
  const moved = names.length > 0 ? names : exceeded;
  if (moved.length === 0)
    throw new UsageError(`no budget is exceeded; name those to move: ${Object.keys(known).join(', ')}`);
  const next = moved.map((name) => [
    name,
    { limit: limitFor(name, measured.get(name)), reason: checkedReason(reason) },
  ]);
  return { budgets: { ...known, ...Object.fromEntries(next) }, moved };
}

/** Writes budgets.json in the form that the formatter leaves, however long a reason is. */
export function writeBudgets(all) {
  writeFileSync(file, `${JSON.stringify(all, null, 2)}\n`);
}
