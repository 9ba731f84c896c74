// Elements of examples as texts: of the same form as the elements of results.
import { type ExampleTensor, typeRow } from '../facts.js';
import { formatElement } from './format.js';

/** The elements, in row-major order. */
export function shownWords({ type, data }: ExampleTensor): string[] {
  const row = typeRow(type);
  return data.map((one) => {
    if (row.kind === 'string') return formatElement(String(one), row);
    return formatElement(row.kind.endsWith('integer') ? BigInt(one) : Number(one), row);
  });
}

/** Type and dims in a line, then the nested list with the elements of columns below each other. */
export function tensorLines(type: string, dims: readonly number[], words: readonly string[]): string {
  const width = dims.length > 1 ? Math.max(0, ...words.map((word) => word.length)) : 0;
  const lines = (part: readonly string[], axis: number): string => {
    if (axis === dims.length) return (part[0] ?? '').padStart(width);
    const count = dims[axis] as number;
    const size = part.length / count;
    const parts = Array.from({ length: count }, (_, i) => lines(part.slice(i * size, (i + 1) * size), axis + 1));
    const between = axis === dims.length - 1 ? ', ' : `,\n${' '.repeat(axis + 1)}`;
    return `[${parts.join(between)}]`;
  };
  return `${type} [${dims.join(', ')}]\n${lines(words, 0)}`;
}
