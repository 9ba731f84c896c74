// Formats numbers and tables for people.

const unit = (units) => (value) => {
  const [size, name] = units.find(([size]) => value >= size) ?? units.at(-1);
  const scaled = value / size;
  return `${scaled.toFixed(scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2)} ${name}`;
};

/** Nanoseconds. */
export const duration = unit([
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
  [1, 'ns'],
]);

export const byteCount = unit([
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
  [1, 'B'],
]);

/** Sizes of files, in decimal units. */
export const fileSize = unit([
  [1e6, 'MB'],
  [1e3, 'kB'],
  [1, 'B'],
]);

export const times = (ratio) => `${ratio.toFixed(ratio >= 10 ? 0 : 1)}x`;

/** Aligns columns: the first one and those in `left` to the left, the others to the right. */
export function table(header, rows, left = []) {
  const all = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const isLeft = (column) => column === 0 || left.includes(header[column]);
  const line = (row) =>
    row
      .map((cell, column) => (isLeft(column) ? cell.padEnd(widths[column]) : cell.padStart(widths[column])))
      .join('  ')
      .trimEnd();
  const [head, ...body] = all.map(line);
  return [head, widths.map((width) => '-'.repeat(width)).join('  '), ...body].join('\n');
}

export const title = (text) => console.log(`\n== ${text}\n`);
