import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('the first example of the README prints what its comment says', () => {
  const code = /```js\n([\s\S]*?)```/.exec(readFileSync(`${root}/README.md`, 'utf8'))?.[1] as string;
  const comment = /console\.log\(.*\); \/\/ (.*)$/m.exec(code)?.[1];
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim()).toBe(comment);
});
