// The fuzz targets (tests/fuzz), and where their files are.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../run.mjs';

/** `share` is the part that a target has of a short run. Scripts (tests/fuzz/scripts) have no coverage and no corpus. */
export const targets = [
  { name: 'model', share: 3 },
  { name: 'simplify', share: 3 },
  { name: 'operator', share: 3 },
  { name: 'tensor', share: 1 },
  { name: 'image', share: 1 },
  { name: 'sound', share: 1 },
  { name: 'npy', share: 1, isScript: true },
  { name: 'command-line', share: 1, isScript: true },
];

/** The targets that are programs of libFuzzer. */
export const natives = targets.filter(({ isScript }) => !isScript);

export const folder = join(root, 'build/fuzz');
export const archive = join(root, 'tests/fuzz/corpora.tar.xz');
export const corpusOf = (name) => join(folder, 'corpora', name);
export const seedsOf = (name) => join(folder, 'seeds', name);
export const regressionsOf = (name) => join(root, 'tests/fuzz/regressions', name);
export const programOf = (name) => join(root, 'build/sanitize/tests/fuzz', `fuzz_${name}`);

/** The files of a folder that may not exist. */
export const filesIn = (place) =>
  existsSync(place)
    ? readdirSync(place)
        .sort()
        .map((name) => join(place, name))
    : [];

/** Builds programs: the programs of the native targets, or the one that writes seeds. */
export function build(programs = 'fuzzers') {
  run('cmake', ['--preset', 'sanitize'], { quiet: true });
  run('cmake', ['--build', '--preset', 'sanitize', '--target', programs], { quiet: true });
}

/** Unpacks the corpora of the repository, if they changed since the last time. Files that fuzzers found stay. */
export function unpack() {
  const stamp = join(folder, 'unpacked');
  for (const { name } of natives) mkdirSync(corpusOf(name), { recursive: true });
  if (!existsSync(archive)) return;
  if (existsSync(stamp) && statSync(stamp).mtimeMs > statSync(archive).mtimeMs) return;
  run('tar', ['-xJf', archive, '-C', join(folder, 'corpora')], { quiet: true });
  writeFileSync(stamp, '');
}

/** An empty folder. */
export function emptied(place) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  return place;
}
