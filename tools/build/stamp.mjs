// Whether a build would make again what lies there: a stamp holds hashes of all that went into the last one, and of all that
// came out. One byte that differs, a file more or a file less, and the build runs.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The files of folders, and files themselves, in an order that does not depend on the system. */
function filesOf(root, paths) {
  return paths.flatMap((path) => {
    const place = join(root, path);
    if (!existsSync(place)) return [];
    if (!statSync(place).isDirectory()) return [path];
    return readdirSync(place, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .sort();
  });
}

/** A hash of the names and bytes of files, and of texts. Files whose name matches `except` do not count. */
export function hashOf(root, paths, { texts = [], except = /$^/ } = {}) {
  const hash = createHash('sha256').update(JSON.stringify(texts));
  for (const file of filesOf(root, paths).filter((name) => !except.test(name))) {
    const bytes = readFileSync(join(root, file));
    hash.update(JSON.stringify([file, bytes.length])).update(bytes);
  }
  return hash.digest('hex');
}

/** Whether the stamp says that a build would change nothing. */
export const isCurrent = ({ stamp, inputs, outputs }) =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === `${inputs()} ${outputs()}`;

/**
 * Calls `build` unless the stamp says that it would change nothing.
 *
 * @param stamp the stamp's file
 * @param inputs gives the hash of the files that `build` reads, `outputs` the hash of the files that it writes
 * @returns whether it was called
 */
export async function buildOnce({ stamp, inputs, outputs, build }) {
  if (isCurrent({ stamp, inputs, outputs })) return false;
  const before = inputs();
  rmSync(stamp, { force: true }); // a build that fails leaves none
  await build();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${before} ${outputs()}`);
  return true;
}

/**
 * Calls the build of `development`, whose results take the place of those of `whole`, unless one of the two would change nothing. The
 * results of development have another stamp and another hash: they never pass for those of `whole`.
 */
export const developOnce = async (whole, development) => !isCurrent(whole) && (await buildOnce(development));
