// Files as Blobs, which are read when they are needed: no file is too large for them.
import { closeSync, openAsBlob, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { quote } from '../../shared/visible.js';
import { Failure, UsageError } from './errors.js';
import { attempt, placeBeside, readBytes, readStdin, realPath, reasonOf } from './files.js';
import { writeOut } from './output.js';

/** A file, or standard input for `-`. Other than regular files, it is read now. */
export async function openBlob(path: string): Promise<Blob> {
  if (path === '-') return new Blob([(await readStdin()) as Uint8Array<ArrayBuffer>]);
  const found = attempt('read', path, () => {
    const stat = statSync(path);
    if (stat.isFile()) closeSync(openSync(path, 'r')); // what openAsBlob throws has no reason
    return stat;
  });
  if (found.size >= 2 ** 32) throw new Failure(`cannot read ${quote(path)}: a model of 4 GiB or more is too large`);
  if (!found.isFile()) return new Blob([readBytes(path) as Uint8Array<ArrayBuffer>]);
  try {
    return (await openAsBlob(path)) as Blob;
  } catch (error) {
    throw new Failure(`cannot read ${quote(path)}: ${reasonOf(error)}`);
  }
}

/** Whether a Blob's file is not what it was when the Blob was made, or is gone. */
export function isUnreadable(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as Partial<Error>;
  return name === 'NotReadableError' || (cause !== undefined && isUnreadable(cause));
}

/** Takes a file away, also when a signal ends the program. */
function removal(path: string): { remove: () => void; end: () => void } {
  const remove = () => rmSync(path, { force: true });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    end();
    process.kill(process.pid, signal);
  };
  const end = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return { remove, end };
}

async function writeAll(
  take: (bytes: Uint8Array) => Promise<void>,
  blob: Blob,
  told: (written: number) => void,
): Promise<void> {
  let written = 0;
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    await take(value);
    written += value.length;
    told(written);
  }
  if (written !== blob.size) throw new Failure(`${written} of ${blob.size} bytes could be read`);
}

/** Refuses what cannot be written to, before any work is done. */
export function checkTarget(path: string): void {
  if (path === '-') {
    if (process.stdout.isTTY) throw new UsageError('a terminal does not take the result: write > out.onnx');
    return;
  }
  const found = attempt('write', path, () => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isFile()) closeSync(openSync(path, 'r+')); // a new file in its place asks nobody
    return stat;
  });
  if (found?.isDirectory()) throw new Failure(`cannot write ${quote(path)}: it is a folder`);
  if (found !== undefined) return;
  const folder = dirname(path);
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new Failure(`cannot write ${quote(path)}: there is no folder ${quote(folder)}`);
}

/**
 * Writes a Blob, piece by piece: to standard output for `-`, else into a new file, which then replaces the one at `path`. So
 * nobody sees half a file, and the Blob may read the replaced file. Files that are not regular are written in place.
 *
 * @param told - called with the number of bytes that are written
 */
export async function writeBlob(path: string, blob: Blob, told: (written: number) => void): Promise<void> {
  if (path === '-') return writeAll(writeOut, blob, told);
  const target = realPath(path) ?? path;
  const found = statSync(target, { throwIfNoEntry: false });
  const isReplaced = found === undefined || found.isFile();
  const place = isReplaced ? placeBeside(target) : target;
  const { remove, end } = isReplaced ? removal(place) : { remove() {}, end() {} };
  try {
    const file = await open(place, isReplaced ? 'wx' : 'w', found?.mode ?? 0o666);
    try {
      await writeAll((bytes) => file.writeFile(bytes), blob, told); // each from where the last one ended
    } finally {
      await file.close();
    }
    if (isReplaced) renameSync(place, target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') remove();
    if (isUnreadable(error)) throw error;
    throw new Failure(`cannot write ${quote(path)}: ${reasonOf(error)}`);
  } finally {
    end();
  }
}
