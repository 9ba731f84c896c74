// Bundlers for browsers look for a package where a script has a name of Node's own, even after `typeof`.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { transform } from 'esbuild';

const dist = new URL('../../dist/', import.meta.url).pathname;
const ofNode = ['process', 'Buffer', 'global', 'setImmediate', 'clearImmediate'];
const ofCommonJs = ['require', 'module', 'exports', '__dirname', '__filename'];

/** The names among `names` that no declaration of the script binds. */
async function unbound(code, names) {
  const define = Object.fromEntries(names.map((name) => [name, `unbound_${name}`]));
  const { code: changed } = await transform(code, { define, loader: 'js' });
  return names.filter((name) => changed.includes(`unbound_${name}`));
}

test('the check sees a bare name, and none that is bound or a property', async () => {
  assert.deepEqual(await unbound('typeof process', ofNode), ['process']);
  assert.deepEqual(await unbound('const { process } = globalThis; process.cwd(); ({}).Buffer', ofNode), []);
});

for (const folder of ['', 'cjs'])
  for (const file of readdirSync(join(dist, folder)).filter((name) => /\.[cm]?js$/.test(name)))
    test(`dist/${join(folder, file)} has no bare global of Node`, async () => {
      const names = folder === 'cjs' ? ofNode : [...ofNode, ...ofCommonJs];
      assert.deepEqual(await unbound(readFileSync(join(dist, folder, file), 'utf8'), names), []);
    });
