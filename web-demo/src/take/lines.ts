// Long lists in programs, on lines that can be read.

const longestLine = 100;

/** The words between brackets: on one line if they fit, else on several. */
export function listLines(open: string, words: readonly string[], close: string, indent: string): string {
  const line = `${open}${words.join(', ')}${close}`;
  if (indent.length + line.length <= longestLine || words.length === 0) return line;
  const lines: string[] = [];
  let current = '';
  for (const word of words) {
    if (current !== '' && indent.length + current.length + word.length > longestLine) {
      lines.push(current);
      current = '';
    }
    current += current === '' ? `${word},` : ` ${word},`;
  }
  return [open, ...[...lines, current].map((text) => `${indent}  ${text}`), `${indent}${close}`].join('\n');
}
