// Finds words that make texts hard to read, as `banned` lists them, and comments that begin without a noun.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

/** All texts of these, comments included. */
const places = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/README.md',
  'docs/guides',
  'docs/internals',
]
  .concat([
    'cli/src',
    'js/src',
    'shared',
    'web-demo/src',
    'data/operators',
    'data/foreign',
    'data/README.md',
    'examples/README.md',
    'web-demo/README.md',
    'bindings',
    'src',
    'bench',
    'tests',
    'tools',
  ])
  .map((place) => join(root, place));

const banned = [
  /(?:^|[^a-z])What [a-z][^?]*$/, // not a question
  /\bof which\b/,
  /\bbut for\b/,
  /(?<!\b[Tt]here )\b(?:is|are|was|were|be) no (?!(?:longer|more|less|faster|slower|larger|smaller)\b)[a-z]/,
];

const files = places.flatMap((place) =>
  statSync(place).isFile() ? [place] : readdirSync(place, { recursive: true }).map((file) => join(place, file)),
);

/** `file:line: text` of each. */
export function hardWords() {
  return files
    .filter((file) => /\.(md|m?js|ts|json|css|cpp|h|inc)$/.test(file) && !/node_modules|consumers.projects/.test(file))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) => (banned.some((words) => words.test(line)) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    );
}

const pointers = /^(?:Of|Those|That of|So many|The same)\b/;

/** The rule for comments, as an error says it. */
export const commentRule =
  'a comment has a noun and a reason, and does not begin with Of, Those, That of, So many or The same';

/** The text with which a comment begins at a line, or a tag of a documentation comment; undefined within a comment and in code. */
function beginning(line, previous) {
  const isWithin = /^\s*\/\//.test(line) && /^\s*\/\//.test(previous);
  if (isWithin) return undefined;
  const first = /(?:^|\s)(?:\/\/[/!]?<?|\/\*[*!]?)\s*(\S.*)/.exec(line)?.[1];
  if (first !== undefined) return first;
  const second = /^\s*\/\*[*!]?$/.test(previous) ? /^\s*\*\s+(.*)/ : /^\s*\* @\w+ (?:\S+ - )?(.*)/;
  return second.exec(line)?.[1];
}

/** The numbers of the lines of C++, TypeScript or JavaScript where comments begin without a noun. */
export function commentsWithoutNoun(text) {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => (pointers.test(beginning(line, lines[i - 1] ?? '') ?? '') ? [i + 1] : []));
}

/** `file:line: text` of each comment of the repository that begins without a noun. */
export function hardComments() {
  return run('git', ['ls-files', '-co', '--exclude-standard'], { quiet: true })
    .split('\n')
    .filter((file) => /\.(?:cpp|h|inc|[cm]?[jt]sx?)$/.test(file) && existsSync(join(root, file)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return commentsWithoutNoun(text).map((line) => `${file}:${line}: ${text.split('\n')[line - 1].trim()}`);
    });
}
