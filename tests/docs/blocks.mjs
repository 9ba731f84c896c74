// Reads the code blocks of Markdown. Refuses other forms of code, which would stay unchecked.

const fence = /^( *)(`{3,}|~{3,})(.*)$/;

/**
 * The fenced code blocks of `text`: { language, file, line, code }. `file` is the value of `file=` in the info string, `line`
 * the number of the block's first line in the text.
 */
export function blocksOf(text) {
  const blocks = [];
  let open;
  for (const [i, line] of text.split('\n').entries()) {
    const [, indent, marks, info] = fence.exec(line) ?? [];
    if (open !== undefined && marks === '```' && info === '') {
      blocks.push(open);
      open = undefined;
    } else if (open !== undefined) {
      open.code += `${line}\n`;
    } else if (marks !== undefined) {
      const [, language, file] = /^(\w+)(?: file=(\S+))?$/.exec(info) ?? [];
      if (indent !== '' || marks !== '```' || language === undefined)
        throw new Error(`line ${i + 1}: a fence is \`\`\`language or \`\`\`language file=path`);
      open = { language, file, line: i + 2, code: '' };
    } else if (/^( {4}|\t)|<pre/.test(line)) {
      throw new Error(`line ${i + 1}: indented code and <pre> are not checked: fence it`);
    }
  }
  if (open !== undefined) throw new Error(`line ${open.line - 1}: the fence is not closed`);
  return blocks;
}
