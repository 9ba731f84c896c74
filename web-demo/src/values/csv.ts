// Tables of numbers as spreadsheets write them: rows of cells, mostly below a heading.
import { complexOf } from './numbers.js';

export interface Table {
  readonly dims: number[];
  /** The numbers alone, for `parseValues`. */
  readonly text: string;
  /** The line above the numbers, if it holds words. */
  readonly heading: string | undefined;
}

const separators = ['\t', ';', ','];

function isValue(cell: string): boolean {
  return /^(?:true|false)$/i.test(cell) || (cell !== '' && complexOf(cell) !== undefined);
}

/** Quotes may have separators between them; they are rare, and finding them takes long. */
function cellsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((cell) => cell.trim());
  const outside = new RegExp(`${separator}(?=(?:[^"]*"[^"]*")*[^"]*$)`);
  return line.split(outside).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));
}

/** Undefined unless it is a table: rows of one length that hold numbers, except for the first. */
export function readTable(text: string): Table | undefined {
  const lines = text.split(/\r\n?|\n/).filter((line) => line.trim() !== '');
  const separator = separators.find((candidate) => lines[0]?.includes(candidate)) ?? ',';
  const rows = lines.map((line) => cellsOf(line, separator));
  const hasHeading = rows[0]?.some((cell) => !isValue(cell)) ?? false;
  const body = hasHeading ? rows.slice(1) : rows;
  const width = rows[0]?.length ?? 0;
  if (body.length === 0 || !body.every((row) => row.length === width && row.every(isValue))) return undefined;
  return {
    dims: width === 1 ? [body.length] : [body.length, width],
    text: body.map((row) => row.join(', ')).join(',\n'),
    heading: hasHeading ? lines[0] : undefined,
  };
}
