// Results go to standard output, and nothing else does.
import process from 'node:process';
import { visible, visibleLines } from '../../shared/visible.js';

/** Who reads no further (`| head`) has what was wanted: the program ends. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exitCode = 1;
      process.exit();
    });
}

export function print(text: string): void {
  process.stdout.write(`${visibleLines(text)}\n`);
}

/** Prints one document; what would reach a terminal as more than text is escaped. */
export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value).replace(/[^\n\P{Cc}]|[\u2028-\u202e\u2066-\u2069]/gu, visible)}\n`);
}

export function complain(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}

/** Rows with their columns one below the other. */
export function table(rows: readonly (readonly string[])[], indent = ''): string {
  const shown = rows.map((row) => row.map(visible));
  const width = (column: number) => shown.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0);
  const widths = (shown[0] ?? []).map((_, column) => Math.min(width(column), 60));
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
