// Tests the check of documents: it finds the errors in a document.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './check.mjs';

const start = `import { load } from 'broadloom';
const ops = await load();
const x = ops.tensor('float32', [1, 2, 3], [3, 1]);
`;
const fenced = (language, code) => `# A document\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;

let count = 0;
/** @param problem matches the one expected problem; undefined if there is none */
function finds(title, text, problem) {
  const name = `check-${count++}`;
  test(title, async () => {
    const problems = await problemsOf(name, text);
    if (problem === undefined) assert.deepEqual(problems, []);
    else assert.match(problems.join('\n'), problem);
  });
}

finds(
  'a document whose comments are right has no problem',
  fenced(
    'ts',
    `${start}
// Prose stands on lines of its own.
x.dims; // [3, 1]
x.strides; // [1, 1] (words in brackets may follow)
ops.shape(x); // int64 [2] [3 1]
const y: unknown = ops.expand(x, [2, 1, 6]); // float32 [2, 3, 6]
ops.run('Identity', [x]); // [float32 [3, 1]]
console.log(x.size, x.dims); // 3 [ 3, 1 ]
console.log(x);
// float32 [3, 1]
// [[1.]
//  [2.]
//  [3.]]
ops.expand(x, [2, 4]); // throws INVALID_ARGUMENT: Expand-13: cannot broadcast [3, 1] to [2, 4]: axis 0 is 3, wanted 2
ops.expand(x, [2, 4]);
// throws INVALID_ARGUMENT: ... cannot broadcast
// [3, 1] to [2, 4]: axis 0 is 3, wanted 2
for (const size of [3, 3]) {
  ops.expand(x, [size, 2]).size; // 6
}
using z = ops.empty('int8', [2]); // int8 [2]`,
  ),
);

const wrong = (title, code, problem) => finds(title, fenced('js', `${start}${code}`), problem);
wrong('a wrong value is found', 'x.dims; // [3, 2]', /line 7: is \[3, 1\], the comment says \[3, 2\]/);
wrong('a wrong value of a declaration is found', 'const y = ops.shape(x); // int64 [3]', /line 7: is int64 \[2\]/);
wrong('wrong elements of a tensor are found', 'ops.shape(x); // int64 [2] [3 2]', /line 7: is int64 \[2\] \[3 1\]/);
wrong('a wrong type of a tensor in a list is found', "ops.run('Shape', [x]); // [int32 [2]]", /line 7: is \[int64/);
wrong('a value that is wrong the second time is found', 'for (const i of [0, 1]) {\n  i; // 0\n}', /line 8: is 1/);
wrong('prose where a value should be is found', 'x.dims; // the dims of x', /line 7: is \[3, 1\]/);
wrong('a wrong print is found', 'console.log(x.size); // 4', /line 7: is 3/);
wrong('a missing line of a print is found', 'console.log(x);\n// float32 [3, 1]', /line 8: is float32/);
wrong('a print without a comment is found', 'console.log(x.size);', /line 7: no comment tells what is printed/);
wrong(
  'another error than the comment says is found',
  'ops.expand(x, [2, 4]); // throws OUT_OF_MEMORY: ...',
  /line 7: is INVALID/,
);
wrong(
  'an expected error that is not thrown is found',
  'x.dims; // throws DISPOSED: ...',
  /line 7: is nothing was thrown/,
);
wrong('an error without a comment is found', 'ops.expand(x, [2, 4]);', /the program failed.*cannot broadcast/s);
wrong('a comment that is not reached is found', 'if (x.size === 0) {\n  x.size; // 3\n}', /line 8: was not reached/);
wrong(
  'a comment that tells no result is found',
  'if (x.size === 0) throw new Error(); // no',
  /line 7: a comment behind/,
);
wrong(
  'a comment within a call is found',
  "ops.tensor('int8', [1], // a type\n  [1]);",
  /line 7: a comment behind code/,
);
wrong('a comment for two names is found', 'const { size, dims } = x; // 3', /line 7: .* of one name/);
wrong('a comment in another form is found', 'x.dims; /* [3, 2] */', /line 7: comments begin with \/\//);
wrong('throws below nothing is found', '\n// throws DISPOSED: ...', /line 8: no statement/);
finds(
  'a second block that imports load begins a program with names of its own',
  `${fenced('js', `${start}x.size; // 3`)}${fenced('js', `${start}x.dims; // [3, 1]`)}`,
);
finds(
  'a wrong value in a second program is found',
  `${fenced('js', start)}${fenced('js', `${start}x.size; // 4`)}`,
  /line 15: is 3, the comment says 4/,
);
finds(
  'code that does not compile is found',
  fenced('ts', `${start}ops.tensor('int8', ['a'], [1]);`),
  /line 7: Type 'string' is not/,
);

finds('a language that nothing checks is found', fenced('python', 'import numpy'), /line 4: nothing checks .* python/);
finds('a fence without a language is found', fenced('', 'text'), /line 3: a fence is/);
finds('a fence that is not closed is found', '```js\nx;', /line 1: the fence is not closed/);
finds('indented code is found', 'Text:\n\n    x.dims;\n', /line 3: indented code/);
finds('a missing script is found', fenced('sh', 'npm run build\nnpm run nothing'), /line 5: "npm run nothing"/);
finds('the installation of another package is found', fenced('sh', 'npm install broadlom'), /line 4: "npm install/);
finds('existing scripts and the installation are right', fenced('sh', 'npm install broadloom\nnpm test # all'));
const shell = (...lines) => fenced('sh', lines.join('\n'));
finds(
  'commands whose output is on the lines below them are right',
  shell(
    "broadloom op Shape --input 'data:int8=[[1]]'",
    '# shape: int64 [2]',
    '# [1 1]',
    '',
    '# Prose stands behind an empty line.',
    "broadloom op Expand --input 'input:int8=[1]' \\",
    "  --input 'shape=[2]' --json | cat",
    '# {"outputs":[{"name":"output",...}]}',
    'broadloom run nothing.onnx',
    "# broadloom run: cannot read 'nothing.onnx': there is no such file",
    '# (exit code 1)',
    'broadloom inspect batch-bias.onnx > inspected.txt',
    'npm test',
  ),
);
finds(
  'a wrong output of a command is found',
  shell('', 'broadloom --version', '# 0.0.0'),
  /line 5: .* prints\n\d.*\nthe .* says\n0\.0\.0/,
);
finds('an output without a comment is found', shell('broadloom --version'), /line 4: broadloom --version prints/);
finds('a command that fails is found', shell('broadloom run none > /dev/null 2>&1'), /prints\n\(exit code 1\)/);
finds('a command of another program is found', shell('rm -r .', 'broadloom'), /line 4: "rm -r \."/);
const html = (file, text) => fenced(`html file=tests/consumers/shared/${file}`, text);
const line = '<script type="module" src="main.js"></script>';
finds('a block that its file contains is right', html('index.html', line));
finds(
  'a block that its file does not contain is found',
  html('index.html', '<p>Other</p>'),
  /line 4: .* has another text/,
);
finds('a block of a missing file is found', html('nothing.html', line), /line 4: there is no tests/);
finds(
  'a block of a file outside of tests/consumers is found',
  fenced('js file=README.md', '# Broadloom'),
  /is not a file of tests/,
);
