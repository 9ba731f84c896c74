// Results go to standard output, and nothing else does.
import process from 'node:process';
import { visible, visibleLines } from '../../shared/visible.js';
import { Failure } from './errors.js';
import { reasonOf } from './files.js';

/** Where reports go: to standard error where standard output has a file. */
let reports: NodeJS.WriteStream = process.stdout;

/** Standard output gets the bytes of a file, and all else goes to standard error, also the JSON of an error. */
export function keepOutputForBytes(): void {
  reports = process.stderr;
}

/** Codes of a pipe whose reader has gone. */
const closed = ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'];
/** The exit code that a shell has for a program that such a pipe ended: 128 and the number of SIGPIPE. */
const endedByPipe = 141;

/**
 * Where standard output takes no more (a full disk), the program ends with what `tell` returns. Where its reader has gone, as
 * `head` does, it ends without a word, as programs in C do.
 */
export function endWithOutput(tell: (failure: Failure) => number): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (closed.includes(error.code ?? '')) process.exit(endedByPipe);
    keepOutputForBytes();
    process.exit(tell(new Failure(`cannot write standard output: ${reasonOf(error)}`)));
  });
  process.stderr.on('error', () => {}); // the work matters where nobody reads its messages
}

/** Writes bytes to standard output, and waits until they are taken. */
export function writeOut(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(bytes, (error) => {
      if (!error) resolve();
    });
  });
}

export function print(text: string): void {
  reports.write(`${visibleLines(text)}\n`);
}

/** Prints one document; what would reach a terminal as more than text is escaped. */
export function printJson(value: unknown, replace?: (key: string, value: unknown) => unknown): void {
  reports.write(`${JSON.stringify(value, replace).replace(/[^\n\P{Cc}]|[\u2028-\u202e\u2066-\u2069]/gu, visible)}\n`);
}

/** Each text is one line, whatever names it has. */
export function complain(...lines: readonly string[]): void {
  process.stderr.write(`${lines.map(visible).join('\n')}\n`);
}

/** The columns of the terminal that reads; all where something else does. */
const columns = (): number => (reports.isTTY ? reports.columns || 80 : Infinity);

/** The beginning and the end of a text that is longer than `most`. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const letters = [...text];
  const kept = Math.max(most - 3, 2);
  return `${letters.slice(0, Math.ceil(kept / 2)).join('')}...${letters.slice(-Math.floor(kept / 2)).join('')}`;
}

/** A name as one sees it: a terminal shows the beginning and the end of a long one. */
export const shownName = (name: string): string => cut(visible(name), Math.max(columns() / 3, 20));

/** The widths of columns, the widest ones narrowed until all fit. */
function fitted(widths: readonly number[], most: number): readonly number[] {
  const narrow = [...widths];
  const least = 12;
  for (let excess = narrow.reduce((sum, width) => sum + width + 2, -2) - most; excess > 0 && excess !== Infinity; ) {
    const widest = narrow.indexOf(Math.max(...narrow));
    const width = narrow[widest] ?? 0;
    if (width <= least) break;
    const next = Math.max(least, ...narrow.filter((other) => other < width), width - Math.ceil(excess));
    narrow[widest] = next;
    excess -= width - next;
  }
  return narrow;
}

/** Rows with their columns one below the other. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const all = rows.map((row) => row.map(visible));
  const width = (column: number) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0);
  const room = fitted(
    (all[0] ?? []).map((_, column) => width(column)),
    columns() - indent.length,
  );
  const shown = all.map((row) => row.map((cell, column) => cut(cell, room[column] ?? Infinity)));
  const widths = room.map((most) => Math.min(most, 60));
  return shown
    .map(
      (row) =>
        indent +
        row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd(),
    )
    .join('\n');
}
