// Makes a program from the code blocks of one document. It checks the comments that give results:
//
//     y.dims; // [2, 3, 6]                 the value as in util.inspect, without blanks inside brackets
//     const z = ops.constant(...); // float32 [2]
//                                          a tensor: type and dims, or all of its toString() on one line
//     y.strides; // [0, 1, 0] (a view)     words about the value follow in round brackets
//     console.log(y); // text              the printed text; several lines are comments on the lines below
//     ops.expand(x, [2]); // throws CODE: message
//                                          the error; a long one is a comment on the lines below; ... matches any text
//
// Other comments must be on separate lines. Any other comment after code is refused, because nobody would notice
// that it is wrong.
import ts from '../../docs/reference/node_modules/typescript/lib/typescript.js';

/** The blocks at their lines in the document, so that line numbers in messages are the document's. */
export function sourceOf(blocks) {
  const lines = [];
  for (const { line, code } of blocks) {
    while (lines.length < line - 1) lines.push('');
    lines.push(...code.trimEnd().split('\n'));
  }
  return `${lines.join('\n')}\n`;
}

/**
 * @returns code: the program as JavaScript, which reports to report.mjs; expectations: { line, kind, text } for every checked
 * comment, where kind is `value`, `printed` or `throws`
 */
export function programOf(source, reportModule) {
  const file = ts.createSourceFile('program.ts', source, ts.ScriptTarget.Latest, true);
  const { statements, comments } = read(file);
  const expectations = expect(file, statements, comments);
  const edits = expectations.flatMap((expectation) => edit(expectation));
  let code = source;
  for (const { from, to = from, text } of edits.sort((a, b) => b.from - a.from))
    code = code.slice(0, from) + text + code.slice(to);
  const { outputText } = ts.transpileModule(
    `import { finish as __finish, printed as __printed, throws as __throws, value as __value } from '${reportModule}'; ${code}\n__finish();\n`,
    { compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext } },
  );
  return { code: outputText, expectations: expectations.map(({ line, kind, text }) => ({ line, kind, text })) };
}

function lineOf(file, position) {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

function read(file) {
  const text = file.text;
  const statements = [];
  const comments = new Map();
  const visit = (node) => {
    if (ts.isStatement(node) && !ts.isBlock(node)) statements.push(node);
    const children = node.getChildren(file);
    for (const child of children) visit(child);
    if (children.length > 0) return;
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ])
      comments.set(range.pos, range);
  };
  visit(file);
  return { statements, comments: [...comments.values()].sort((a, b) => a.pos - b.pos) };
}

function expect(file, statements, comments) {
  const found = new Map(); // by statement
  let below; // the statement to which comments on the following lines belong
  let belowLine = 0;
  const add = (statement, comment, kind, text) =>
    found.set(statement, { statement, line: lineOf(file, comment.pos), kind, text });
  for (const comment of comments) {
    const line = lineOf(file, comment.pos);
    const fail = (what) => {
      throw new Error(`line ${line}: ${what}`);
    };
    if (comment.kind !== ts.SyntaxKind.SingleLineCommentTrivia) fail('comments begin with //');
    const text = file.text
      .slice(comment.pos + 2, comment.end)
      .replace(/^ /, '')
      .trimEnd();
    const lineStart = file.text.lastIndexOf('\n', comment.pos) + 1;
    if (file.text.slice(lineStart, comment.pos).trim() !== '') {
      const statement = endingAt(file, statements, comment.pos);
      if (statement === undefined || !isCheckable(statement))
        fail('a comment behind code tells the result of a statement; other comments stand on their own lines');
      if (text.startsWith('throws ')) add(statement, comment, 'throws', text.slice(7));
      else add(statement, comment, isPrint(statement) ? 'printed' : 'value', text);
      continue;
    }
    if (line !== belowLine) {
      below = endingAt(file, statements, lineStart - 1);
      if (below !== undefined && (found.has(below) || lineOf(file, below.end) !== line - 1)) below = undefined;
      if (below !== undefined && isCheckable(below) && text.startsWith('throws '))
        add(below, comment, 'throws', text.slice(7));
      else if (below !== undefined && isPrint(below)) add(below, comment, 'printed', text);
      else if (text.startsWith('throws ')) fail('no statement stands above that could throw');
      else below = undefined;
    } else if (below !== undefined) {
      const expectation = found.get(below);
      expectation.text += `${expectation.kind === 'throws' ? ' ' : '\n'}${text}`;
    }
    belowLine = line + 1;
  }
  for (const statement of statements)
    if (isPrint(statement) && !found.has(statement))
      throw new Error(`line ${lineOf(file, statement.getStart(file))}: no comment tells what is printed`);
  return [...found.values()];
}

/** The innermost statement that ends at `position`, ignoring blanks. */
function endingAt(file, statements, position) {
  const end = file.text.slice(0, position).trimEnd().length;
  return statements.filter((statement) => statement.end === end).at(-1);
}

function isCheckable(statement) {
  return ts.isExpressionStatement(statement) || ts.isVariableStatement(statement);
}

function isPrint(statement) {
  return (
    ts.isExpressionStatement(statement) &&
    ts.isCallExpression(statement.expression) &&
    statement.expression.expression.getText() === 'console.log'
  );
}

function edit({ statement, line, kind, text }) {
  if (kind === 'throws') {
    if (!ts.isSourceFile(statement.parent)) throw new Error(`line ${line}: what throws stands at the top level`);
    return [
      { from: statement.getStart(), text: `await __throws(${line}, async () => {` },
      { from: statement.end, text: '});' },
    ];
  }
  if (kind === 'printed') {
    return [{ from: statement.getStart(), to: statement.expression.arguments.pos, text: `__printed(${line}, ` }];
  }
  const expected = JSON.stringify(text);
  if (ts.isExpressionStatement(statement)) {
    const { expression } = statement;
    return [
      { from: expression.getStart(), text: `__value(${line}, ${expected}, (` },
      { from: expression.end, text: '))' },
    ];
  }
  const names = [];
  const collect = (name) => {
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const element of name.elements) collect(element.name);
  };
  for (const { name } of statement.declarationList.declarations) collect(name);
  if (names.length !== 1)
    throw new Error(`line ${line}: the comment tells the value of one name, not of ${names.length}`);
  return [{ from: statement.end, text: ` __value(${line}, ${expected}, ${names[0]});` }];
}
