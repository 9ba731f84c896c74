import { show, tagOf } from '../basics/show.js';
import { arrayName } from '../basics/typed-arrays.js';

/**
 * A file of any size, read in parts. `Part` is what a part is: bytes, or also a promise of them where the caller can
 * wait.
 */
export interface FileParts<Part = Uint8Array> {
  /** How many bytes the file has. */
  readonly size: number;
  /** Gives `length` bytes from byte `offset` on. */
  read(offset: number, length: number): Part;
}

/** A part that may have to be waited for. */
export type PendingPart = Uint8Array | PromiseLike<Uint8Array>;

/** @internal */
export const isBlob = (value: unknown): value is Blob => /^(Blob|File)$/.test(tagOf(value));

/** @internal */
export function isParts(value: unknown): value is FileParts<PendingPart> {
  const { size, read } = (value ?? {}) as Partial<FileParts>;
  return typeof size === 'number' && typeof read === 'function';
}

/** The values that a file beside a model may be, in errors. @internal */
export const wantedFile = 'a Uint8Array or { size, read }';

/**
 * The parts of a file in memory, of a Blob, or of what has them; undefined for anything else. Parts of a Blob and of a file in memory
 * are copies.
 *
 * @internal
 */
export function partsOf(file: unknown): FileParts<PendingPart> | undefined {
  if (isBlob(file)) {
    const read = async (offset: number, length: number) =>
      new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
    return { size: file.size, read };
  }
  if (arrayName(file) !== 'Uint8Array') return isParts(file) ? file : undefined;
  const bytes = file as Uint8Array;
  return { size: bytes.length, read: (offset, length) => bytes.slice(offset, offset + length) };
}

/**
 * A copy of a file that is given as bytes, outside of JavaScript's heap: the program may write over its own. Anything else is
 * returned as it is.
 *
 * @internal
 */
export function keptFile<F>(file: F): F | Blob {
  const isBytes = ArrayBuffer.isView(file) || /^(Shared)?ArrayBuffer$/.test(tagOf(file));
  try {
    return isBytes ? new Blob([file as Uint8Array<ArrayBuffer>]) : file;
  } catch {
    return file; // its buffer was transferred, which the reader of the file tells
  }
}

/** A part of a file, which is of its length. Fails with what `wrong` makes of a text. @internal */
export function checkedPart(part: unknown, offset: number, length: number, wrong: (text: string) => Error): Uint8Array {
  if (arrayName(part) !== 'Uint8Array')
    throw wrong(`read(${offset}, ${length}) gave ${show(part)}, wanted a Uint8Array`);
  const bytes = part as Uint8Array;
  if (bytes.length === length) return bytes;
  throw wrong(`read(${offset}, ${length}) gave ${bytes.length} bytes`);
}
