// Finds words that make texts hard to read, as `banned` lists them.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';

/** All texts of these, comments included. */
const places = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/guides', 'docs/internals']
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
