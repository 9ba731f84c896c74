// ONNX's official tests, which are one archive in the repository (tests/data/README.md). As a program, prints their folder: for
// CMake.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const archive = join(root, 'tests/data/onnx-tests.tar.xz');

let unpacked;

/** The folder of the official tests: in it, `KIND/NAME/model.onnx` and `KIND/NAME/test_data_set_N/{input,output}_N.pb`. */
export function officialFolder() {
  unpacked ??= unpack();
  return unpacked;
}

/** Unpacks the archive into build/, unless that was done. */
function unpack() {
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 12);
  const folder = join(root, `build/onnx-tests-${hash}`);
  if (existsSync(folder)) return folder;
  mkdirSync(join(root, 'build'), { recursive: true });
  // Several tests may do so at once: the folder appears as a whole.
  const place = mkdtempSync(join(root, 'build/unpacking-'));
  try {
    execFileSync('tar', ['-xJf', archive, '-C', place]);
    renameSync(place, folder);
  } catch (error) {
    rmSync(place, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(officialFolder());
