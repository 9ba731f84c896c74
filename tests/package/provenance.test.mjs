// The way of the package to npm: from a tag of the repository, by its workflow, with a statement of provenance.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../tools/run.mjs';

const read = (file) => readFileSync(join(root, file), 'utf8');
const workflow = read('.github/workflows/publish.yml');
const steps = workflow.split('\n').flatMap((line) => /^\s*- (?:run|uses): (.*)$/.exec(line)?.[1] ?? []);

test('a release carries the statement of provenance that npm checks', () => {
  assert.equal(JSON.parse(read('package.json')).publishConfig.provenance, true);
  assert.match(workflow, /^ {2}id-token: write\b/m);
});

test('the workflow that publishes may write nothing else, and knows no secret', () => {
  assert.deepEqual(
    [...workflow.matchAll(/^ {2}([\w-]+): write\b/gm)].map(([, name]) => name),
    ['id-token'],
  );
  assert.doesNotMatch(workflow, /secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
});

test('a person starts it, on a tag of a version, and all checks run before the package is published', () => {
  assert.match(workflow, /^on:\n {2}workflow_dispatch:\n\S/m);
  assert.match(workflow, /if: startsWith\(github\.ref, 'refs\/tags\/v'\)/);
  const [checks, publishes] = ['.ci/run', 'npm publish'].map((start) =>
    steps.findIndex((step) => step.startsWith(start)),
  );
  assert.ok(checks >= 0 && publishes > checks && publishes === steps.length - 1, steps.join('\n'));
});

test('the workflows use no action of others than GitHub', () => {
  for (const file of ['ci.yml', 'publish.yml']) {
    for (const [, action] of read(`.github/workflows/${file}`).matchAll(/uses: (\S+)/g))
      assert.match(action, /^actions\//);
  }
});
