// Runs files in the targets compiled to wasm, where sizes have 32 bits.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';
import { folder } from './targets.mjs';

/** `list` has the files of each target. Returns whether all of them end without a finding. */
export function replayInWasm(list) {
  run('emcmake', ['cmake', '--preset', 'wasm'], { quiet: true });
  run('cmake', ['--build', '--preset', 'wasm', '--target', 'fuzz_wasm'], { quiet: true });
  let holds = true;
  for (const { name, files } of list) {
    if (files.length === 0) continue;
    const names = join(folder, 'files');
    writeFileSync(names, files.join('\n'));
    const program = join(root, 'build/wasm/tests/fuzz/fuzz_wasm.cjs');
    const { status, stdout, stderr } = spawnSync('node', [program, name, names], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    if (status === 0) {
      console.log(`${name} in wasm: ${files.length} files without a finding`);
      continue;
    }
    holds = false;
    console.error(`${name} in wasm: a finding\n${stdout.split('\n').slice(-20).join('\n')}\n${stderr.slice(-4000)}`);
  }
  return holds;
}
