// Tests the rule for comments, which `npm run lint` holds: it finds comments that begin without a noun.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentsWithoutNoun } from '../../tools/check/prose.mjs';

test('a comment that begins with a word that points elsewhere is found', () => {
  for (const words of ['Of the keys.', 'Those of the runtime.', 'That of a constant.', 'So many rows.', 'The same.']) {
    for (const comment of [`// ${words}`, `x();  // ${words}`, `/** ${words} */`, `/* ${words} */`, `/// ${words}`])
      assert.deepEqual(commentsWithoutNoun(comment), [1], comment);
    assert.deepEqual(commentsWithoutNoun(`x();\n/**\n * ${words}\n */`), [3], words);
    assert.deepEqual(commentsWithoutNoun(`/**\n * A function.\n *\n * @param x - ${words}\n */`), [4], words);
    assert.deepEqual(commentsWithoutNoun(`/**\n * A function.\n *\n * @returns ${words}\n */`), [4], words);
  }
});

test('a comment begins after code and after another comment behind code', () => {
  assert.deepEqual(commentsWithoutNoun('x();  // A reason.\n// Of the keys.'), [2]);
  assert.deepEqual(commentsWithoutNoun('// A reason.\nx();\n// Of the keys.'), [3]);
});

test('a comment with a noun is not found, whatever its further lines and sentences begin with', () => {
  for (const text of [
    '// The keys.',
    '// Offsets in bytes. The same layout for all.',
    '// The keys of the table, sorted by\n// Those of names come first.',
    '/** The keys. */',
    '/**\n * The keys.\n * Of these, some are empty.\n *\n * @param of - the table\n */',
    "const text = 'Of the keys';",
    "const address = 'https://Of';",
  ])
    assert.deepEqual(commentsWithoutNoun(text), [], text);
});
