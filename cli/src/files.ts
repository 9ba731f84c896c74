// Reading and writing files, with errors of one line.
import { Buffer } from 'node:buffer';
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, sep } from 'node:path';
import process from 'node:process';
import { type FileParts, filesBeside } from 'broadloom';
import { liesIn } from '../../shared/lies-in.js';
import { quote } from '../../shared/visible.js';
import { Failure } from './errors.js';

const reasons: { readonly [code: string]: string } = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  EFBIG: 'files may not be so large here',
  ENOSPC: 'the disk is full',
  EPIPE: 'nobody reads it any more',
  EEXIST: 'there is a file of that name',
  EROFS: 'the file system can only be read',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  ERR_STRING_TOO_LONG: 'it is too long for a text',
  ERR_INVALID_ARG_VALUE: 'this is not a path',
};

/** The host's error about a file, in a few words. */
export function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return reasons[code] ?? message;
}

export function attempt<R>(verb: string, path: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    throw new Failure(`cannot ${verb} ${quote(path)}: ${reasonOf(error)}`);
  }
}

export function readBytes(path: string): Uint8Array {
  return attempt('read', path, () => readFileSync(path));
}

export function readText(path: string): string {
  return attempt('read', path, () => new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path)));
}

/** All of standard input. */
export async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/**
 * The path without `.` and `..`. After a symbolic link, `..` is the parent of the folder that the link names, as for the system.
 * After a folder that does not exist, `..` removes its name, so the folder need not be made.
 */
export function plainPath(path: string): string {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep);
  return parts.reduce((plain, part) => {
    const real = part === '..' && isLink(plain) ? realPath(plain) : undefined;
    return join(real ?? plain, part);
  }, root || '.');
}

/** Makes the folder at a plain path, and those that it lies in. */
export function makeFolder(path: string): void {
  attempt('make the folder', path, () => makeBelow(path));
}

/** Not mkdir's own `recursive`, which in Node never ends where a parent takes no folders (/proc). */
function makeBelow(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeBelow(dirname(path));
  mkdirSync(path);
}

/** The new file that is written first, and then takes the place of the one at `target`. */
export function placeBeside(target: string): string {
  return join(plainPath(dirname(target)), `.${basename(target).slice(0, 60)}.${process.pid}.tmp`);
}

/**
 * Writes a file of several parts, without a copy of all of them: into a new file, which then takes the place of the one at
 * `path`. So where the disk is full, that one is as it was. Other than regular files are written in place.
 */
export function writeParts(path: string, parts: readonly (Uint8Array | string)[]): void {
  attempt('write', path, () => {
    const target = realPath(path) ?? path;
    const found = statSync(target, { throwIfNoEntry: false });
    if (found !== undefined && !found.isFile()) return writeAll(target, parts, 'w');
    if (found !== undefined) closeSync(openSync(target, 'r+')); // a new file in its place asks nobody
    const place = placeBeside(target);
    try {
      writeAll(place, parts, 'wx', found?.mode);
      renameSync(place, target);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') rmSync(place, { force: true });
      throw error;
    }
  });
}

function writeAll(path: string, parts: readonly (Uint8Array | string)[], flag: 'w' | 'wx', mode = 0o666): void {
  for (const [i, part] of parts.entries()) writeFileSync(path, part, { flag: i === 0 ? flag : 'a', mode });
}

/** Where a path leads, or undefined where there is nothing. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Where the files are that a model at `model` names as places of its initializers: those in its own folder and below. What
 * lies elsewhere is refused, wherever a path or a symbolic link leads: a model may come from anybody.
 */
export function externalPlaces(model: string): (location: string) => string {
  const folder = plainPath(dirname(model));
  return (location) => {
    const what = `the model's external data ${quote(location)}`;
    if (model === '-') throw new Failure(`${what} has no place beside a model from standard input: give its path`);
    if (location === '' || isAbsolute(location) || location.split(/[/\\]/).includes('..'))
      throw new Failure(`${what} is not in the model's folder`);
    const path = join(folder, location);
    const real = attempt(`read ${what} at`, path, () => realpathSync(path));
    if (!liesIn(real, realpathSync(folder)))
      throw new Failure(`${what} is not in the model's folder: a symbolic link leads to ${quote(real)}`);
    if (!statSync(real).isFile()) throw new Failure(`${what} is not a file`);
    return real;
  };
}

/** A file of any size, read in parts. Fails where it cannot be read. */
export function openParts(path: string): FileParts {
  const file = attempt('read', path, () => {
    closeSync(openSync(path, 'r'));
    return filesBeside(join(dirname(path), 'model'))(basename(path)) as FileParts;
  });
  return { size: file.size, read: (offset, length) => attempt('read', path, () => file.read(offset, length)) };
}

/** Gives files beside a model. */
export function externalFiles(model: string): (location: string) => FileParts {
  const place = externalPlaces(model);
  return (location) => openParts(place(location));
}
